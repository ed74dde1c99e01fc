//! `jsonx validate`: silence, or what is wrong and where.

use std::io;
use std::path::PathBuf;

use super::session::Session;

/// Checks each file.
pub fn run(session: &mut Session, files: &[PathBuf]) -> io::Result<()> {
    for path in files {
        let Some(mut input) = session.open(path) else {
            continue;
        };
        let kind = session.kind_of(&input);
        let checked = session.check(&mut input, kind);
        session.warn_of_byte_order_mark(&input);
        if let Err(failure) = checked {
            session.report(&mut input, failure)?;
        }
    }
    Ok(())
}
