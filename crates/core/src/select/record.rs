//! Records: objects at the root that do not cross a chunk boundary, searched for paths of keys.
//!
//! The usual query over JSON Lines. If such an object ends in the chunk that it begins in and repeats no key of the paths, every
//! step is decided at once and every text is in the chunk: it needs no threads, conditions or frames. All other objects are left
//! to the walk.
//!
//! ```text
//! .id  .user.name        ● ─ id ─────► path 0
//!                        └─ user ─► ● ─ name ─► path 1
//! ```

use super::Missing;
use super::key_scan::{KeyScan, Scanned, Search};
use super::positions::Positions;
use super::tree::{OpenObject, Outcome, RecordResults, Tree};
use super::walk::{Expected, PathWalk};
use crate::kernel::{BlockTask, Isa, run_with};
use crate::skip::Skip;
use crate::token::{Chunk, Kind, trim_end};

/// A value of a record.
struct Value {
    kind: Kind,
    /// Relative to the chunk.
    from: usize,
    to: usize,
    /// The offset at which its end was detected.
    end_seen: u64,
}

impl PathWalk {
    /// Searches the object at the root that begins with the token at `index`. Returns the index of the token after it; `None`,
    /// without any change of state, if it needs a walk.
    pub(super) fn record(&mut self, chunk: &Chunk<'_>, index: usize) -> Option<usize> {
        let tree = self.tree.as_deref()?;
        if chunk.kinds[index] != b'{' {
            return None;
        }
        let record = Record {
            tree,
            chunk,
            index,
            positions: &mut self.positions,
            results: &mut self.record_results,
        };
        let next = run_with(chunk.kernel, record)?;
        self.record_results.deliver(&mut self.results);
        self.results.end_root(&mut self.conditions);
        self.state = Expected::Root;
        Some(next)
    }
}

/// The search of one record.
struct Record<'r, 'c> {
    tree: &'r Tree,
    chunk: &'c Chunk<'c>,
    /// Its first token.
    index: usize,
    positions: &'r mut Positions,
    results: &'r mut RecordResults,
}

impl BlockTask for Record<'_, '_> {
    /// The index of the token after it.
    type Output = Option<usize>;

    #[inline(always)]
    fn run<K: Isa>(mut self, isa: K) -> Option<usize> {
        let chunk = self.chunk;
        self.results.clear();
        let from = self.positions.find(isa, chunk, self.index);
        self.open(0, from);
        let mut index = self.index + 1;
        while let Some(&OpenObject { node, .. }) = self.results.open.last() {
            let node = &self.tree.nodes[node];
            let search = Search {
                keys: &node.keys,
                descends: false,
            };
            let (scanned, _) = if !node.children.is_empty() {
                let scan = KeyScan {
                    chunk,
                    positions: self.positions,
                    search,
                    from: index,
                    depth: 0,
                    open_containers: None,
                };
                scan.run(isa)
            } else {
                match Skip::out_of(chunk, index).run(isa) {
                    (next, 0) => (Scanned::Closed(next - 1), 0),
                    (_, depth) => (Scanned::End, depth),
                }
            };
            index = match scanned {
                Scanned::End => return None,
                Scanned::Closed(at) => {
                    let end = self.positions.find(isa, chunk, at) + 1;
                    self.close(end);
                    at + 1
                }
                Scanned::Key(at, key) => {
                    let open = self.results.open.last_mut()?;
                    let bit = 1 << key;
                    if open.found & bit != 0 {
                        return None;
                    }
                    open.found |= bit;
                    let (_, child) = node.children[key as usize];
                    self.value(isa, child, at + 1)?
                }
            };
        }
        Some(index)
    }
}

impl Record<'_, '_> {
    /// Handles the value of a node, which begins with the token at `index`. Returns the index of the next token.
    #[inline(always)]
    fn value<K: Isa>(&mut self, isa: K, node: usize, index: usize) -> Option<usize> {
        let chunk = self.chunk;
        let kind = Kind::from_first(*chunk.kinds.get(index)?);
        let from = self.positions.find(isa, chunk, index);
        let is_searched = !self.tree.nodes[node].children.is_empty();
        if kind == Kind::Object && is_searched {
            self.open(node, from);
            return Some(index + 1);
        }
        let (next, to) = match kind {
            Kind::Object | Kind::Array => match Skip::out_of(chunk, index + 1).run(isa) {
                (next, 0) => (next, self.positions.find(isa, chunk, next - 1) + 1),
                _ => return None,
            },
            _ if index + 1 == chunk.kinds.len() => return None,
            _ => {
                let next = self.positions.find(isa, chunk, index + 1);
                (index + 1, next)
            }
        };
        let value = Value {
            kind,
            from,
            to: trim_end(&chunk.bytes[..to]).len(),
            end_seen: chunk.offset + to as u64,
        };
        let first = self.begin(node, from);
        self.end(node, first, 0, &value);
        Some(next)
    }

    /// Opens the object of a node, at `from`.
    fn open(&mut self, node: usize, from: usize) {
        let first = self.begin(node, from);
        self.results.open.push(OpenObject {
            node,
            start: from as u64,
            first,
            found: 0,
        });
    }

    /// Closes the innermost open object.
    fn close(&mut self, to: usize) {
        if let Some(open) = self.results.open.pop() {
            let value = Value {
                kind: Kind::Object,
                from: open.start as usize,
                to,
                end_seen: self.chunk.offset + to as u64,
            };
            self.end(open.node, open.first, open.found, &value);
        }
    }

    /// Begins the matches of a value. Returns the index of the first.
    fn begin(&mut self, node: usize, from: usize) -> usize {
        let first = self.results.outcomes.len();
        let start = self.chunk.offset + from as u64;
        let begun = self.tree.nodes[node]
            .paths
            .iter()
            .map(|&path| Outcome::Match {
                path,
                start,
                end: start,
            });
        self.results.outcomes.extend(begun);
        first
    }

    /// Ends the matches of a value, and reports the paths that found no key in it.
    fn end(&mut self, node: usize, first: usize, found: u64, value: &Value) {
        let node = &self.tree.nodes[node];
        let base = self.chunk.offset;
        for outcome in &mut self.results.outcomes[first..first + node.paths.len()] {
            if let Outcome::Match { end, .. } = outcome {
                *end = base + value.to as u64;
            }
        }
        for &(path, step, key) in &node.open {
            if found >> key & 1 == 0 {
                self.results.outcomes.push(Outcome::Missing {
                    path,
                    missing: Missing {
                        steps: step as usize,
                        start: base + value.from as u64,
                        end: base + value.to as u64,
                        kind: value.kind,
                        length: None,
                    },
                    position: value.end_seen,
                });
            }
        }
    }
}
