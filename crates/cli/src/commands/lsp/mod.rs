//! `jsonx lsp`: a language server. It checks, fixes and formats the documents of an editor as the commands do with files.
//!
//! ```text
//! standard input ─► frames.rs ─► queue ─► server.rs ─► requests.rs ─┬─► findings.rs    validate/checker.rs
//!                   a thread              document.rs               ├─► actions.rs     fixes, jsonx.json
//!                                         text/, settings.rs        ├─► layout.rs      fmt, fix
//!                                                                   └─► outline.rs, folding.rs, references.rs
//! ```
//!
//! After each change, the whole text is checked once no more messages are waiting. The engine reads the messages, so nothing
//! recurses over them. All state belongs to the thread that sends the responses.

mod actions;
mod document;
mod findings;
mod folding;
mod frames;
mod layout;
mod outline;
mod protocol;
mod references;
mod requests;
mod server;
mod settings;
mod text;
mod uri;
mod view;

use std::io::{self, BufRead, BufReader, Write};
use std::sync::mpsc;

use super::{Command, Plan, UsageError};
use crate::args::{self, Cli, Common, Global, Lsp};
use crate::config::FileSchemas;
use crate::exit::Exit;
use crate::report::Format;
use crate::session::{Channel, Reporter, Session};
use crate::system;
use frames::Frame;
use server::Server;

/// The size of the read buffer.
const BUFFER: usize = 256 << 10;

/// Maximum number of messages that are read ahead.
const QUEUE: usize = 1024;

impl Command for Lsp {
    const NAME: &'static str = "lsp";
    const NO_INPUT: &'static str = "an editor starts the server and talks to it on standard input";
    type Work<'a> = ();

    fn common(&self) -> &Common {
        &self.common
    }

    fn plan(&self, _: &Global) -> Result<Plan<()>, UsageError> {
        let schemas = self.schemas.options(self.levels);
        FileSchemas::new(schemas, self.levels).map_err(UsageError::of_option)?;
        Ok(Plan {
            meant: None,
            stdin_is_implied: true,
            channel: Channel::Data,
            // It prints nothing for no findings.
            reporters: vec![Reporter {
                format: Format::Concise,
                file: None,
            }],
            levels: self.levels,
            work: (),
        })
    }

    fn run(&self, (): (), session: &mut Session) -> io::Result<()> {
        let run = session.options().clone();
        let stdin = system::stdin()?;
        system::grow_pipe(&stdin, BUFFER);
        let input = BufReader::with_capacity(BUFFER, stdin);
        let is_clean = serve(input, &mut session.out, |out| {
            Server::new(self.clone(), run, out)
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
        // Findings are published when no messages wait.
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
    let cli = Cli::new(&arguments).map_err(io::Error::other)?;
    let Some(args::Command::Lsp(args)) = cli.command else {
        return Ok(false);
    };
    let Ok(plan) = args.plan(&cli.global) else {
        return Ok(false);
    };
    let (session, ()) = super::session(&args, &cli.global, None, None, plan)?;
    let run = session.options().clone();
    serve(input, output, |out| Server::new(args, run, out))
}
