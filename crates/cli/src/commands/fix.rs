//! `jsonx fix`: repairs broken JSON.

use std::io;

use jsonx_diagnose::Applicability;

use super::{Command, Plan, UsageError};
use crate::args::{Common, Fix, Global};
use crate::changes::{self, Action};
use crate::files::Files;
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
        let with = if self.all {
            Applicability::Review
        } else {
            Applicability::Safe
        };
        let action = self.changes.action();
        session.expect_documents();
        let repairing = Repairing {
            options: session.check_options(),
            with,
            partial: self.partial,
            is_in_place: action != Action::Print,
            keeps_comments: !self.all && action != Action::Print,
            max_listed: self.common.max_errors,
            lists_all: session.is_verbose(),
            pending: Default::default(),
        };
        changes::run(session, repairing, action, &self.selection, files)
    }
}
