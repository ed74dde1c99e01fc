//! Turns lint findings in a valid input into its report.

use std::io;

use jsonx_diagnose::lint;
use jsonx_diagnose::{Code, Lints, Report};

use super::{Diagnoser, FileReport};
use crate::check::{Checks, InputKind};
use crate::exit::Exit;
use crate::input::{Encoding, Input, MAX_EVIDENCE, Name};
use crate::output::has_memory;
use crate::report::{Checked, File};
use crate::schema::InputSchema;

/// Bytes of a file to read for its warnings when memory for all of them is short.
const SCARCE: u64 = 1 << 20;

impl Diagnoser {
    /// The lints of the run.
    pub fn lints(&self) -> Lints {
        self.levels.shown.with(Code::ByteOrderMark, false)
    }

    /// The checks for an input: the lints of the run and a schema, if there are any.
    pub fn checks(&self, schema: Option<InputSchema>) -> Checks {
        Checks::new(self.lints(), schema, self.limit())
    }

    /// Reports on a valid input with these lint findings.
    pub fn valid(&self, input: &mut Input, kind: InputKind, linted: &lint::Findings) -> FileReport {
        let diagnoser = &*self.for_input(input);
        let mark = input.has_byte_order_mark() && self.levels.shown.byte_order_mark;
        if linted.count == 0 && !mark {
            return diagnoser.sound(input.name(), input.length());
        }
        diagnoser
            .linted(input, kind, linted, mark)
            .unwrap_or_else(|error| self.unreadable(input.name(), &error))
    }

    /// Reports on a valid input without findings.
    pub(super) fn sound(&self, name: &Name, length: u64) -> FileReport {
        let checked = Checked::valid(File::new(name.bytes(), b""), Report::default(), length);
        self.file_report(&checked, Exit::Done)
    }

    /// Reports on a valid input with findings.
    pub(super) fn linted(
        &self,
        input: &mut Input,
        kind: InputKind,
        linted: &lint::Findings,
        mark: bool,
    ) -> io::Result<FileReport> {
        let (start, end) = (linted.start(), linted.end());
        let limit = if has_memory(end.min(MAX_EVIDENCE)) {
            MAX_EVIDENCE
        } else {
            SCARCE
        };
        let part = input.passage(start, end, limit)?;
        let name = input.name().clone();
        let mut report = linted.report(&part.text, part.base.offset, kind.framing().into());
        if mark && part.base.offset == 0 {
            report
                .diagnostics
                .insert(0, lint::byte_order_mark(&part.text));
        }
        report.warnings += u64::from(mark);
        report.deny(self.levels.denied);
        let file = File {
            base: part.base,
            cut: part.cut,
            ..File::new(name.bytes(), &part.text)
        };
        let exit = match report.errors {
            0 => Exit::Done,
            _ => Exit::No,
        };
        let checked = Checked::valid(file, report, input.length());
        Ok(FileReport {
            messages: encoding(input),
            ..self.file_report(&checked, exit)
        })
    }
}

/// A note on the positions of findings, if the input is encoded.
pub(super) fn encoding(input: &Input) -> String {
    let encoding = input.encoding();
    let encoding = encoding.filter(|it| *it != Encoding::Sequence);
    encoding.map_or_else(String::new, |encoding| {
        let (name, how) = (input.name(), encoding.name());
        let text = match encoding {
            Encoding::MessagePack(_) => "text that `jsonx fmt -c` prints",
            _ => "decompressed text",
        };
        format!("jsonx: {name}: {how}; lines, columns and offsets refer to the {text}\n")
    })
}

/// A warning about the byte-order mark, if the input has one; the input has been read.
pub fn byte_order_mark(input: &Input) -> Option<String> {
    input.has_byte_order_mark().then(|| {
        let name = input.name();
        format!("jsonx: {name}: warning: starts with a byte-order mark, which is ignored\n")
    })
}
