//! Atomic replacement of a file.
//!
//! ```text
//! Target::of            refuses anything but a regular file
//!   (the caller reads and checks the file, and stops here if nothing changes)
//! Target::replacement   refuses a read-only file; resolves links; a temporary file in the directory of the file itself, O_EXCL, 0600
//! Replacement::write    the new text
//! Replacement::commit   owner, mode, extended attributes; fsync; is the file still the one that was read?
//!                       rename; fsync of the directory
//! ```
//!
//! Until the rename, the old file is untouched; after it, the path names the new file. Both are complete. The temporary file is
//! removed after any failure and any signal that ends the process (see [`super::temporary`]). Only SIGKILL or a power failure
//! leaves one behind, named `.jsonx-??????.tmp`.
//!
//! With `--in-place`, [`Replacement::commit`] copies the new text into the file itself instead, for a bind mount, or a folder or an
//! owner that permits no replacement. A copy of the old text restores it after an error, and remains after SIGKILL.
//!
//! The new file has a new inode. A symbolic link still points to it; other hard links of the old file keep the old text,
//! as with `sed -i`, because a file with several names cannot be replaced under all of them at once.

use std::borrow::Cow;
use std::fs::{self, File, Metadata};
use std::io::{self, ErrorKind, Seek, Write};
use std::path::{Path, PathBuf};
use std::{error, fmt};

use super::reason;
use super::temporary::{self, Temporary};
use crate::report::escape;
use crate::system::{self, Identity};

/// Why a file was not replaced.
#[derive(Debug)]
pub struct ReplaceError(Cow<'static, str>);

impl ReplaceError {
    /// Standard input cannot be replaced.
    pub const STDIN: ReplaceError =
        ReplaceError::because("not rewritten: standard input is not a file");

    /// Compressed files are only read.
    pub const COMPRESSED: ReplaceError =
        ReplaceError::because("not rewritten: a compressed file; decompress it first");

    /// The text that was read is not the text of the file.
    pub const SEQUENCE: ReplaceError =
        ReplaceError::because("not rewritten: a JSON text sequence (RFC 7464)");

    /// The text that was read is not the text of the file.
    pub const MESSAGEPACK: ReplaceError = ReplaceError::because(
        "not rewritten or compared: MessagePack is read as JSON; `… | jsonx fmt --to msgpack > NEW` writes a file",
    );

    /// The file is not the one that was read.
    pub const CHANGED: ReplaceError =
        ReplaceError::because("not rewritten: file was modified by another process");

    const fn because(what: &'static str) -> ReplaceError {
        ReplaceError(Cow::Borrowed(what))
    }

    /// The new contents could not be written.
    pub fn unwritten(error: io::Error) -> ReplaceError {
        ReplaceError::at(UNWRITTEN)(error)
    }

    /// For `map_err`: adds the failed action to an error of the system, and the option that writes a file that cannot be replaced.
    fn at(what: &'static str) -> impl FnOnce(io::Error) -> ReplaceError {
        use ErrorKind::{CrossesDevices, PermissionDenied, ReadOnlyFilesystem, ResourceBusy};
        move |error| {
            let is_of_replacing = ![UNWRITTEN, UNWRITTEN_IN_PLACE].contains(&what);
            let way_out = match error.kind() {
                CrossesDevices | PermissionDenied | ReadOnlyFilesystem | ResourceBusy
                    if is_of_replacing =>
                {
                    "; --in-place writes the file itself"
                }
                _ => "",
            };
            ReplaceError(format!("{what}: {}{way_out}", reason(&error)).into())
        }
    }
}

impl fmt::Display for ReplaceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl error::Error for ReplaceError {}

const UNWRITTEN: &str = "not rewritten";
const UNWRITTEN_IN_PLACE: &str = "not rewritten in place";

/// A file to replace, identified before it is read.
#[derive(Debug)]
pub struct FileToReplace {
    path: PathBuf,
    identity: Identity,
    /// The file itself is to be written.
    in_place: bool,
}

impl FileToReplace {
    /// Checks the path before the file is opened: opening a FIFO waits for a writer.
    ///
    /// # Errors
    /// It is not a regular file.
    pub fn new(path: &Path, in_place: bool) -> Result<FileToReplace, ReplaceError> {
        let metadata = fs::metadata(path);
        let metadata = metadata.map_err(|error| ReplaceError(reason(&error).into()))?;
        if !metadata.is_file() {
            return Err(ReplaceError::because("not rewritten: not a regular file"));
        }
        Ok(FileToReplace {
            path: path.to_owned(),
            identity: Identity::new(&metadata),
            in_place,
        })
    }

    /// Begins to replace the file that was read from `original`.
    ///
    /// # Errors
    /// The path names another file, the file is read-only, or no temporary file can be created in its directory.
    pub fn replacement(self, original: &File) -> Result<Replacement, ReplaceError> {
        let metadata = original.metadata().map_err(ReplaceError::at(UNWRITTEN))?;
        if Identity::new(&metadata) != self.identity {
            return Err(ReplaceError::CHANGED);
        }
        system::check_writable(&self.path, &metadata)
            .map_err(|_| ReplaceError::because("not rewritten: read-only file"))?;
        let path = fs::canonicalize(&self.path).map_err(ReplaceError::at(UNWRITTEN))?;
        let directory = path
            .parent()
            .ok_or(ReplaceError::because("not rewritten: it has no directory"))?
            .to_owned();
        let temporary = if self.in_place {
            Temporary::near(&directory)
        } else {
            Temporary::within(&directory)
        };
        let temporary = temporary.map_err(ReplaceError::at(
            "not rewritten: cannot create a temporary file next to it",
        ))?;
        Ok(Replacement {
            path,
            directory,
            identity: self.identity,
            original: original.try_clone().map_err(ReplaceError::at(UNWRITTEN))?,
            metadata,
            temporary,
            in_place: self.in_place,
        })
    }
}

/// The new contents of a file, being written. Dropping it before [`Replacement::commit`] leaves nothing behind.
#[derive(Debug)]
pub struct Replacement {
    /// Without links.
    path: PathBuf,
    directory: PathBuf,
    identity: Identity,
    /// The old file and its metadata.
    original: File,
    metadata: Metadata,
    temporary: Temporary,
    in_place: bool,
}

impl jsonx_core::format::Output for Replacement {
    type Error = io::Error;

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.temporary.file().write_all(bytes)
    }
}

impl Replacement {
    /// Replaces the old file.
    ///
    /// # Errors
    /// Errors of the system; the file was modified since it was read. If only the sync of the directory fails, the file
    /// was replaced all the same, and the message says so.
    pub fn commit(self) -> Result<(), ReplaceError> {
        if self.in_place {
            return self.overwrite();
        }
        let file = self.temporary.file();
        system::copy_metadata(&self.original, &self.metadata, file)
            .map_err(|(what, error)| ReplaceError::at(what)(error))?;
        // Windows cannot replace an open file.
        drop(self.original);
        file.sync_all()
            .map_err(ReplaceError::at("not rewritten: cannot sync the new file"))?;
        let now = fs::symlink_metadata(&self.path).map_err(ReplaceError::at(UNWRITTEN))?;
        if Identity::new(&now) != self.identity {
            return Err(ReplaceError::CHANGED);
        }
        self.temporary.rename(&self.path).map_err(ReplaceError::at(
            "not rewritten: cannot rename the new file",
        ))?;
        system::sync_directory(&self.directory).map_err(ReplaceError::at(
            "rewritten, but may be lost in a crash: cannot sync its directory",
        ))
    }

    /// Copies the new text into the file, and the old text back if that fails.
    fn overwrite(self) -> Result<(), ReplaceError> {
        let failed = || ReplaceError::at(UNWRITTEN_IN_PLACE);
        let file = File::options().read(true).write(true).open(&self.path);
        let file = file.map_err(failed())?;
        let metadata = file.metadata().map_err(failed())?;
        if Identity::new(&metadata) != self.identity {
            return Err(ReplaceError::CHANGED);
        }
        let old = Temporary::near(&self.directory).map_err(failed())?;
        copy(&file, old.file()).map_err(failed())?;
        let writing = temporary::delay_termination();
        let Err(error) = copy(self.temporary.file(), &file) else {
            return Ok(());
        };
        if copy(old.file(), &file).is_ok() {
            return Err(failed()(error));
        }
        drop(writing);
        let path = old.keep();
        let path = escape(path.as_os_str().as_encoded_bytes());
        let text = format!("{}; the old text is in {path}", reason(&error));
        Err(ReplaceError::at("rewritten only in part")(
            io::Error::other(text),
        ))
    }
}

/// Replaces the contents of a file by those of another one.
fn copy(mut from: &File, mut to: &File) -> io::Result<()> {
    from.rewind()?;
    to.rewind()?;
    let length = io::copy(&mut from, &mut to)?;
    to.set_len(length)?;
    to.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;
    use jsonx_core::format::Output;
    use std::thread;
    use std::time::Duration;
    use tempfile::TempDir;

    fn folder(text: &str) -> (TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.json");
        fs::write(&path, text).unwrap();
        (folder, path)
    }

    /// A replacement of the file by `text`, not yet committed.
    fn begun(path: &Path, text: &[u8]) -> Replacement {
        begun_with(path, text, false)
    }

    fn begun_with(path: &Path, text: &[u8], in_place: bool) -> Replacement {
        let target = FileToReplace::new(path, in_place).unwrap();
        let original = File::open(path).unwrap();
        let mut replacement = target.replacement(&original).unwrap();
        replacement.write(text).unwrap();
        replacement
    }

    fn files_in(folder: &TempDir) -> usize {
        fs::read_dir(folder.path()).unwrap().count()
    }

    #[test]
    fn the_new_text_replaces_the_old() {
        let (folder, path) = folder("old");
        let replacement = begun(&path, b"new");
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(files_in(&folder), 2);
        replacement.commit().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(files_in(&folder), 1);
    }

    #[test]
    fn the_file_itself_is_written_in_place() {
        let (folder, path) = folder("old text");
        let link = folder.path().join("link");
        fs::hard_link(&path, &link).unwrap();
        for text in ["new", "a longer text than the old one"] {
            let replacement = begun_with(&path, text.as_bytes(), true);
            replacement.commit().unwrap();
            assert_eq!(fs::read_to_string(&link).unwrap(), text);
            assert_eq!(files_in(&folder), 2);
        }
        let replacement = begun_with(&path, b"new", true);
        fs::write(&path, "of another process").unwrap();
        assert!(replacement.commit().is_err());
        assert_eq!(fs::read_to_string(&path).unwrap(), "of another process");
    }

    #[test]
    fn uncommitted_replacements_leave_nothing() {
        let (folder, path) = folder("old");
        drop(begun(&path, b"new"));
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(files_in(&folder), 1);
    }

    #[test]
    fn a_file_that_was_changed_since_it_was_read_stays() {
        let changes: [&dyn Fn(&Path); 4] = [
            &|path| fs::write(path, "other text").unwrap(),
            // The same size: the time tells.
            &|path| {
                thread::sleep(Duration::from_millis(20));
                fs::write(path, "Old").unwrap();
            },
            // The same size and time: the inode tells.
            &|path| {
                let modified = fs::metadata(path).unwrap().modified().unwrap();
                let other = path.with_extension("other");
                fs::write(&other, "Old").unwrap();
                File::options()
                    .write(true)
                    .open(&other)
                    .unwrap()
                    .set_modified(modified)
                    .unwrap();
                fs::rename(other, path).unwrap();
            },
            &|path| fs::remove_file(path).unwrap(),
        ];
        for (number, change) in changes.into_iter().enumerate() {
            let (folder, path) = folder("old");
            let replacement = begun(&path, b"new");
            change(&path);
            let after = fs::read(&path).ok();
            let error = replacement.commit().unwrap_err();
            assert_eq!(fs::read(&path).ok(), after, "{number}: {error}");
            assert_eq!(files_in(&folder), usize::from(after.is_some()), "{number}");

            // The same between the first look and the temporary file.
            fs::write(&path, "old").unwrap();
            let target = FileToReplace::new(&path, false).unwrap();
            change(&path);
            if let Ok(original) = File::open(&path) {
                assert!(target.replacement(&original).is_err(), "{number}");
            }
        }
    }

    #[test]
    fn only_regular_files_that_may_be_written_are_replaced() {
        let (folder, path) = folder("old");
        assert!(FileToReplace::new(folder.path(), false).is_err());
        assert!(FileToReplace::new(&folder.path().join("none"), false).is_err());
        let mut permissions = fs::metadata(&path).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&path, permissions).unwrap();
        let target = FileToReplace::new(&path, false).unwrap();
        let original = File::open(&path).unwrap();
        let error = target.replacement(&original).err().unwrap();
        assert!(error.to_string().contains("read-only"), "{error}");
    }
}
