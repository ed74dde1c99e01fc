//! Temporary files that do not outlive the process, even if a signal ends it.
//!
//! Who makes, renames or removes one holds the lock of the list of those that exist, and so does the thread that waits
//! for signals, from the moment one has come until the process has ended: no file is made that it does not know of.
//! The thread is started with the first temporary file, so a run that rewrites nothing pays nothing.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::{Builder, NamedTempFile};

use crate::system;

/// The temporary files that exist.
#[derive(Debug)]
pub struct Pending {
    paths: Vec<PathBuf>,
    /// Signals are waited for.
    watched: bool,
}

static PENDING: Mutex<Pending> = Mutex::new(Pending {
    paths: Vec::new(),
    watched: false,
});

/// The list. A thread that has panicked with it in hand has left it as it was.
fn pending() -> MutexGuard<'static, Pending> {
    PENDING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes all of them. The list stays locked for as long as the caller keeps what it gets.
fn remove_all() -> MutexGuard<'static, Pending> {
    let pending = pending();
    for path in &pending.paths {
        // It may have been renamed already, and there is nobody left to tell.
        let _ = std::fs::remove_file(path);
    }
    pending
}

/// A temporary file, to be renamed; it goes when it is dropped.
#[derive(Debug)]
pub struct Temporary(Option<NamedTempFile<File>>);

impl Temporary {
    /// A new, empty file in `directory`, which only its owner may read.
    ///
    /// # Errors
    /// Those of the system.
    pub fn within(directory: &Path) -> io::Result<Temporary> {
        Temporary::new(directory, system::create_private)
    }

    fn new(directory: &Path, create: fn(&Path) -> io::Result<File>) -> io::Result<Temporary> {
        let mut pending = pending();
        if !pending.watched {
            system::on_termination(remove_all)?;
            pending.watched = true;
        }
        let file = Builder::new()
            .prefix(".jsonx-")
            .suffix(".tmp")
            .make_in(directory, create)?;
        pending.paths.push(file.path().to_owned());
        Ok(Temporary(Some(file)))
    }

    /// A new, empty file in `directory`, with the mode that files have which a program creates.
    ///
    /// # Errors
    /// Those of the system.
    pub fn readable_within(directory: &Path) -> io::Result<Temporary> {
        Temporary::new(directory, system::create)
    }

    /// The file.
    pub fn file(&self) -> &File {
        self.0.as_ref().expect("until it is renamed").as_file()
    }

    /// Gives it another name, in place of what had that name.
    ///
    /// # Errors
    /// Those of the system; the file is gone then.
    pub fn rename(mut self, to: &Path) -> io::Result<()> {
        let mut pending = pending();
        let Some(file) = self.0.take() else {
            return Ok(());
        };
        forget(&mut pending, file.path());
        file.persist(to).map(drop).map_err(|error| error.error)
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if let Some(file) = self.0.take() {
            let mut pending = pending();
            forget(&mut pending, file.path());
            drop(file);
        }
    }
}

fn forget(pending: &mut Pending, path: &Path) {
    pending.paths.retain(|known| known != path);
}
