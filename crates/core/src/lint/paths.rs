//! Computes the paths of given offsets in a valid text.

use core::cmp::Ordering;

use crate::diagnose::{MAX_PATH_STEPS, keys};
use crate::jsonc::Dialect;
use crate::path::Location;
use crate::token::{Chunk, Interest, Mode, Sink};
use crate::window::{Options, Validator};

/// The paths of the values at `offsets`, which must ascend; for a key, the path of its object. `text` is a prefix of a
/// valid text that reaches at least to the end of the last of these values, and 8 KiB beyond it if the text is longer.
pub(super) fn paths(text: &[u8], mode: Mode, offsets: &[u64]) -> Vec<Location> {
    let mut walk = Walk {
        wanted: offsets,
        ..Walk::default()
    };
    // Stops once all paths are found, or at the end of the prefix.
    // The text is known to be valid, and every dialect is part of this one.
    let _ = Validator::new(Options::default().mode(mode).dialect(Dialect::Jsonc))
        .check(text, &mut walk);
    let mut paths = walk.paths;
    paths.resize_with(offsets.len(), Location::default);
    paths
}

#[derive(Default)]
struct Walk<'o> {
    wanted: &'o [u64],
    paths: Vec<Location>,
    /// The number of open containers.
    depth: usize,
    /// The outermost open containers, as many as a path has steps.
    open: Vec<Open>,
    /// The token at the end of a chunk, if it may be a key that continues in the next chunk.
    key: Vec<u8>,
    last: u8,
}

struct Open {
    object: bool,
    /// Always set in an array; in an object, set from the colon of a member to the comma after it.
    inside: bool,
    index: u64,
    key: Vec<u8>,
}

/// Stops the walk: all paths are found.
struct Enough;

/// The maximum number of bytes to store of a key: a path does not give a longer one in full.
const LONGEST: usize = 4096;

impl Sink for Walk<'_> {
    type Error = Enough;
    type Output = Self;

    fn interest(&self, _: Mode) -> Interest {
        Interest {
            offsets: true,
            ..Interest::default()
        }
    }

    fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<(), Enough> {
        self.extend(chunk.before_first());
        for (index, (kind, raw)) in chunk.tokens().enumerate() {
            let at = chunk.offset + u64::from(chunk.offsets[index]);
            self.reach(at);
            if self.paths.len() == self.wanted.len() {
                return Err(Enough);
            }
            self.token(kind, raw);
        }
        self.reach(chunk.offset + chunk.bytes.len() as u64);
        Ok(())
    }

    fn finish(self) -> Result<Self, Self::Error> {
        Ok(self)
    }
}

impl Walk<'_> {
    /// Records the paths of the offsets before `at`, now that all tokens before it have been read.
    fn reach(&mut self, at: u64) {
        while let Some(wanted) = self.wanted.get(self.paths.len())
            && wanted.cmp(&at) == Ordering::Less
        {
            let path = self.path();
            self.paths.push(path);
        }
    }

    fn extend(&mut self, more: &[u8]) {
        if self.last == b'"' {
            let room = LONGEST.saturating_sub(self.key.len());
            self.key.extend_from_slice(&more[..more.len().min(room)]);
        }
    }

    fn token(&mut self, kind: u8, raw: &[u8]) {
        let is_within = self.depth == self.open.len();
        let top = self.open.last_mut().filter(|_| is_within);
        match kind {
            b'{' | b'[' => {
                if self.depth == self.open.len() && self.depth < MAX_PATH_STEPS {
                    self.open.push(Open {
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
            _ => {}
        }
        self.last = kind;
        self.key.clear();
        self.extend(raw);
    }

    fn path(&self) -> Location {
        let mut path = Location::default();
        for open in self.open.iter().take_while(|open| open.inside) {
            match open.object {
                false => path.push_index(open.index),
                true => keys::push_key(&mut path, &open.key),
            }
        }
        if self.depth > MAX_PATH_STEPS {
            path.truncate();
        }
        path
    }
}
