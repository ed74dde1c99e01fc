//! Temporary files that do not outlive the process, even if a signal ends it.
//!
//! A list of them is locked while one is created, renamed or removed. The thread that waits for signals takes the lock when a
//! signal arrives and holds it until the process ends, so no file is created without its knowledge. It is started with the
//! first temporary file, so runs that rewrite nothing do not pay for it.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tempfile::{Builder, NamedTempFile};

use crate::system;

/// The temporary files that exist.
#[derive(Debug)]
pub struct Pending {
    paths: Vec<PathBuf>,
    /// The thread that waits for signals is running.
    watched: bool,
}

static PENDING: Mutex<Pending> = Mutex::new(Pending {
    paths: Vec::new(),
    watched: false,
});

/// Locks the list. A panic while it was locked has left it intact.
fn pending() -> MutexGuard<'static, Pending> {
    PENDING.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Pending {
    fn remove(&self) {
        for path in &self.paths {
            // It may have been renamed already, and the process is ending.
            let _ = std::fs::remove_file(path);
        }
    }
}

/// Removes all of them. The list stays locked until the guard is dropped.
fn remove_all() -> MutexGuard<'static, Pending> {
    let pending = pending();
    pending.remove();
    pending
}

/// Removes all of them before the process ends, and permits no more; unless the list stays locked: this thread may hold it.
pub fn remove_all_at_once() {
    for _ in 0..10 {
        match PENDING.try_lock() {
            Ok(pending) => {
                pending.remove();
                return std::mem::forget(pending);
            }
            Err(_) => std::thread::sleep(Duration::from_millis(10)),
        }
    }
}

/// Until this is dropped, signals do not end the process, and no temporary file is created or removed.
pub fn delay_termination() -> MutexGuard<'static, Pending> {
    pending()
}

/// A temporary file. It is removed on drop unless it was renamed.
#[derive(Debug)]
pub struct Temporary(Option<NamedTempFile<File>>);

impl Temporary {
    /// Creates an empty file in `directory` that only its owner may read.
    ///
    /// # Errors
    /// Errors of the system.
    pub fn within(directory: &Path) -> io::Result<Temporary> {
        Temporary::new(directory, system::create_private)
    }

    /// The same, in the folder for temporary files if `directory` does not permit it.
    ///
    /// # Errors
    /// Errors of the system.
    pub fn near(directory: &Path) -> io::Result<Temporary> {
        Temporary::within(directory).or_else(|_| Temporary::within(&std::env::temp_dir()))
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

    /// Creates an empty file in `directory` with the default mode.
    ///
    /// # Errors
    /// Errors of the system.
    pub fn readable_within(directory: &Path) -> io::Result<Temporary> {
        Temporary::new(directory, system::create)
    }

    /// The file.
    pub fn file(&self) -> &File {
        self.0.as_ref().expect("until it is renamed").as_file()
    }

    /// Leaves it where it is, and returns its path.
    pub fn keep(mut self) -> PathBuf {
        let mut pending = pending();
        let file = self.0.take().expect("until it is renamed");
        let path = file.path().to_owned();
        forget(&mut pending, &path);
        // It stays even if this fails, until the system removes it.
        let _ = file.keep();
        path
    }

    /// Renames it, replacing any file with this name.
    ///
    /// # Errors
    /// Errors of the system; the file is then removed.
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
