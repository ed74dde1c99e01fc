//! simdjson (C++): a process of its own that is kept alive and asked, over a pipe, for one round at a
//! time. It times its checks itself, so the pipe does not count, and its rounds lie between those of the
//! others.

use super::{Contender, Side};
use crate::input::Input;
use std::io::{self, BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

pub struct Simdjson {
    child: Child,
    questions: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
    implementation: String,
}

/// Where `benches/simdjson/build.sh` puts the program: beside the profiles in the target folder.
fn program() -> Option<PathBuf> {
    if let Some(path) = std::env::var_os("SIMDJSON_BENCH") {
        return Some(path.into());
    }
    let exe = std::env::current_exe().ok()?;
    exe.ancestors()
        .map(|folder| folder.join("simdjson-bench"))
        .find(|path| path.is_file())
}

impl Simdjson {
    pub fn start() -> Result<Simdjson, String> {
        let path = program()
            .ok_or("no simdjson-bench in the target folder; benches/simdjson/build.sh makes it")?;
        let describe = |error: io::Error| format!("{}: {error}", path.display());
        let mut child = Command::new(&path)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(describe)?;
        let questions = child.stdin.take();
        let answers = BufReader::new(child.stdout.take().expect("stdout was asked for"));
        let mut simdjson = Simdjson {
            child,
            questions,
            answers,
            implementation: String::new(),
        };
        simdjson.implementation = simdjson.ask(b"name\n", b"").map_err(describe)?;
        Ok(simdjson)
    }

    fn ask(&mut self, question: &[u8], data: &[u8]) -> io::Result<String> {
        let questions = self.questions.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
        questions.write_all(question)?;
        questions.write_all(data)?;
        questions.flush()?;
        let mut answer = String::new();
        if self.answers.read_line(&mut answer)? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(answer.trim().to_owned())
    }

    fn number(&mut self, question: &str) -> i64 {
        let answer = self
            .ask(question.as_bytes(), b"")
            .expect("simdjson-bench answers");
        answer
            .parse()
            .unwrap_or_else(|_| panic!("simdjson-bench said {answer:?} to {question:?}"))
    }
}

impl Contender for Simdjson {
    fn name(&self) -> String {
        format!("simdjson {}", self.implementation)
    }

    fn side(&self) -> Side {
        Side::Cpp
    }

    fn load(&mut self, input: &Input) {
        let kind = if input.lines { "lines" } else { "document" };
        let question = format!("load {kind} {}\n", input.bytes.len());
        let answer = self
            .ask(question.as_bytes(), &input.bytes)
            .expect("simdjson-bench answers");
        assert_eq!(answer, "loaded");
    }

    fn check(&mut self, _input: &Input) -> bool {
        self.number("check\n") >= 0
    }

    fn time(&mut self, _input: &Input, iterations: u32) -> Duration {
        let nanoseconds = self.number(&format!("time {iterations}\n"));
        Duration::from_nanos(nanoseconds.try_into().expect("a time is not negative"))
    }
}

impl Drop for Simdjson {
    /// The program ends when its questions do.
    fn drop(&mut self) {
        self.questions = None;
        let _ = self.child.wait();
    }
}
