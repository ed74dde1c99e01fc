//! Retains the first bytes of a stream, which cannot be read again, so that every error of a short one can be shown.

use super::{BYTE_ORDER_MARK, MAX_EVIDENCE, Window};

/// Maximum length of a stream that is retained. A longer one is dropped, so that memory does not grow with the input.
pub const LIMIT: usize = 4 << 20;

/// Number of bytes retained of a longer stream, to recognize other formats.
pub const HEAD: usize = 4096;

/// The first bytes of a stream, up to a limit.
#[derive(Default)]
pub struct Prefix {
    bytes: Vec<u8>,
    /// More bytes arrived than are retained.
    cut: bool,
    /// They contain findings.
    retained: bool,
    /// All bytes are retained, up to [`MAX_EVIDENCE`].
    whole: bool,
}

impl Prefix {
    /// Retains the new bytes of a window.
    pub fn push(&mut self, window: &Window<'_>) {
        if self.cut {
            return;
        }
        // Windows do not include the byte-order mark.
        if self.bytes.is_empty() && window.offset() > 0 {
            self.bytes.extend_from_slice(BYTE_ORDER_MARK);
        }
        let known = self.bytes.len() as u64 - window.offset();
        let new = &window.bytes()[known as usize..];
        let limit = if self.whole {
            MAX_EVIDENCE as usize
        } else {
            LIMIT
        };
        let room = limit - self.bytes.len();
        if self.retained && new.len() > room {
            self.make_room(room);
            self.bytes.extend_from_slice(&new[..room]);
            self.cut = true;
            return;
        }
        self.cut = new.len() > room;
        if self.cut {
            let missing = HEAD.saturating_sub(self.bytes.len()).min(new.len());
            self.bytes.extend_from_slice(&new[..missing]);
            self.bytes.truncate(HEAD);
            self.bytes.shrink_to_fit();
        } else {
            self.make_room(new.len());
            self.bytes.extend_from_slice(new);
        }
    }

    /// Most streams are a single short read. For others, the maximum is reserved at once: growing by doubling took 12 MiB of
    /// memory for these 4 MiB, and untouched capacity takes none.
    fn make_room(&mut self, length: usize) {
        match self.bytes.len() {
            0 | 3 => self.bytes.reserve_exact(length),
            held if held + length <= self.bytes.capacity() => {}
            _ if self.whole => self.bytes.reserve(length),
            held => self.bytes.reserve_exact(LIMIT - held),
        }
    }

    /// Retains up to [`MAX_EVIDENCE`] bytes from now on, if none has been dropped yet.
    pub fn retain_whole(&mut self) {
        self.whole = true;
    }

    /// Takes the retained bytes out.
    pub fn take(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.bytes)
    }

    /// Retains all bytes seen until now, even of a longer stream.
    pub fn retain(&mut self) {
        self.retained |= !self.cut;
    }

    /// Whether [`Prefix::retain`] kept all bytes seen until then.
    pub fn is_retained(&self) -> bool {
        self.retained
    }

    /// Whether more bytes arrived than are retained.
    pub fn is_cut(&self) -> bool {
        self.cut
    }

    /// The retained bytes; of a longer stream, the first ones.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}
