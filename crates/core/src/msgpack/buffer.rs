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

    /// Reserves `N` bytes.
    #[inline(always)]
    pub(super) fn array<const N: usize>(&mut self) -> Result<&mut [u8; N], WriteError> {
        let room = self.reserve(N)?;
        room.first_chunk_mut().ok_or(WriteError::Full)
    }

    /// Appends bytes.
    #[inline]
    pub(super) fn append(&mut self, bytes: &[u8]) -> Result<(), WriteError> {
        self.reserve(bytes.len())?[..bytes.len()].copy_from_slice(bytes);
        self.length += bytes.len();
        Ok(())
    }

    /// Doubles until `count` more bytes fit.
    #[cold]
    #[inline(never)]
    fn grow(&mut self, count: usize) -> Result<(), WriteError> {
        let length = self.length.checked_add(count);
        let length = length.ok_or(WriteError::OutOfMemory)?;
        let length = length.max(2 * self.bytes.len()).max(64);
        let more = length - self.bytes.len();
        let reserved = self.bytes.try_reserve_exact(more);
        reserved.map_err(|_| WriteError::OutOfMemory)?;
        self.bytes.resize(length, 0);
        Ok(())
    }
}

impl Buffer for Growing {
    #[inline(always)]
    fn spare<const N: usize>(&mut self) -> Option<&mut [u8; N]> {
        self.bytes.get_mut(self.length..)?.first_chunk_mut()
    }

    #[inline(always)]
    fn reserve(&mut self, count: usize) -> Result<&mut [u8], WriteError> {
        if self.bytes.len() - self.length < count {
            self.grow(count)?;
        }
        Ok(&mut self.bytes[self.length..])
    }

    #[inline(always)]
    fn advance(&mut self, count: usize) {
        self.length += count;
    }
}
