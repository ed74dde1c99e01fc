//! Computes the paths of given offsets in a valid text.

use core::cmp::Ordering;

use jsonx_core::engine::{Chunk, Interest, Mode, Options, Sink, Validator};
use jsonx_core::internal::{Token, TokenAssembler, Walk};
use jsonx_core::jsonc::Dialect;
use jsonx_core::path::Location;

use crate::diagnose::{MAX_PATH_STEPS, keys};

/// The paths of the values at `offsets`, which must ascend; for a key, the path of its object. `text` is a prefix of a
/// valid text that reaches at least to the end of the last of these values, and 8 KiB beyond it if the text is longer.
pub(super) fn paths(text: &[u8], mode: Mode, offsets: &[u64]) -> Vec<Location> {
    let mut finder = Finder {
        wanted: offsets,
        ..Finder::default()
    };
    // Stops once all paths are found, or at the end of the prefix. The text is known to be valid, and
    // every notation is part of this one.
    let options = Options::default().mode(mode).dialect(Dialect::Jsonc);
    let _ = Validator::new(options).check(text, &mut finder);
    let mut paths = finder.paths;
    paths.resize_with(offsets.len(), Location::default);
    paths
}

#[derive(Default)]
struct Finder<'o> {
    cursor: TokenAssembler,
    wanted: &'o [u64],
    paths: Vec<Location>,
    /// The number of open containers.
    depth: usize,
    /// The outermost open containers, as many as a path has steps.
    open: Vec<OpenContainer>,
    /// The last string, up to the limit for keys.
    key: Vec<u8>,
}

struct OpenContainer {
    object: bool,
    /// Always set in an array; in an object, set from the colon of a member to the comma after it.
    inside: bool,
    index: u64,
    key: Vec<u8>,
}

/// All paths are found before the text ends.
struct Complete;

/// Maximum number of bytes stored of a key; a path abbreviates longer keys.
const MAX_KEY: usize = 4096;

impl Sink for Finder<'_> {
    type Error = Complete;
    type Output = Self;

    fn interest(&self, _: Mode) -> Interest {
        Interest {
            offsets: true,
            ..Interest::default()
        }
    }

    fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<(), Complete> {
        self.walk(chunk)?;
        // The path of a token that has begun does not depend on the rest of it.
        self.reach(chunk.offset + chunk.bytes.len() as u64);
        Ok(())
    }

    fn finish(self) -> Result<Self, Complete> {
        Ok(self)
    }
}

impl Finder<'_> {
    /// Records the paths of the offsets before `at`, now that all tokens before it have been read.
    fn reach(&mut self, at: u64) {
        while let Some(wanted) = self.wanted.get(self.paths.len())
            && wanted.cmp(&at) == Ordering::Less
        {
            let path = self.path();
            self.paths.push(path);
        }
    }

    fn path(&self) -> Location {
        let mut path = Location::default();
        for open in self.open.iter().take_while(|open| open.inside) {
            if !open.object {
                path.push_index(open.index)
            } else {
                keys::push_key(&mut path, &open.key)
            }
        }
        if self.depth > MAX_PATH_STEPS {
            path.truncate();
        }
        path
    }
}

impl Walk for Finder<'_> {
    type Error = Complete;

    fn assembler(&mut self) -> &mut TokenAssembler {
        &mut self.cursor
    }

    fn retains(&self, kind: u8) -> usize {
        match kind {
            b'"' => MAX_KEY,
            _ => 0,
        }
    }

    fn token(&mut self, token: Token<'_>) -> Result<(), Complete> {
        self.reach(token.start());
        if self.paths.len() == self.wanted.len() {
            return Err(Complete);
        }
        let kind = token.kind;
        let is_within = self.depth == self.open.len();
        let top = self.open.last_mut().filter(|_| is_within);
        match kind {
            b'{' | b'[' => {
                if is_within && self.depth < MAX_PATH_STEPS {
                    self.open.push(OpenContainer {
                        object: kind == b'{',
                        inside: kind == b'[',
                        index: 0,
                        key: Vec::new(),
                    });
                }
                self.depth += 1;
            }
            b'}' | b']' => {
                if is_within {
                    self.open.pop();
                }
                self.depth = self.depth.saturating_sub(1);
            }
            b':' => {
                if let Some(top) = top {
                    core::mem::swap(&mut top.key, &mut self.key);
                    top.inside = true;
                }
            }
            b',' => {
                if let Some(top) = top {
                    top.index += 1;
                    top.inside = !top.object;
                }
            }
            b'"' => {
                let raw = token.raw();
                self.key.clear();
                self.key.extend_from_slice(&raw[..raw.len().min(MAX_KEY)]);
            }
            _ => {}
        }
        Ok(())
    }
}
