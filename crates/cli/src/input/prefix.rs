//! The first bytes of a stream: it cannot be read again, and of a short one every error is shown.

use super::{BYTE_ORDER_MARK, MAX_EVIDENCE, Window};

/// Bytes of a stream that are retained. Of a longer one they are dropped: memory does not grow with the input.
pub const LIMIT: usize = 4 << 20;

/// Bytes retained of a longer stream: they show what it is, if it is not JSON.
pub const HEAD: usize = 4096;

/// The bytes of a stream from the first one on, while there are few.
#[derive(Default)]
pub struct Prefix {
    bytes: Vec<u8>,
    /// There were more than are retained.
    cut: bool,
    /// There are findings in them.
    retained: bool,
    /// All bytes are wanted, up to [`MAX_EVIDENCE`].
    whole: bool,
}

impl Prefix {
    /// Retains nothing, for tests.
    #[cfg(all(test, unix))]
    pub fn nothing() -> Prefix {
        Prefix {
            cut: true,
            ..Prefix::default()
        }
    }

    /// Keeps what is new in a window.
    pub fn push(&mut self, window: &Window<'_>) {
        if self.cut {
            return;
        }
        // No window shows this.
        if self.bytes.is_empty() && window.offset() > 0 {
            self.bytes.extend_from_slice(BYTE_ORDER_MARK);
        }
        let known = self.bytes.len() as u64 - window.offset();
        let new = &window.bytes()[known as usize..];
        let limit = match self.whole {
            true => MAX_EVIDENCE as usize,
            false => LIMIT,
        };
        let room = limit - self.bytes.len();
        if self.retained && new.len() > room && self.make_room(room).is_ok() {
            self.bytes.extend_from_slice(&new[..room]);
            self.cut = true;
            return;
        }
        self.cut = new.len() > room || self.make_room(new.len()).is_err();
        if self.cut {
            let missing = HEAD.saturating_sub(self.bytes.len()).min(new.len());
            self.bytes.extend_from_slice(&new[..missing]);
            self.bytes.truncate(HEAD);
            self.bytes.shrink_to_fit();
        } else {
            self.bytes.extend_from_slice(new);
        }
    }

    /// Most streams are one short piece. For others, all that may ever be needed is asked for at once: growing by
    /// doubling took 12 MiB of memory for these four, where untouched room takes none.
    fn make_room(&mut self, length: usize) -> Result<(), std::collections::TryReserveError> {
        match self.bytes.len() {
            0 | 3 => self.bytes.try_reserve_exact(length),
            held if held + length <= self.bytes.capacity() => Ok(()),
            _ if self.whole => self.bytes.try_reserve(length),
            held => self.bytes.try_reserve_exact(LIMIT - held),
        }
    }

    /// From now on retains up to [`MAX_EVIDENCE`] bytes, if none has been dropped yet.
    pub fn retain_whole(&mut self) {
        self.whole = true;
    }

    /// Takes the retained bytes out.
    pub fn take(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.bytes)
    }

    /// Has what is kept of a longer stream be as much as was seen until now.
    pub fn retain(&mut self) {
        self.retained |= !self.cut;
    }

    /// Whether what is kept of a longer stream is all that was seen when it was asked for.
    pub fn is_retained(&self) -> bool {
        self.retained
    }

    /// Whether there were more bytes than are kept.
    pub fn is_cut(&self) -> bool {
        self.cut
    }

    /// The retained bytes; of a longer stream, the first ones.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}
