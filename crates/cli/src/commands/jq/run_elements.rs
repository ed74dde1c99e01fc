//! A large array on several threads, for programs that see one element at a time, such as `.rows[] | select(.ok)`.
//!
//! ```text
//! file ──► verify, find the elements ──► batches of elements ──► worker: run the program ──► results, in order
//! ```
//!
//! The position of an error and a program that recurses too deeply for a worker need the whole document: it is read once, and the
//! batch is run again.

use std::io;
use std::num::NonZeroUsize;
use std::ops::{ControlFlow, Range};
use std::rc::Rc;
use std::sync::mpsc::{SyncSender, sync_channel};

use jsonx_core::engine::{Mode, Options};
use jsonx_jq::{IndexedText, Program, Settings, TextBytes, Value};

use super::elements::{Elements, read};
use super::feed::Feed;
use super::jobs::{Document, Job, Ran};
use super::runner::{Progress, run};
use super::worker::{Compiled, Part, Shared, Worker};
use super::{USABLE_STACK, flush};
use crate::check::{Failure, Interrupted};
use crate::input::{Input, Segments};

/// Runs a program for each element, and passes the results to the interpreter, until it needs no more.
///
/// # Errors
/// The file cannot be read.
pub fn run_elements(
    input: &mut Input,
    options: Options,
    elements: &Elements,
    threads: NonZeroUsize,
    shared: Shared<'_>,
    jobs: &SyncSender<Job>,
) -> Result<ControlFlow<()>, Failure> {
    let Some(again) = input.again() else {
        return Ok(ControlFlow::Continue(()));
    };
    let (over, ended) = sync_channel(1);
    let document = Document {
        input: again,
        options,
        over,
    };
    if jobs.send(Job::Document(Box::new(document))).is_err() {
        return Ok(ControlFlow::Break(()));
    }
    let file = Segments::new(input)?;
    let work = |batch: Range<usize>| -> Result<_, Failure> {
        let part = run_batch(&file, elements, batch.clone(), options, shared)?;
        Ok((part, batch))
    };
    let worked = file.each(threads, elements.batches(), work, |done| {
        let (part, batch) = done?;
        let ran = Ran {
            part,
            name: shared.name.map(str::to_owned),
            line: 0,
            elements: Some(batch),
        };
        match (jobs.send(Job::Ran(Box::new(ran))), ended.try_recv()) {
            (Err(_), _) => Err(Interrupted::Early(None)),
            (_, Ok(reason)) => Err(Interrupted::Early(Some(reason))),
            _ => Ok(()),
        }
    });
    let reason = match worked {
        Ok(end) => {
            input.note_end(end);
            if !flush(jobs) {
                return Ok(ControlFlow::Break(()));
            }
            ended.try_recv().ok().flatten()
        }
        Err(Interrupted::Early(None)) => return Ok(ControlFlow::Break(())),
        Err(Interrupted::Early(Some(reason))) => reason,
        Err(Interrupted::Failed(failure)) => Some(failure),
    };
    reason.map_or(Ok(ControlFlow::Continue(())), Err)
}

/// Runs the program for the elements of a batch.
fn run_batch(
    file: &Segments<'_>,
    elements: &Elements,
    batch: Range<usize>,
    options: Options,
    shared: Shared<'_>,
) -> Result<Part, Failure> {
    let compiled = Compiled::per_element(shared.source).expect("it has been compiled before");
    let mut worker = Worker::of_elements(compiled.clone(), shared);
    let Some(text) = elements.text(file, batch.clone())? else {
        worker.give_up();
        return Ok(worker.finish());
    };
    let options = options.mode(Mode::Stream);
    let projection = compiled.projection.as_ref();
    let projected = projection.and_then(|projection| projection.of_values(&text, options));
    match projected.filter(|projected| projected.records.len() == batch.len()) {
        Some(projected) => {
            worker.see_text(&text, options);
            let offsets: Vec<usize> = elements.offsets(batch).collect();
            let text_of = |number: usize, _| {
                let end = offsets.get(number + 1).copied().unwrap_or(text.len());
                &text[offsets[number]..end]
            };
            worker.projected(&projected, options, text_of, |_| None);
        }
        None => match IndexedText::new(TextBytes::Owned(text), options) {
            Ok(text) => worker.text(text, None),
            Err(_) => worker.give_up(),
        },
    }
    Ok(worker.finish())
}

/// The document of the interpreter.
pub struct Current {
    document: Document,
    path: Vec<Rc<str>>,
    each: Program,
    /// Read when the program must be run again.
    elements: Option<Vec<Value>>,
    is_over: bool,
}

impl Current {
    pub fn new(document: Document, program: &Program) -> Current {
        let (path, each) = program.per_element().expect("elements were found by it");
        Current {
            document,
            path,
            each,
            elements: None,
            is_over: false,
        }
    }

    /// Prints the results for a batch, or runs the program for it. An error ends the run for the document.
    ///
    /// # Errors
    /// Standard output cannot be written.
    pub fn take(&mut self, ran: Ran, feed: &Feed<'_>, progress: &mut Progress) -> io::Result<()> {
        let mut own = Progress::default();
        let failure = if self.is_over {
            return Ok(());
        } else {
            self.run(ran, feed, &mut own)?
        };
        progress.add(&own);
        if own.is_over() || failure.is_some() {
            self.is_over = true;
            feed.begin_values(Vec::new(), None);
            // The other thread may have ended.
            let _ = self.document.over.send(failure);
        }
        Ok(())
    }

    fn run(
        &mut self,
        ran: Ran,
        feed: &Feed<'_>,
        own: &mut Progress,
    ) -> io::Result<Option<Failure>> {
        if !ran.part.is_given_up {
            ran.print(&mut feed.out.borrow_mut(), own)?;
            return Ok(None);
        }
        let elements = match &self.elements {
            Some(elements) => elements,
            None => match all_elements(&mut self.document, &self.path) {
                Ok(all) => self.elements.insert(all),
                Err(failure) => return Ok(Some(failure)),
            },
        };
        let batch = elements.get(ran.elements.unwrap_or_default());
        feed.begin_values(batch.unwrap_or_default().to_vec(), ran.name);
        while !own.is_over()
            && let Some(value) = feed.next_of_text()
        {
            run(&self.each, value, USABLE_STACK, feed, own)?;
        }
        Ok(None)
    }
}

/// Reads the document, and returns the elements of the array.
fn all_elements(document: &mut Document, path: &[Rc<str>]) -> Result<Vec<Value>, Failure> {
    let text = read(&mut document.input, document.options, 0)?;
    let keys: String = path
        .iter()
        .map(|key| format!("[{}]", Value::from(&**key)))
        .collect();
    let each = Program::compile(&format!(".{keys}[]"), &Settings::default());
    let each = each.expect("keys are strings");
    let values = Rc::new(text).values();
    Ok(values
        .flat_map(|value| each.results(value).unwrap_or_default())
        .collect())
}
