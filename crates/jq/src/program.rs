//! Programs, compiled once and run for any number of inputs.

use std::rc::Rc;

use crate::env::Env;
use crate::error::{Exception, Result};
use crate::host::{Host, NoHost};
use crate::machine::Machine;
use crate::member_paths::{MemberPath, member_paths};
use crate::parse;
use crate::program_error::ProgramError;
use crate::reads::{Reads, reads, take_elements};
use crate::settings::Settings;
use crate::term::{Compiled, Term};
use crate::value::Value;

/// A compiled program.
#[derive(Debug)]
pub struct Program {
    compiled: Compiled,
}

/// The default stack limit of a program: half the stack of a thread.
const STACK: usize = 1 << 20;

impl Program {
    /// Compiles the text of a program.
    ///
    /// # Errors
    ///
    /// The text is not a program.
    pub fn compile(text: &str, settings: &Settings) -> Result<Program, ProgramError> {
        let compiled = parse::program(text, settings)?;
        Ok(Program { compiled })
    }

    /// Passes the results for an input to a function, which may stop the program with an exception.
    ///
    /// # Errors
    ///
    /// The error of the program, or the exception of the function.
    pub fn run(
        &self,
        input: Value,
        host: &dyn Host,
        emit: &mut dyn FnMut(Value) -> Result,
    ) -> Result {
        self.run_within(input, host, STACK, emit)
    }

    /// Like [`run`](Program::run), with a stack limit in bytes: recursion beyond it is an error.
    ///
    /// # Errors
    ///
    /// As for [`run`](Program::run).
    pub fn run_within(
        &self,
        input: Value,
        host: &dyn Host,
        stack: usize,
        emit: &mut dyn FnMut(Value) -> Result,
    ) -> Result {
        let Some(main) = &self.compiled.main else {
            return Ok(());
        };
        let machine = Machine::new(&self.compiled, host, stack);
        match machine.each(main, &Env::default(), input, emit) {
            Err(Exception::Break(_)) => Err(crate::error::error("break")),
            result => result,
        }
    }

    /// Whether it depends on other inputs than the current one, by `input`, `inputs` or `input_line_number`.
    pub fn reads_inputs(&self) -> bool {
        self.compiled.reads_inputs
    }

    /// Whether it calls `input_line_number`.
    pub fn reads_line_numbers(&self) -> bool {
        self.compiled.reads_line_numbers
    }

    /// Whether it is `.`.
    pub fn is_identity(&self) -> bool {
        let main = self.compiled.main.as_ref();
        main.is_some_and(|main| matches!(main.term, Term::Identity))
    }

    /// The keys of every result of a program that ends with an object of constant keys, in order.
    ///
    /// ```
    /// use jsonx_jq::{Program, Settings};
    ///
    /// let program = Program::compile(".[] | {id, name: .user.name}", &Settings::default())?;
    /// assert_eq!(program.result_keys().unwrap().join(","), "id,name");
    /// assert!(Program::compile(".[]", &Settings::default())?.result_keys().is_none());
    /// # Ok::<(), jsonx_jq::ProgramError>(())
    /// ```
    pub fn result_keys(&self) -> Option<Vec<Rc<str>>> {
        let mut node = self.compiled.main.as_ref()?;
        let members = loop {
            match &node.term {
                Term::Pipe(_, last) | Term::Bind(_, _, last) => node = last,
                Term::Object(members) => break members,
                _ => return None,
            }
        };
        let mut keys: Vec<Rc<str>> = Vec::new();
        for (key, _) in members {
            let Term::Constant(key) = &key.term else {
                return None;
            };
            let key: Rc<str> = key.as_str()?.into();
            if !keys.contains(&key) {
                keys.push(key);
            }
        }
        Some(keys)
    }

    /// For a program that iterates over one array, such as `.rows[].name` or `.[] | select(.ok)`: the keys that lead to the array,
    /// and the program for each element.
    ///
    /// ```
    /// use jsonx_jq::{Program, Settings, Value};
    ///
    /// let program = Program::compile(".rows[].name | length", &Settings::default())?;
    /// let (path, each) = program.per_element().unwrap();
    /// assert_eq!(path.join("."), "rows");
    /// let element = Value::from_json(r#"{"name": "abc"}"#).unwrap();
    /// assert_eq!(each.results(element).unwrap()[0].to_string(), "3");
    /// # Ok::<(), jsonx_jq::ProgramError>(())
    /// ```
    pub fn per_element(&self) -> Option<(Vec<Rc<str>>, Program)> {
        let mut compiled = self.compiled.clone();
        let path = take_elements(compiled.main.as_mut()?)?;
        Some((path, Program { compiled }))
    }

    /// What it reads of an input; `None` if it may read anything. A program behaves the same for an input with only these values, or
    /// null for missing ones, as long as their parents are objects or null, but that [the input](Reads::keeps) may be a result.
    ///
    /// ```
    /// use jsonx_jq::{Program, Settings};
    ///
    /// let program = Program::compile("select(.user.age > 30) | {id, n: .user.name}", &Settings::default())?;
    /// let paths = program.reads().unwrap().paths;
    /// let paths: Vec<String> = paths.iter().map(|keys| keys.join(".")).collect();
    /// assert_eq!(paths, ["user.age", "id", "user.name"]);
    /// # Ok::<(), jsonx_jq::ProgramError>(())
    /// ```
    pub fn reads(&self) -> Option<Reads> {
        reads(&self.compiled)
    }

    /// The paths of the members that it names, except where they may be missing: within `?`, `try`, `//`, branches and updates.
    pub fn member_paths(&self) -> Vec<MemberPath> {
        member_paths(&self.compiled)
    }

    /// The results for an input.
    ///
    /// # Errors
    ///
    /// The error of the program.
    pub fn results(&self, input: Value) -> Result<Vec<Value>> {
        let mut results = Vec::new();
        self.run(input, &NoHost, &mut |value| {
            results.push(value);
            Ok(())
        })?;
        Ok(results)
    }
}
