//! `jsonx validate`: silence, or everything that is wrong and where.

use std::io;
use std::path::PathBuf;

use super::session::Session;

/// Checks each file.
pub fn run(session: &mut Session, files: &[PathBuf]) -> io::Result<()> {
    for path in files {
        let Some(mut input) = session.open(path)? else {
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
