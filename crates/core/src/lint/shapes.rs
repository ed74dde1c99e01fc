//! The keys of the objects so far, as a tree: an object with the keys of an earlier one, in their order, follows its
//! path, and needs no fingerprints.
//!
//! ```text
//! objects   {"id": 1, "name": "a"}   {"id": 2, "name": "b", "tags": []}   {"id": 3, "url": "c"}
//! nodes     0 (end)   1 id   2 name   3 (end)   4 tags   5 (end)   6 url   7 (end)
//!           node 3 is where the first path ends and another goes on, so 4 belongs to 3, and 6 to 2
//! ```
//!
//! The next node of a path is the next one in memory. A key that is not there may be the first one of another path, which
//! a hash table finds. All keys on a path are different, and a key is on it only if its bytes are equal.

/// The longest key, quotes included. Longer ones are on no path.
pub(super) const LONGEST: usize = 64;

/// The maximum number of nodes: 88 bytes each.
const NODES: usize = 4096;

/// The number of nodes that there is room for at first.
const FEW: usize = 64;

/// The number of slots of the hash table.
const SLOTS: usize = NODES;

/// The maximum number of slots that a search looks at.
const PROBES: usize = 8;

/// The first [`LONGEST`] bytes of a key and of what follows it.
pub(super) type Window = [u8; LONGEST];

/// The key as written, with its quotes, and with zeros after it.
pub(super) fn window(key: &[u8]) -> Option<Window> {
    let mut window = [0; LONGEST];
    window.get_mut(..key.len())?.copy_from_slice(key);
    Some(window)
}

/// A key that is to be on a path.
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
    /// The nodes that begin a path, by what precedes them and by their key. 0 is empty.
    table: Vec<u16>,
}

/// A key that follows those before it on its path, or the end of a path.
#[derive(Clone, Copy, Debug)]
struct Node {
    key: [u64; WORDS],
    fingerprint: u32,
    /// The length of the key, quotes included; 1 at the end of a path.
    length: u32,
    /// The first node of those that may be here: it stands for the keys before it.
    place: u32,
    /// The node of the key before.
    previous: u32,
    /// The node that the last object in a value of this key began with.
    child: u32,
}

const WORDS: usize = LONGEST / 8;

/// The place of the first key of an object, and the node that is there.
pub(super) const FIRST: u32 = 0;

fn words(window: &Window) -> [u64; WORDS] {
    let (words, _) = window.as_chunks::<8>();
    core::array::from_fn(|index| u64::from_le_bytes(words[index]))
}

/// Where it begins `n` bytes before the middle, a mask of `n` bytes.
const MASKS: &[u8; 2 * LONGEST] = &{
    let mut masks = [0; 2 * LONGEST];
    let mut index = 0;
    while index < LONGEST {
        masks[index] = 0xFF;
        index += 1;
    }
    masks
};

impl Node {
    fn end(place: u32, previous: u32) -> Node {
        Node {
            // A key begins with a quote.
            key: [0; WORDS],
            fingerprint: 0,
            length: 1,
            place,
            previous,
            child: FIRST,
        }
    }

    #[inline(always)]
    fn is(&self, window: &Window) -> bool {
        let from = LONGEST - (self.length as usize).min(LONGEST);
        let Some(mask) = MASKS.get(from..).and_then(<[u8]>::first_chunk) else {
            return false;
        };
        let (words, mask) = (words(window), words(mask));
        let mut unequal = 0;
        for (index, word) in words.iter().enumerate() {
            unequal |= (word ^ self.key[index]) & mask[index];
        }
        unequal == 0
    }
}

impl Shapes {
    /// Whether the key at the front of `window` is the one at this node.
    #[inline(always)]
    pub(super) fn is(&self, node: u32, window: &Window) -> bool {
        self.nodes
            .get(node as usize)
            .is_some_and(|node| node.is(window))
    }

    /// The node with this key that may be where `node` is.
    pub(super) fn find(&self, node: u32, window: &Window) -> Option<u32> {
        if self.is(node, window) {
            return Some(node);
        }
        let place = self.nodes.get(node as usize)?.place;
        let mut slots = slots(place, window);
        slots.find_map(|slot| match *self.table.get(slot)? {
            0 => None,
            found => {
                let found = u32::from(found);
                let node = self.nodes.get(found as usize)?;
                (node.place == place && node.is(window)).then_some(found)
            }
        })
    }

    /// The node that the last object in a value of the key at this node began with.
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

    /// The nodes of the keys before this one on its path, the last one first; after the first key, what they are is not
    /// specified.
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

    /// Adds a path of keys that are all different, unless there is no room.
    pub(super) fn add(&mut self, keys: &[NewKey]) {
        if self.nodes.is_empty() {
            if self.nodes.try_reserve(FEW).is_err() || self.table.try_reserve_exact(SLOTS).is_err()
            {
                return;
            }
            self.nodes.push(Node::end(FIRST, FIRST));
            self.table.resize(SLOTS, 0);
        }
        let mut at = FIRST;
        let mut known = 0;
        for key in keys {
            match self.find(at, &key.window) {
                Some(node) => at = node + 1,
                None => break,
            }
            known += 1;
        }
        let new = &keys[known..];
        let length = self.nodes.len();
        if new.is_empty()
            || length + new.len() >= NODES
            || self.nodes.try_reserve(new.len() + 1).is_err()
        {
            return;
        }
        let Node {
            place, previous, ..
        } = self.nodes[at as usize];
        let mut free = slots(place, &new[0].window).filter(|&slot| self.table[slot] == 0);
        let Some(free) = free.next() else {
            return;
        };
        self.table[free] = length as u16;
        let mut before = previous;
        for (index, new) in new.iter().enumerate() {
            let node = self.nodes.len() as u32;
            self.nodes.push(Node {
                key: words(&new.window),
                fingerprint: new.fingerprint,
                length: new.length,
                place: if index == 0 { place } else { node },
                previous: before,
                child: FIRST,
            });
            before = node;
        }
        let end = self.nodes.len() as u32;
        self.nodes.push(Node::end(end, before));
    }
}

/// The slots in which a path that begins with this key, at this place, may be.
fn slots(place: u32, window: &Window) -> impl Iterator<Item = usize> {
    let mut hash = u64::from(place).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    for word in words(window) {
        hash = (hash ^ word).wrapping_mul(0xA409_3822_299F_31D1);
        hash ^= hash >> 32;
    }
    (0..PROBES).map(move |probe| (hash as usize).wrapping_add(probe) % SLOTS)
}
