//! `--print-references`.

use std::collections::HashSet;
use std::io::{self, Write};

use super::report_without;
use crate::args::{References, Validate};
use crate::config::FileSchemas;
use crate::diagnostics::MissingSchemas;
use crate::exit::Exit;
use crate::files::Files;
use crate::input::Name;
use crate::messages;
use crate::session::Session;

/// The options of curl for all transfers.
const CURL: &str = "fail\nlocation\nsilent\nshow-error\ncreate-dirs\ngloboff\n";

/// Prints where the references lead from the schemas of these files.
pub fn print(
    session: &mut Session,
    args: &Validate,
    files: Files<'_>,
    schemas: &FileSchemas,
    form: References,
) -> io::Result<()> {
    let (mut seen, mut is_first, mut lacks_directory) = (HashSet::new(), true, false);
    let mut missing = MissingSchemas::default();
    let files: Box<dyn Iterator<Item = _>> = if args.needs_no_file() {
        Box::new([Ok("-".into())].into_iter())
    } else {
        Box::new(session.select(files, true))
    };
    for found in files {
        let path = match found {
            Ok(path) => path,
            Err(problem) => {
                session.report_problem(&problem)?;
                continue;
            }
        };
        let name = Name::new(&path);
        let file = match session.options().for_file(&name) {
            Ok(file) => file,
            Err(config) => {
                session.report_config(&name, &config)?;
                continue;
            }
        };
        let referenced = match schemas.references(&name, &file) {
            Ok(referenced) => referenced,
            Err(unusable) => {
                report_without(session, &name, &file, &unusable, &mut missing)?;
                continue;
            }
        };
        for referenced in referenced {
            if !seen.insert(referenced.uri.clone()) {
                continue;
            }
            if referenced.is_dead() {
                session.note(Exit::No);
            }
            let text = match (form, referenced.curl()) {
                (References::List, _) => referenced.line(),
                (References::Curl, Some(curl)) => {
                    if std::mem::take(&mut is_first) {
                        CURL.to_owned() + &curl
                    } else {
                        curl
                    }
                }
                (References::Curl, None) => {
                    lacks_directory |= referenced.lacks_directory();
                    if referenced.is_dead() {
                        let line = referenced.line();
                        messages::line(&format!("jsonx: curl cannot save it: {}", line.trim_end()));
                    }
                    continue;
                }
            };
            session.out.write_all(text.as_bytes())?;
        }
    }
    if lacks_directory {
        messages::line("jsonx: --schema-dir DIR names the directory in which to save the schemas");
    }
    Ok(())
}
