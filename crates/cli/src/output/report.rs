//! A report file: written to a temporary file next to it, which is renamed at the end.
//!
//! Until the rename, the old file is untouched, so if a run notices late that a report would replace one of its inputs,
//! nothing is lost. A target that is not a regular file (`/dev/stderr`, a FIFO) is written directly, as is the file that
//! standard output is redirected to.

use std::fs::{self, File, Metadata};
use std::io::{self, BufWriter, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::temporary::Temporary;
use crate::system::{self, FileId};

/// A report being written to a file. Dropping it before [`ReportFile::finish`] leaves the old file unchanged.
#[derive(Debug)]
pub struct ReportFile {
    writer: BufWriter<File>,
    /// The new file, and the path that it gets.
    replacement: Option<(Temporary, PathBuf)>,
    guard: Option<Guard>,
}

/// Detects the file that a report would replace.
#[derive(Clone, Debug)]
pub struct Guard {
    id: FileId,
    is_input: Arc<AtomicBool>,
    /// The old file is an earlier report, or empty.
    stale: bool,
}

impl Guard {
    /// The identity of the file.
    pub fn id(&self) -> FileId {
        self.id
    }

    /// Whether the old file is an earlier report, which may be overwritten, and is not an input if a walk finds it.
    pub fn is_stale_report(&self) -> bool {
        self.stale
    }

    /// Keeps the report from replacing the file, which was found to be an input.
    pub fn refuse(&self) {
        self.is_input.store(true, Ordering::Relaxed);
    }
}

impl ReportFile {
    /// Begins a report to `path`; `is_report` recognizes an earlier report by its first bytes.
    ///
    /// # Errors
    /// The file cannot be written, or no other can be created in its directory.
    pub fn create(path: &Path, is_report: impl FnOnce(&[u8]) -> bool) -> io::Result<ReportFile> {
        let old = match fs::metadata(path) {
            Ok(_) if system::is_stdout(path) => {
                return Ok(ReportFile::new(system::stdout()?, None, None));
            }
            Ok(metadata) if metadata.is_file() => Some(metadata),
            Ok(_) => {
                let file = File::options().write(true).open(path)?;
                return Ok(ReportFile::new(file, None, None));
            }
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        // A dangling link is followed, as by any program that creates its output.
        if old.is_none() && fs::symlink_metadata(path).is_ok() {
            return Ok(ReportFile::new(File::create(path)?, None, None));
        }
        let (place, guard) = match &old {
            Some(metadata) => {
                system::check_writable(path, metadata)?;
                let mut head = Vec::new();
                File::open(path)?.take(HEAD).read_to_end(&mut head)?;
                let guard = system::file_id(path)?.map(|id| Guard {
                    id,
                    is_input: Arc::default(),
                    stale: head.is_empty() || is_report(&head),
                });
                (path.canonicalize()?, guard)
            }
            None => (path.to_owned(), None),
        };
        let directory = match place.parent() {
            Some(parent) if parent != Path::new("") => parent,
            _ => Path::new("."),
        };
        let temporary = Temporary::readable_within(directory)?;
        if let Some(metadata) = &old {
            keep_metadata(path, metadata, temporary.file())?;
        }
        let file = temporary.file().try_clone()?;
        Ok(ReportFile::new(file, Some((temporary, place)), guard))
    }

    fn new(
        file: File,
        replacement: Option<(Temporary, PathBuf)>,
        guard: Option<Guard>,
    ) -> ReportFile {
        ReportFile {
            writer: BufWriter::new(file),
            replacement,
            guard,
        }
    }

    /// Appends to the report.
    ///
    /// # Errors
    /// Errors of the system.
    pub fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.writer.write_all(bytes)
    }

    /// The identity of the file that this report would replace; `None` if it replaces none.
    pub fn guard(&self) -> Option<&Guard> {
        self.guard.as_ref()
    }

    /// Moves the report to its path.
    ///
    /// # Errors
    /// Errors of the system; `InvalidInput` if the file turned out to be an input, which stays unchanged.
    pub fn finish(mut self) -> io::Result<()> {
        let is_input = |guard: &Guard| guard.is_input.load(Ordering::Relaxed);
        if self.guard.as_ref().is_some_and(is_input) {
            return Err(io::Error::new(
                ErrorKind::InvalidInput,
                "report not written: this file is one of the inputs",
            ));
        }
        self.writer.flush()?;
        match self.replacement {
            Some((temporary, place)) => temporary.rename(&place),
            None => Ok(()),
        }
    }
}

/// Number of bytes of an old file that show whether it is a report.
const HEAD: u64 = 256;

/// Gives the new file the owner and the mode of the old one, or at least the mode.
fn keep_metadata(path: &Path, metadata: &Metadata, new: &File) -> io::Result<()> {
    let kept = File::open(path).is_ok_and(|old| system::copy_metadata(&old, metadata, new).is_ok());
    if kept {
        Ok(())
    } else {
        new.set_permissions(metadata.permissions())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(path: &Path, text: &str) -> ReportFile {
        let mut report = ReportFile::create(path, |head| head.starts_with(b"report")).unwrap();
        report.write_all(text.as_bytes()).unwrap();
        report
    }

    #[test]
    fn the_old_file_is_there_until_the_new_one_is_complete() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("r.json");
        report(&path, "report 1").finish().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"report 1");

        let second = report(&path, "report 2");
        assert_eq!(fs::read(&path).unwrap(), b"report 1");
        assert!(second.guard().unwrap().is_stale_report());
        second.finish().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"report 2");

        drop(report(&path, "report 3"));
        assert_eq!(fs::read(&path).unwrap(), b"report 2");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn an_input_is_not_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("in.json");
        fs::write(&path, "[1]").unwrap();
        let report = report(&path, "report");
        let guard = report.guard().unwrap().clone();
        assert!(!guard.is_stale_report());
        assert_eq!(system::file_id(&path).unwrap(), Some(guard.id()));
        guard.refuse();
        assert_eq!(report.finish().unwrap_err().kind(), ErrorKind::InvalidInput);
        assert_eq!(fs::read(&path).unwrap(), b"[1]");
    }

    #[cfg(unix)]
    #[test]
    fn links_modes_and_devices_stay() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let (path, link) = (folder.path().join("r.json"), folder.path().join("link"));
        fs::write(&path, "old").unwrap();
        fs::set_permissions(&path, PermissionsExt::from_mode(0o640)).unwrap();
        symlink("r.json", &link).unwrap();
        report(&link, "new").finish().unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&path).unwrap(), b"new");
        let mode = fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o640);
        report(Path::new("/dev/null"), "new").finish().unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
        // Like a file created by any program.
        let (ours, plain) = (folder.path().join("ours"), folder.path().join("plain"));
        report(&ours, "new").finish().unwrap();
        fs::write(&plain, "").unwrap();
        assert_eq!(
            fs::metadata(ours).unwrap().permissions().mode(),
            fs::metadata(plain).unwrap().permissions().mode()
        );
        let dangling = folder.path().join("dangling");
        symlink("later", &dangling).unwrap();
        report(&dangling, "new").finish().unwrap();
        assert_eq!(fs::read(folder.path().join("later")).unwrap(), b"new");
    }
}
