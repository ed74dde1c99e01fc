//! `jsonx validate`: silence, or everything that is wrong and where.

use std::io;

use super::session::Session;
use crate::files::Files;

/// Checks each file.
pub fn run(session: &mut Session, files: Files<'_>) -> io::Result<()> {
    for found in files {
        let path = match found {
            Ok(path) => path,
            Err(problem) => {
                session.miss(&problem)?;
                continue;
            }
        };
        let Some(mut input) = session.open(&path)? else {
            continue;
        };
        let kind = session.reading().kind_of(&input);
        match session.reading().check(&mut input, kind) {
            Ok(()) => session.valid(&input)?,
            Err(failure) => session.report(&mut input, kind, failure)?,
        }
    }
    Ok(())
}
