//! `jsonx lsp`: a language server. It checks, fixes and formats what an editor holds as the commands do files.
//!
//! ```text
//! standard input ─► frames.rs ─► queue ─► server.rs ─► requests.rs ─┬─► findings.rs    validate/checker.rs
//!                   a thread              documents,                ├─► actions.rs     fixes, jsonx.json
//!                                         text/                     ├─► layout.rs      fmt, fix
//!                                                                   ├─► outline.rs, links.rs, hover.rs
//!                                                                   └─► completion.rs  schemas.rs
//! ```
//!
//! Every change is followed by a whole check, when no more messages wait. Messages are read by the engine: nothing that a client
//! sends is recursed over.

mod actions;
mod completion;
mod findings;
mod frames;
mod hover;
mod layout;
mod links;
mod outline;
mod requests;
mod schemas;
mod server;
mod text;
mod uri;
mod view;

use std::io::{self, BufRead, BufReader, Write};
use std::sync::{Arc, mpsc};

use super::{Command, Plan, UsageError};
use crate::args::{Common, Global, Lsp};
use crate::check::CheckOptions;
use crate::config::{Configs, FileSchemas, RunOptions};
use crate::diagnostics::{Diagnoser, ReportTarget};
use crate::exit::Exit;
use crate::report::Format;
use crate::session::{Channel, MAX_DEPTH, Reporter, Session};
use crate::system;
use frames::Frame;
use server::{Server, Settings};

/// Bytes that are read at once.
const BUFFER: usize = 256 << 10;

/// Messages that wait.
const QUEUE: usize = 1024;

impl Command for Lsp {
    const NAME: &'static str = "lsp";
    const NO_INPUT: &'static str = "an editor starts the server and talks to it on standard input";
    type Work<'a> = Settings;

    fn common(&self) -> &Common {
        &self.common
    }

    fn plan(&self, _: &Global) -> Result<Plan<Settings>, UsageError> {
        let schemas = self.schemas.options(self.levels);
        FileSchemas::new(schemas.clone(), self.levels).map_err(UsageError::Arguments)?;
        Ok(Plan {
            stdin_is_implied: true,
            channel: Channel::Data,
            // It prints nothing for no findings.
            reporters: vec![Reporter {
                format: Format::Concise,
                file: None,
            }],
            levels: self.levels,
            work: Settings {
                configs: self.common.config.clone(),
                layout: self.layout.clone(),
                schemas,
                levels: self.levels,
            },
        })
    }

    fn run(&self, settings: Settings, session: &mut Session) -> io::Result<()> {
        let run = session.options().clone();
        let stdin = system::stdin()?;
        system::grow_pipe(&stdin, BUFFER);
        let input = BufReader::with_capacity(BUFFER, stdin);
        let is_clean = serve(input, &mut session.out, |out| {
            Server::new(settings, run, out)
        })?;
        if !is_clean {
            session.note(Exit::No);
        }
        Ok(())
    }
}

/// Answers messages until the client ends; returns whether it did so in order.
///
/// # Errors
/// The output cannot be written.
fn serve<R: BufRead + Send + 'static, W: Write>(
    mut input: R,
    output: W,
    server: impl FnOnce(W) -> Server<W>,
) -> io::Result<bool> {
    let (sender, receiver) = mpsc::sync_channel::<Frame>(QUEUE);
    let reading = std::thread::Builder::new().name("messages".to_owned());
    reading.spawn(move || {
        while let Ok(Some(frame)) = frames::read(&mut input) {
            if sender.send(frame).is_err() {
                return;
            }
        }
    })?;
    let mut server = server(output);
    loop {
        // Findings are published when nothing else waits.
        while let Ok(frame) = receiver.try_recv() {
            server.queue(frame);
        }
        if server.is_idle() {
            if server.publish_next()? {
                continue;
            }
            match receiver.recv() {
                Ok(frame) => server.queue(frame),
                Err(_) => return Ok(server.has_exited()),
            }
        }
        if server.step()? {
            return Ok(server.was_shut_down());
        }
    }
}

/// Serves a client with the settings of `jsonx.json` alone, for the fuzzer; returns whether it ended in order.
///
/// # Errors
/// The output cannot be written.
pub fn serve_plainly(input: impl BufRead + Send + 'static, output: impl Write) -> io::Result<bool> {
    let arguments = ["jsonx", "lsp"].map(std::ffi::OsString::from);
    let parsed = crate::args::Cli::of(&arguments).ok();
    let Some(crate::args::Command::Lsp(args)) = parsed.and_then(|cli| cli.command) else {
        return Ok(false);
    };
    let schemas = args.schemas.options(args.levels);
    let settings = Settings {
        configs: args.common.config.clone(),
        layout: args.layout.clone(),
        schemas,
        levels: args.levels,
    };
    let target = ReportTarget {
        format: Format::Concise,
        settings: crate::report::Settings::default(),
        muted: false,
    };
    let diagnoser = Diagnoser {
        forms: vec![target],
        max_depth: MAX_DEPTH,
        levels: args.levels,
        refusal: Exit::No,
        keeps_findings: true,
        translation: None,
    };
    let run = RunOptions {
        configs: Arc::new(Configs::new(&settings.configs)),
        check: CheckOptions {
            kernel: None,
            max_depth: MAX_DEPTH,
            rules: Arc::new([]),
            configured: None,
            takes_streams: false,
        },
        diagnoser: Arc::new(diagnoser),
        told_depth: false,
    };
    serve(input, output, |out| Server::new(settings, run, out))
}
