//! The outputs of a writer.

use super::WriteError;

/// The buffer of a [`Writer`](super::Writer) that writes into a slice.
///
/// ```
/// use jsonx_core::msgpack::{Fixed, Writer};
///
/// fn write(writer: &mut Writer<Fixed<'_>>) -> bool {
///     writer.bool(true).is_ok()
/// }
///
/// assert!(write(&mut Writer::new(&mut [0])));
/// ```
#[derive(Debug)]
pub struct Fixed<'a> {
    pub(super) bytes: &'a mut [u8],
    pub(super) length: usize,
}

/// The buffer of a [`Writer`](super::Writer) that grows.
///
/// ```
/// use jsonx_core::msgpack::{Growing, Writer};
///
/// let mut writer: Writer<Growing> = Writer::growing();
/// writer.bin(&[0; 300])?;
/// assert_eq!(writer.into_vec().len(), 303);
/// # Ok::<(), jsonx_core::msgpack::WriteError>(())
/// ```
#[derive(Debug, Default)]
pub struct Growing {
    /// Bytes after `length` are arbitrary.
    pub(super) bytes: Vec<u8>,
    pub(super) length: usize,
}

/// The methods of both buffers.
pub(super) trait Buffer {
    /// The next `N` free bytes, if there are as many.
    fn spare<const N: usize>(&mut self) -> Option<&mut [u8; N]>;

    /// Reserves at least `count` free bytes.
    fn reserve(&mut self, count: usize) -> Result<&mut [u8], WriteError>;

    /// Marks `count` free bytes as written.
    fn advance(&mut self, count: usize);
}

impl Buffer for Fixed<'_> {
    #[inline(always)]
    fn spare<const N: usize>(&mut self) -> Option<&mut [u8; N]> {
        self.bytes.get_mut(self.length..)?.first_chunk_mut()
    }

    #[inline(always)]
    fn reserve(&mut self, count: usize) -> Result<&mut [u8], WriteError> {
        let room = self.bytes.get_mut(self.length..).unwrap_or_default();
        if room.len() >= count {
            Ok(room)
        } else {
            Err(WriteError::Full)
        }
    }

    #[inline(always)]
    fn advance(&mut self, count: usize) {
        self.length += count;
    }
}

impl Growing {
    /// The bytes written.
    #[inline]
    pub(super) fn written(&self) -> &[u8] {
        self.bytes.get(..self.length).unwrap_or_default()
    }

    /// At least `count` free bytes.
    #[inline(always)]
    pub(super) fn room(&mut self, count: usize) -> &mut [u8] {
        if self.bytes.len() - self.length < count {
            self.grow(count);
        }
        &mut self.bytes[self.length..]
    }

    /// Appends bytes.
    #[inline]
    pub(super) fn append(&mut self, bytes: &[u8]) {
        self.room(bytes.len())[..bytes.len()].copy_from_slice(bytes);
        self.length += bytes.len();
    }

    /// Doubles until `count` more bytes fit.
    #[cold]
    #[inline(never)]
    fn grow(&mut self, count: usize) {
        let length = self.length + count;
        let length = length.max(2 * self.bytes.len()).max(64);
        self.bytes.resize(length, 0);
    }
}

impl Buffer for Growing {
    #[inline(always)]
    fn spare<const N: usize>(&mut self) -> Option<&mut [u8; N]> {
        self.bytes.get_mut(self.length..)?.first_chunk_mut()
    }

    #[inline(always)]
    fn reserve(&mut self, count: usize) -> Result<&mut [u8], WriteError> {
        Ok(self.room(count))
    }

    #[inline(always)]
    fn advance(&mut self, count: usize) {
        self.length += count;
    }
}
