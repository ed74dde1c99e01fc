//! Contenders in other languages: a long-lived process that runs one round per request over a pipe. It times its own work, so
//! the pipe does not count, and its rounds alternate with those of the others.

use std::io::{self, BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

/// The process, which ends when this is dropped.
pub struct Peer {
    name: String,
    child: Child,
    requests: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

/// A program that a script in this package builds into the target folder; the environment variable `variable` overrides its
/// path.
#[must_use]
pub fn built(program: &str, variable: &str) -> Option<PathBuf> {
    if let Some(path) = std::env::var_os(variable) {
        return Some(path.into());
    }
    let exe = std::env::current_exe().ok()?;
    exe.ancestors()
        .map(|folder| folder.join(program))
        .find(|path| path.is_file())
}

impl Peer {
    /// Starts `command`.
    ///
    /// # Errors
    ///
    /// It cannot be started.
    pub fn start(command: &mut Command) -> Result<Peer, String> {
        let name = command.get_program().to_string_lossy().into_owned();
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("{name}: {error}"))?;
        let requests = child.stdin.take();
        let answers = BufReader::new(child.stdout.take().expect("stdout is a pipe"));
        Ok(Peer {
            name,
            child,
            requests,
            answers,
        })
    }

    /// The response line to `request`, followed by `data`.
    ///
    /// # Errors
    ///
    /// The process has ended.
    pub fn ask(&mut self, request: &str, data: &[u8]) -> io::Result<String> {
        let requests = self.requests.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
        requests.write_all(request.as_bytes())?;
        requests.write_all(b"\n")?;
        requests.write_all(data)?;
        requests.flush()?;
        let mut answer = String::new();
        if self.answers.read_line(&mut answer)? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(answer.trim().to_owned())
    }

    /// Sends data; the process answers "loaded".
    ///
    /// # Panics
    ///
    /// On an unexpected response, or none.
    pub fn load(&mut self, request: &str, data: &[u8]) {
        let answer = self.ask(request, data);
        assert_eq!(answer.ok().as_deref(), Some("loaded"), "{}", self.name);
    }

    /// The number in the response to `request`.
    ///
    /// # Panics
    ///
    /// On an unexpected response, or none.
    pub fn number(&mut self, request: &str) -> i64 {
        let answer = self.ask(request, b"");
        let number = answer.as_ref().ok().and_then(|answer| answer.parse().ok());
        number.unwrap_or_else(|| panic!("{} answered {request:?} with {answer:?}", self.name))
    }

    /// The time in the response to `request`, in nanoseconds.
    ///
    /// # Panics
    ///
    /// On an unexpected response, or none.
    pub fn time(&mut self, request: &str) -> Duration {
        let nanoseconds = self.number(request);
        Duration::from_nanos(nanoseconds.try_into().expect("a time is not negative"))
    }
}

impl Drop for Peer {
    /// The process exits when its input is closed.
    fn drop(&mut self) {
        self.requests = None;
        let _ = self.child.wait();
    }
}
