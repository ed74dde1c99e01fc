//! A job, and the command of each program for it.

use std::process::{Command, Stdio};

/// A job, and the programs that can do it.
pub struct Job {
    pub name: &'static str,
    /// A note for readers of the table.
    pub remark: &'static str,
    /// The size of the input in bytes; 0 if a rate would be meaningless.
    pub bytes: u64,
    /// jsonx comes first; the ratios are relative to it.
    pub entries: Vec<Entry>,
    /// The number of runs of a command within a round: more than one for very short commands.
    pub repeats: u32,
}

/// A program for a job.
pub struct Entry {
    pub tool: &'static str,
    /// The program and its arguments.
    pub command: Vec<String>,
    /// The file that a `cat` sends to it through a pipe, if any.
    pub piped: Option<String>,
    pub expect: Expect,
}

/// The expected result of a command.
#[derive(Clone, Debug)]
pub enum Expect {
    /// This exit code; the output is ignored.
    Exit(i32),
    /// Success, and this output, ignoring leading and trailing white space.
    Output(String),
    /// Success, and the output piped through the command `through` equals `file`.
    File { file: String, through: Vec<String> },
    /// Success, and the same output as the job's first entry, both piped through the command `through`, if
    /// there is one.
    SameAsFirst { through: Option<Vec<String>> },
}

impl Entry {
    pub fn new(tool: &'static str, command: &[&str], expect: Expect) -> Entry {
        let command = command.iter().map(|&word| word.to_owned()).collect();
        Entry {
            tool,
            command,
            piped: None,
            expect,
        }
    }

    pub fn fed_from(mut self, file: &str) -> Entry {
        self.piped = Some(file.to_owned());
        self
    }

    /// The program to start and its arguments; a shell if a pipe is needed.
    pub fn words(&self) -> (String, Vec<String>) {
        match &self.piped {
            Some(_) => ("sh".to_owned(), vec!["-c".to_owned(), self.shell_line("")]),
            None => (self.command[0].clone(), self.command[1..].to_vec()),
        }
    }

    /// The command as one line for hyperfine, which splits it like a shell but starts none.
    pub fn line(&self) -> String {
        let (program, arguments) = self.words();
        let words: Vec<String> = std::iter::once(&program)
            .chain(&arguments)
            .map(|word| quoted(word))
            .collect();
        words.join(" ")
    }

    /// The command for a shell, with `prefix` before the program itself.
    pub fn shell_line(&self, prefix: &str) -> String {
        let words: Vec<String> = self.command.iter().map(|word| quoted(word)).collect();
        let command = format!("{prefix}{}", words.join(" "));
        match &self.piped {
            Some(file) => format!("cat {} | {command}", quoted(file)),
            None => command,
        }
    }
}

/// `word` in single quotes, for a shell.
pub fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// Whether `program` can be started.
pub fn is_installed(program: &str) -> bool {
    let mut command = Command::new("sh");
    command.args(["-c", &format!("command -v {}", quoted(program))]);
    command
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}
