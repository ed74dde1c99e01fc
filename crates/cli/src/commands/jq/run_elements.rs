//! A large array on several threads, for programs that see one element at a time, such as `.rows[] | select(.ok)`.
//!
//! ```text
//! file ──► verify, find the elements ──► batches of elements ──► worker: run the program ──► results, in order
//! ```
//!
//! The place of an error, and a program that recurses too deep for a worker, need the whole document: it is read once, and the batch
//! is run again.

use std::cell::OnceCell;
use std::ops::Range;
use std::rc::Rc;

use jsonx_core::engine::{Mode, Options};
use jsonx_jq::{Program, Settings, Source as Text, Text as Bytes, Value};

use super::USABLE_STACK;
use super::elements::{Elements, read};
use super::feed::Feed;
use super::jobs::FileJob;
use super::runner::{Progress, run};
use super::worker::{Compiled, Part, Shared, Worker};
use crate::check::{Failure, Interrupted};
use crate::input::Segments;

/// Runs a program for each element, and returns the end of the file.
///
/// # Errors
/// The file cannot be read; standard output cannot be written.
pub fn run_elements(
    job: &FileJob,
    elements: &Elements,
    path: &[Rc<str>],
    each: &Program,
    feed: &Feed<'_>,
    progress: &mut Progress,
) -> Result<u64, Failure> {
    let file = Segments::of(&job.input)?;
    let (options, shared) = (job.options, feed.shared(job.name.as_deref()));
    let mut own = Progress::default();
    let document: OnceCell<Vec<Value>> = OnceCell::new();
    let work = |batch: Range<usize>| -> Result<_, Failure> {
        let part = run_batch(&file, elements, batch.clone(), options, shared)?;
        Ok((part, batch))
    };
    let worked = file.each(job.threads, elements.batches(), work, |done| {
        let (part, batch): (Part, _) = done?;
        if part.is_given_up {
            if document.get().is_none() {
                let all = all_elements(job, path)?;
                let _ = document.set(all);
            }
            let all = document.get().and_then(|all| all.get(batch));
            feed.begin_values(all.unwrap_or_default().to_vec(), job.name.clone());
            while !own.is_over()
                && let Some(value) = feed.next_of_text()
            {
                let ran = run(each, value, USABLE_STACK, feed, &mut own);
                ran.map_err(Failure::Write)?;
            }
        } else {
            let printed = part.print(0, shared.name, &mut feed.out.borrow_mut(), &mut own);
            printed.map_err(Failure::Write)?;
        }
        // An error ends the run for the document.
        if own.is_over() {
            feed.begin_values(Vec::new(), None);
            return Err(Interrupted::Early(()));
        }
        Ok(())
    });
    progress.add(&own);
    match worked {
        Err(Interrupted::Early(())) => Ok(u64::MAX),
        Err(Interrupted::Failed(failure)) => Err(failure),
        Ok(end) => Ok(end),
    }
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
    let mut worker = Worker::new(compiled.clone(), shared);
    let Some(text) = elements.text(file, batch.clone())? else {
        worker.give_up();
        return Ok(worker.finish());
    };
    let options = options.mode(Mode::Stream);
    let projection = compiled.projection.as_ref();
    let projected = projection.and_then(|projection| projection.of_values(&text, options));
    match projected.filter(|projected| projected.records.len() == batch.len()) {
        Some(projected) => {
            let offsets: Vec<usize> = elements.offsets(batch).collect();
            worker.projected(projected, |worker, number, _| {
                let end = offsets.get(number + 1).copied().unwrap_or(text.len());
                let element = &text[offsets[number]..end];
                match Text::new(Bytes::Owned(element.to_vec()), options, 0) {
                    Ok(element) => worker.text(element, None),
                    Err(_) => worker.give_up(),
                }
            });
        }
        None => match Text::new(Bytes::Owned(text), options, 0) {
            Ok(text) => worker.text(text, None),
            Err(_) => worker.give_up(),
        },
    }
    Ok(worker.finish())
}

/// Reads the document, and returns the elements of the array.
fn all_elements(job: &FileJob, path: &[Rc<str>]) -> Result<Vec<Value>, Failure> {
    let Some(mut input) = job.input.again() else {
        return Ok(Vec::new());
    };
    let text = read(&mut input, job.options)?;
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
