//! `--print-references`: the schemas to which references lead, and how to save those that are missing.

use std::io;
use std::path::Path;

use jsonx_schema::{Dead, Target, Unusable, draft_of_uri, targets};

use super::choose::is_schema;
use super::{Schemas, name_of};
use crate::input::Name;
use crate::report::escape;

/// A schema with a URL.
pub struct Referenced {
    pub uri: String,
    target: Target,
    /// Its file, or the one in `--schema-dir` where it is looked up.
    file: Option<Name>,
}

impl Schemas {
    /// The schemas to which references lead, directly or through others, from the schema of a file, or from the file if it is a
    /// schema itself.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn references(&self, path: Option<&Path>) -> Result<Vec<Referenced>, Unusable> {
        let store = self.store();
        let (mut found, mut start) = (Vec::new(), None);
        let mut chosen = self.chosen(path);
        if chosen.is_none() {
            let file = store.load(path.unwrap_or(Path::new("-")))?;
            let root = file.document.root();
            if is_schema(root) {
                start = Some(file)
            } else {
                chosen = self.named_in(root, path)
            }
        }
        if let Some(reference) = chosen {
            match (&reference.url, self.text(&reference)) {
                (None, read) => start = Some(read?),
                (Some(url), Ok(text)) => {
                    found.push((url.clone(), Target::File(text)));
                    start = Some(text);
                }
                (Some(url), Err(_)) if draft_of_uri(url).is_some() => {
                    found.push((url.clone(), Target::BuiltIn));
                }
                (Some(url), Err(unusable)) => {
                    let dead = match &unusable {
                        Unusable::Unreadable { error, .. } => match error.kind() {
                            io::ErrorKind::NotFound => Dead::Missing,
                            io::ErrorKind::PermissionDenied => Dead::Outside,
                            _ => Dead::Unusable(unusable),
                        },
                        _ => Dead::Unusable(unusable),
                    };
                    found.push((url.clone(), Target::Dead(dead)));
                }
            }
        }
        found.extend(start.map_or(Vec::new(), |start| targets(store, start)));
        let referenced = |(uri, target): (String, Target)| Referenced {
            file: match &target {
                Target::File(text) => Some(Name::new(Path::new(&*String::from_utf8_lossy(
                    &text.source.name,
                )))),
                Target::Dead(Dead::Unusable(unusable)) => Some(Name::new(Path::new(
                    &*String::from_utf8_lossy(&name_of(unusable)),
                ))),
                Target::Dead(Dead::Missing) => store.place(&uri).map(|path| Name::new(&path)),
                Target::Dead(Dead::Outside | Dead::Repeated(..)) | Target::BuiltIn => None,
            },
            uri,
            target,
        };
        Ok(found.into_iter().map(referenced).collect())
    }
}

impl Referenced {
    /// Whether validation cannot use it.
    pub fn is_dead(&self) -> bool {
        matches!(self.target, Target::Dead(_))
    }

    /// Its state, URL and file, separated by tabs.
    pub fn line(&self) -> String {
        let state = match &self.target {
            Target::File(_) => "file",
            Target::BuiltIn => "built-in",
            Target::Dead(Dead::Missing) => "missing",
            Target::Dead(Dead::Outside) => "outside",
            Target::Dead(Dead::Repeated(..)) => "ambiguous",
            Target::Dead(Dead::Unusable(_)) => "unusable",
        };
        let file = self
            .file
            .as_ref()
            .map_or(String::new(), |file| format!("\t{file}"));
        format!("{state}\t{}{file}\n", escape(&self.uri))
    }

    /// Whether it is missing and has a URL that curl can read.
    fn is_on_web(&self) -> bool {
        let is_web = self.uri.starts_with("https://") || self.uri.starts_with("http://");
        // Schemas are untrusted.
        let is_plain = self.uri.bytes().all(|byte| byte.is_ascii_graphic());
        is_web && is_plain && matches!(self.target, Target::Dead(Dead::Missing))
    }

    /// Whether it could be saved if `--schema-dir` named a directory for it.
    pub fn lacks_directory(&self) -> bool {
        self.is_on_web() && self.file.is_none()
    }

    /// The lines of a configuration of curl that save it, if it is missing and has a place.
    pub fn curl(&self) -> Option<String> {
        let file = self.file.as_ref().filter(|_| self.is_on_web())?;
        let quoted =
            |text: &str| format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""));
        let file = String::from_utf8_lossy(file.bytes());
        let is_safe = !file.contains(char::is_control);
        is_safe.then(|| format!("url = {}\noutput = {}\n", quoted(&self.uri), quoted(&file)))
    }
}
