//! The key sequences of the objects so far, as a tree: an object with the same keys in the same order as an earlier one follows
//! its path and needs no fingerprints.
//!
//! ```text
//! objects   {"id": 1, "name": "a"}   {"id": 2, "name": "b", "tags": []}   {"id": 3, "url": "c"}
//! nodes     0 (end)   1 id   2 name   3 (end)   4 tags   5 (end)   6 url   7 (end)
//!           at node 3 the first path ends and another continues, so 4 belongs to 3, and 6 to 2
//! ```
//!
//! The nodes of a path are adjacent in memory. If the next key differs, it may begin another path, which is looked up in a hash
//! table. All keys on a path are different, and keys are compared byte by byte.

/// Maximum length of a key on a path, quotes included.
pub(super) const LONGEST: usize = 64;

/// The maximum number of nodes: 152 bytes each.
const NODES: usize = 4096;

/// The number of slots of the hash table.
const SLOTS: usize = NODES;

/// Maximum number of slots probed by a search.
const PROBES: usize = 8;

/// The first [`LONGEST`] bytes of a key and the text after it.
pub(super) type Window = [u8; LONGEST];

/// The key as written, with its quotes, padded with zeros.
fn window(key: &[u8]) -> Option<Window> {
    let mut window = [0; LONGEST];
    window.get_mut(..key.len())?.copy_from_slice(key);
    Some(window)
}

/// A key of a new path.
#[derive(Clone, Copy, Debug)]
pub(super) struct NewKey {
    window: Window,
    length: u32,
    fingerprint: u32,
}

impl NewKey {
    /// The key without its quotes; `None` if it is too long.
    pub(super) fn new(key: &[u8], fingerprint: u32) -> Option<NewKey> {
        let mut window = [0; LONGEST];
        let [first, rest @ ..] = &mut window;
        let (inside, last) = rest.get_mut(..=key.len())?.split_at_mut(key.len());
        inside.copy_from_slice(key);
        (*first, last[0]) = (b'"', b'"');
        Some(NewKey {
            window,
            length: key.len() as u32 + 2,
            fingerprint,
        })
    }
}

/// A key as written, without its quotes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Key {
    bytes: [[u8; 8]; WORDS],
    length: usize,
}

impl Key {
    pub(super) fn as_slice(&self) -> &[u8] {
        &self.bytes.as_flattened()[1..self.length - 1]
    }
}

/// The tree.
#[derive(Debug, Default)]
pub(super) struct Shapes {
    nodes: Vec<Node>,
    /// For each node, the bytes compared first: one cache line.
    heads: Vec<Head>,
    /// The first nodes of paths, by preceding node and key. 0 is empty.
    table: Vec<u16>,
}

/// The first bytes of a key.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Head {
    key: [u64; HEAD / 8],
    /// Mask of the bytes of the key.
    mask: [u64; HEAD / 8],
}

/// Number of bytes of a key that are compared first, and the maximum length of a key that needs no more.
pub(super) const HEAD: usize = 32;

impl Head {
    fn new(node: &Node) -> Head {
        let mut head = Head {
            key: [!0; _],
            mask: [!0; _],
        };
        // For longer keys and the end of a path, the head matches no text.
        if (2..=HEAD as u32).contains(&node.length) {
            let mask = words(&mask_of(node.length));
            head.key.copy_from_slice(&node.key[..HEAD / 8]);
            head.mask.copy_from_slice(&mask[..HEAD / 8]);
        }
        head
    }
}

/// A key after its predecessors on a path, or the end of a path.
#[derive(Clone, Copy, Debug)]
struct Node {
    key: [u64; WORDS],
    fingerprint: u32,
    /// The length of the key, quotes included; 1 at the end of a path.
    length: u32,
    /// The first of the alternative nodes at this position; it identifies the keys before it.
    position: u32,
    /// The node of the previous key.
    previous: u32,
    /// The first node of the last object in a value of this key.
    child: u32,
}

const WORDS: usize = LONGEST / 8;

/// The position of the first key of an object, and the node there.
pub(super) const FIRST: u32 = 0;

fn words(window: &Window) -> [u64; WORDS] {
    let (words, _) = window.as_chunks::<8>();
    core::array::from_fn(|index| u64::from_le_bytes(words[index]))
}

/// A mask of the first `length` bytes.
fn mask_of(length: u32) -> Window {
    core::array::from_fn(|index| if index < length as usize { 0xFF } else { 0 })
}

impl Node {
    fn end(position: u32, previous: u32) -> Node {
        Node {
            // A key begins with a quote.
            key: [0; WORDS],
            fingerprint: 0,
            length: 1,
            position,
            previous,
            child: FIRST,
        }
    }
}

impl Shapes {
    /// Whether the key at the start of `window` is the one at this node. Always false for long keys.
    #[inline(always)]
    pub(super) fn is(&self, node: u32, window: &[u8; HEAD]) -> bool {
        let Some(head) = self.heads.get(node as usize) else {
            return false;
        };
        let (words, _) = window.as_chunks::<8>();
        let mut unequal = 0;
        for (index, word) in words.iter().enumerate() {
            unequal |= (u64::from_le_bytes(*word) ^ head.key[index]) & head.mask[index];
        }
        unequal == 0
    }

    /// Whether the key, with its quotes, is the one at this node.
    pub(super) fn has(&self, node: u32, key: &[u8]) -> bool {
        self.nodes.get(node as usize).is_some_and(|node| {
            node.length as usize == key.len()
                && window(key).is_some_and(|window| words(&window) == node.key)
        })
    }

    /// Whether [`is`](Shapes::is) cannot decide.
    #[inline(always)]
    pub(super) fn is_long(&self, node: u32) -> bool {
        let node = self.nodes.get(node as usize);
        node.is_some_and(|node| node.length > HEAD as u32)
    }

    /// The alternative to `node` whose key has this fingerprint and satisfies `is_key`, if there is one.
    #[inline(always)]
    pub(super) fn find(
        &self,
        node: u32,
        fingerprint: u32,
        is_key: impl Fn(u32) -> bool,
    ) -> Option<u32> {
        if is_key(node) {
            return Some(node);
        }
        let position = self.nodes.get(node as usize)?.position;
        let mut slots = slots(position, fingerprint);
        slots.find_map(|slot| match *self.table.get(slot)? {
            0 => None,
            found => {
                let found = u32::from(found);
                let node = self.nodes.get(found as usize)?;
                (node.position == position && is_key(found)).then_some(found)
            }
        })
    }

    /// The first node of the last object in a value of the key at this node.
    #[inline(always)]
    pub(super) fn child(&self, node: u32) -> u32 {
        self.nodes
            .get(node as usize)
            .map_or(FIRST, |node| node.child)
    }

    pub(super) fn set_child(&mut self, node: u32, child: u32) {
        if let Some(node) = self.nodes.get_mut(node as usize) {
            node.child = child;
        }
    }

    /// The nodes of the previous keys on the path, last one first; unspecified after the first key.
    pub(super) fn before(&self, mut node: u32) -> impl Iterator<Item = u32> {
        core::iter::from_fn(move || {
            node = self.nodes.get(node as usize)?.previous;
            Some(node)
        })
    }

    /// The key at a node, and its fingerprint.
    pub(super) fn key(&self, node: u32) -> (Key, u32) {
        let node = &self.nodes[node as usize];
        let key = Key {
            bytes: node.key.map(u64::to_le_bytes),
            length: node.length as usize,
        };
        (key, node.fingerprint)
    }

    /// Adds a path of keys that are all different, if there is capacity.
    pub(super) fn add(&mut self, keys: &[NewKey]) {
        if self.nodes.is_empty() {
            self.push(Node::end(FIRST, FIRST));
            self.table.resize(SLOTS, 0);
        }
        let mut at = FIRST;
        let mut known = 0;
        for key in keys {
            let raw = &key.window[..key.length as usize];
            match self.find(at, key.fingerprint, |node| self.has(node, raw)) {
                Some(node) => at = node + 1,
                None => break,
            }
            known += 1;
        }
        let new = &keys[known..];
        let length = self.nodes.len();
        if new.is_empty() || length + new.len() >= NODES {
            return;
        }
        let Node {
            position, previous, ..
        } = self.nodes[at as usize];
        let mut free = slots(position, new[0].fingerprint).filter(|&slot| self.table[slot] == 0);
        let Some(free) = free.next() else {
            return;
        };
        self.table[free] = length as u16;
        let mut before = previous;
        for (index, new) in new.iter().enumerate() {
            let node = self.nodes.len() as u32;
            self.push(Node {
                key: words(&new.window),
                fingerprint: new.fingerprint,
                length: new.length,
                position: if index == 0 { position } else { node },
                previous: before,
                child: FIRST,
            });
            before = node;
        }
        let end = self.nodes.len() as u32;
        self.push(Node::end(end, before));
    }

    fn push(&mut self, node: Node) {
        self.heads.push(Head::new(&node));
        self.nodes.push(node);
    }
}

/// The slots for a path that begins at this position with a key of this fingerprint.
#[inline(always)]
fn slots(position: u32, fingerprint: u32) -> impl Iterator<Item = usize> {
    let hash = (position.wrapping_mul(0x9E37_79B9) ^ fingerprint).wrapping_mul(0x85EB_CA6B) >> 16;
    (0..PROBES).map(move |probe| (hash as usize + probe) % SLOTS)
}
