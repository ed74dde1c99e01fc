//! Opens inputs, each with the options from its config.

use std::io;
use std::path::Path;

use jsonx_schema::Unusable;

use super::Session;
use crate::check;
use crate::config::Config;
use crate::exit::Exit;
use crate::files::layout::Unknown;
use crate::input::{Input, Name};
use crate::messages;
use crate::schema::name_of;

impl Session {
    /// Opens an input; if that fails, reports why and returns `None`.
    ///
    /// # Errors
    /// Standard output cannot be written, which ends the run.
    pub fn open(&mut self, path: &Path) -> io::Result<Option<Input>> {
        self.open_as(path, Name::new(path))
    }

    /// Opens an input under the name of another file.
    ///
    /// # Errors
    /// Standard output cannot be written, which ends the run.
    pub fn open_as(&mut self, path: &Path, name: Name) -> io::Result<Option<Input>> {
        if !self.configure(&name)? {
            return Ok(None);
        }
        let opened = check::open(path).and_then(|mut input| {
            if let Some(path) = name.path() {
                input.set_name(path);
            }
            self.file.check.translated(input)
        });
        self.opened(path, opened)
    }

    /// Opens an input whose bytes are not JSON.
    ///
    /// # Errors
    /// Standard output cannot be written, which ends the run.
    #[cfg(feature = "jq")]
    pub fn open_raw(&mut self, path: &Path) -> io::Result<Option<Input>> {
        self.opened(path, check::open_raw(path))
    }

    /// Reports why an input cannot be opened.
    fn opened(&mut self, path: &Path, opened: io::Result<Input>) -> io::Result<Option<Input>> {
        match opened {
            Ok(input) => Ok(Some(input)),
            Err(error) => {
                let report = self.file.diagnoser.unreadable(&Name::new(path), &error);
                self.print_report(report).map(|()| None)
            }
        }
    }

    /// Sets the options for an input. Returns whether its config can be used, and reports the reason if not.
    ///
    /// # Errors
    /// Standard output cannot be written, which ends the run.
    fn configure(&mut self, name: &Name) -> io::Result<bool> {
        match self.options.for_file(name) {
            Ok(file) => {
                self.file = file;
                if self.is_verbose()
                    && let Some(note) = self.file.note(name)
                {
                    messages::line(&note);
                }
                Ok(true)
            }
            Err(config) => self.report_config(name, &config).map(|()| false),
        }
    }

    /// Reports an input whose config cannot be used, and the config, unless it was reported before.
    ///
    /// # Errors
    /// Standard output cannot be written, which ends the run.
    pub fn report_config(&mut self, name: &Name, config: &Config) -> io::Result<()> {
        match config.mistakes() {
            Some(mistakes) => self.report_mistakes(name, mistakes),
            None => Ok(()),
        }
    }

    /// Reports an input whose config cannot be used because of these mistakes, and the mistakes, unless they were reported
    /// before.
    ///
    /// # Errors
    /// Standard output cannot be written, which ends the run.
    pub fn report_mistakes(&mut self, name: &Name, mistakes: &Unusable) -> io::Result<()> {
        let diagnoser = self.options.diagnoser.clone();
        let config = name_of(mistakes);
        let is_new = self.reported.insert(config.clone());
        if is_new {
            let report = diagnoser.unusable_config(mistakes);
            self.print_report(report)?;
        }
        if config == name.bytes() {
            return Ok(());
        }
        self.print_report(diagnoser.without_config(name, &config, mistakes, is_new))
    }

    /// Reports a setting of a formatter that is not understood, unless it was reported before: a failure if its files are
    /// `left_alone`.
    ///
    /// # Errors
    /// Standard output cannot be written, which ends the run.
    pub fn report_unknown(&mut self, unknown: &Unknown, left_alone: bool) -> io::Result<()> {
        let Unknown { place, reason, .. } = unknown;
        let is_new = self
            .reported
            .insert(format!("{place}: {reason}").into_bytes());
        if unknown.is_of_biome {
            if is_new && left_alone {
                messages::line(&format!("jsonx: {place}: {reason}"));
            }
            return Ok(());
        }
        if !left_alone {
            if is_new {
                messages::line(&format!(
                    "jsonx: {place}: warning: {reason}, so this layout is a guess"
                ));
            }
            return Ok(());
        }
        self.note(Exit::Failure);
        if !is_new {
            return Ok(());
        }
        let reason = format!(
            "{reason}, so its files are not formatted; set a style with --style, or with `style` in jsonx.json"
        );
        let place = Name::new(Path::new(place));
        let report = self.options.diagnoser.not_processed(&place, &reason);
        self.print_report(report)
    }
}
