//! Checks before timing that each command does its job.

use super::job::{Entry, Expect, Job};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};

/// Runs each entry of `job`, and removes the rivals that fail. Returns a line about each of them.
///
/// # Errors
///
/// If jsonx fails.
pub fn keep_those_that_work(job: &mut Job) -> Result<Vec<String>, String> {
    let mut removed = Vec::new();
    let mut kept: Vec<Entry> = Vec::new();
    for entry in std::mem::take(&mut job.entries) {
        match check(&entry, kept.first()) {
            Ok(()) => kept.push(entry),
            Err(reason) => {
                let line = format!("{}: {} left out: {reason}", job.name, entry.tool);
                if entry.tool.starts_with("jsonx") && !entry.tool.starts_with("jsonxf") {
                    return Err(format!("{}: {}: {reason}", job.name, entry.line()));
                }
                removed.push(line);
            }
        }
    }
    job.entries = kept;
    Ok(removed)
}

fn check(entry: &Entry, first: Option<&Entry>) -> Result<(), String> {
    match &entry.expect {
        Expect::Exit(code) => {
            let status = start(entry, Stdio::null())?.wait().map_err(describe)?;
            if status.code() != Some(*code) {
                return Err(format!("{status}, and not {code}"));
            }
            Ok(())
        }
        Expect::Output(expected) => {
            let output = start(entry, Stdio::piped())?
                .wait_with_output()
                .map_err(describe)?;
            let text = String::from_utf8_lossy(&output.stdout);
            if !output.status.success() || text.trim() != expected {
                let start: String = text.trim().chars().take(40).collect();
                return Err(format!(
                    "{}, {start:?}, and not {expected:?}",
                    output.status
                ));
            }
            Ok(())
        }
        Expect::File { file, through } => {
            let file = File::open(file).map_err(|error| format!("{file}: {error}"))?;
            compare(
                Stream::new(file, Vec::new()),
                Stream::start(entry, Some(through))?,
            )
        }
        Expect::SameAsFirst { through } => {
            let first = first.ok_or("no first entry to compare with")?;
            compare(
                Stream::start(first, through.as_deref())?,
                Stream::start(entry, through.as_deref())?,
            )
        }
    }
}

fn compare(mut expected: Stream, mut output: Stream) -> Result<(), String> {
    let at = first_difference(&mut expected.bytes, &mut output.bytes).map_err(describe)?;
    if let Some(at) = at {
        // The rest of their output is not read.
        expected.stop();
        output.stop();
        return Err(format!("its output differs at byte {at}"));
    }
    expected.finish()?;
    output.finish()
}

fn describe(error: io::Error) -> String {
    error.to_string()
}

fn start(entry: &Entry, stdout: Stdio) -> Result<Child, String> {
    let (program, arguments) = entry.words();
    let mut command = Command::new(program);
    command
        .args(arguments)
        .stdout(stdout)
        .stderr(Stdio::null())
        .stdin(Stdio::null());
    command.spawn().map_err(describe)
}

/// Bytes to compare, and the processes that write them.
struct Stream {
    children: Vec<Child>,
    bytes: Box<dyn BufRead>,
}

impl Stream {
    fn new(source: impl Read + 'static, children: Vec<Child>) -> Stream {
        Stream {
            children,
            bytes: Box::new(BufReader::with_capacity(1 << 16, source)),
        }
    }

    /// The output of `entry`, piped through the command `through`, if there is one.
    fn start(entry: &Entry, through: Option<&[String]>) -> Result<Stream, String> {
        let mut first = start(entry, Stdio::piped())?;
        let stdout = first.stdout.take().ok_or("no output")?;
        let Some([program, arguments @ ..]) = through else {
            return Ok(Stream::new(stdout, vec![first]));
        };
        let mut command = Command::new(program);
        command
            .args(arguments)
            .stdin(stdout)
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let mut second = command.spawn().map_err(describe)?;
        let stdout = second.stdout.take().ok_or("no output")?;
        Ok(Stream::new(stdout, vec![first, second]))
    }

    fn finish(self) -> Result<(), String> {
        drop(self.bytes);
        for mut child in self.children {
            let status = child.wait().map_err(describe)?;
            if !status.success() {
                return Err(status.to_string());
            }
        }
        Ok(())
    }

    fn stop(mut self) {
        for child in &mut self.children {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// The offset at which two texts differ, ignoring a line end at the end of one.
fn first_difference(one: &mut dyn BufRead, other: &mut dyn BufRead) -> io::Result<Option<u64>> {
    let mut offset = 0;
    loop {
        let (a, b) = (one.fill_buf()?, other.fill_buf()?);
        let common = a.len().min(b.len());
        if common == 0 {
            let same = is_line_end(one)? && is_line_end(other)?;
            return Ok((!same).then_some(offset));
        }
        if let Some(at) = a.iter().zip(b).position(|(a, b)| a != b) {
            return Ok(Some(offset + at as u64));
        }
        one.consume(common);
        other.consume(common);
        offset += common as u64;
    }
}

/// Whether the rest is a line end or empty.
fn is_line_end(rest: &mut dyn BufRead) -> io::Result<bool> {
    let mut bytes = Vec::new();
    rest.take(2).read_to_end(&mut bytes)?;
    Ok(bytes.is_empty() || bytes == b"\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_found_and_line_ends_are_not() {
        let compare =
            |mut one: &[u8], mut other: &[u8]| first_difference(&mut one, &mut other).unwrap();
        assert_eq!(compare(b"", b""), None);
        assert_eq!(compare(b"[1]\n", b"[1]"), None);
        assert_eq!(compare(b"[1]", b"[1]\n"), None);
        assert_eq!(compare(b"[1]\n\n", b"[1]"), Some(3));
        assert_eq!(compare(b"[1", b"[1]"), Some(2));
        assert_eq!(compare(b"[1]", b"[2]"), Some(1));
    }
}
