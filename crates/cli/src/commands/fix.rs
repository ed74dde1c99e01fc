//! `jsonx fix`: repairs broken JSON.

use std::io;
use std::path::Path;

use jsonx_core::diagnose::Applicability;
use jsonx_core::format::WriteTo;

use super::{Command, Plan, UsageError};
use crate::args::{Common, Fix, Global};
use crate::check::Failure;
use crate::diagnostics::FileReport;
use crate::edit_in_place::{self, Transform};
use crate::files::Files;
use crate::output::TerminalOutput;
use crate::repair::Repairing;
use crate::session::Session;

impl Command for Fix {
    const NAME: &'static str = "fix";
    type Work<'a> = Files<'a>;

    fn common(&self) -> &Common {
        &self.common
    }

    fn plan(&self, _: &Global) -> Result<Plan<Files<'_>>, UsageError> {
        Plan::of_files(&self.selection, self.changes.usage_error(&self.selection))
    }

    fn run(&self, files: Files<'_>, session: &mut Session) -> io::Result<()> {
        let with = match self.all {
            true => Applicability::Review,
            false => Applicability::Safe,
        };
        let repairing = Repairing {
            options: session.check_options(),
            with,
            partial: self.partial,
            keeps_comments: !self.all && self.changes.action().is_some(),
            max_listed: self.common.max_errors,
            lists_all: session.is_verbose(),
            pending: Default::default(),
        };
        let action = self.changes.action();
        edit_in_place::run_or_print(session, repairing, action, &self.selection, files, print)
    }
}

/// Repairs one input to standard output, and reports assumptions and remaining errors.
fn print(session: &mut Session, repairing: &Repairing, path: &Path) -> io::Result<()> {
    let Some(mut input) = session.open(path)? else {
        return Ok(());
    };
    let repairing = &repairing.with_options(session.file_options());
    let kind = repairing.options.kind_of(&input);
    let kind = repairing.options.by_header(&mut input, kind);
    let mut notes = Default::default();
    let prepared = repairing.prepare(&mut input, kind, &mut notes);
    if let Err(failure) = prepared {
        return session.report_failure(&mut input, kind, failure);
    }
    let report = FileReport::default();
    let report = repairing.add_notes(report, input.name(), &notes, &session.diagnoser());
    if notes.is_usable(repairing.partial) {
        let mut out = TerminalOutput::plain(&mut session.out);
        let written =
            repairing.write_result(&notes, &mut input, &mut *out, &mut WriteTo(io::sink()));
        drop(out);
        match written {
            Ok(()) => session.out.flush()?,
            Err(Failure::Write(error)) => return Err(error),
            Err(failure) => return session.report_failure(&mut input, kind, failure),
        }
    }
    session.print_report(report)
}
