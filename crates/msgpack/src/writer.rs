//! Writes values as bytes, each in its smallest form.

use super::buffer::Growing;
use super::error::TooLong;

/// Writes MessagePack values in their smallest forms. Nothing is allocated per value.
///
/// Arrays and maps are written as their length, followed by that many values or pairs; the writer does not count them.
///
/// ```
/// use jsonx_msgpack::Writer;
///
/// let mut writer = Writer::new();
/// writer.map(1);
/// writer.str("n")?;
/// writer.uint(200);
/// assert_eq!(writer.as_bytes(), b"\x81\xa1n\xcc\xc8");
/// # Ok::<(), jsonx_msgpack::TooLong>(())
/// ```
#[derive(Debug, Default)]
pub struct Writer {
    buffer: Growing,
}

impl Writer {
    /// A writer into an empty buffer.
    ///
    /// ```
    /// use jsonx_msgpack::Writer;
    ///
    /// let mut writer = Writer::new();
    /// writer.array(2);
    /// writer.nil();
    /// writer.bool(false);
    /// assert_eq!(writer.into_vec(), b"\x92\xc0\xc2");
    /// ```
    pub fn new() -> Self {
        Writer::default()
    }

    /// The bytes written so far.
    ///
    /// ```
    /// let mut writer = jsonx_msgpack::Writer::new();
    /// writer.str("é")?;
    /// assert_eq!(writer.as_bytes(), b"\xa2\xc3\xa9");
    /// # Ok::<(), jsonx_msgpack::TooLong>(())
    /// ```
    pub fn as_bytes(&self) -> &[u8] {
        &self.buffer.bytes[..self.buffer.length]
    }

    /// Discards the written bytes and retains the memory.
    ///
    /// ```
    /// let mut writer = jsonx_msgpack::Writer::new();
    /// writer.nil();
    /// writer.clear();
    /// assert_eq!(writer.as_bytes(), b"");
    /// ```
    pub fn clear(&mut self) {
        self.buffer.length = 0;
    }

    /// The bytes written.
    ///
    /// ```
    /// let mut writer = jsonx_msgpack::Writer::new();
    /// writer.uint(u64::MAX);
    /// assert_eq!(writer.into_vec(), b"\xcf\xff\xff\xff\xff\xff\xff\xff\xff");
    /// ```
    pub fn into_vec(self) -> Vec<u8> {
        let Growing { mut bytes, length } = self.buffer;
        bytes.truncate(length);
        bytes
    }
}

/// The form of an integer by the number of its bits: the first byte, and the number of further bytes.
#[derive(Clone, Copy)]
struct Form {
    first: u8,
    payload: u8,
}

/// Forms by bits. Up to `fixed` bits are in the first byte itself; `first` is the first byte of the form with one further byte.
const fn forms(fixed: usize, first: u8) -> [Form; 65] {
    let mut forms = [Form {
        first: 0,
        payload: 0,
    }; 65];
    let mut bits = fixed + 1;
    while bits <= 64 {
        let size = match bits {
            0..=8 => 0,
            9..=16 => 1,
            17..=32 => 2,
            _ => 3,
        };
        forms[bits] = Form {
            first: first + size,
            payload: 1 << size,
        };
        bits += 1;
    }
    forms
}

/// 0xcc to 0xcf, above 127.
const UNSIGNED: [Form; 65] = forms(7, 0xcc);

/// 0xd0 to 0xd3, below −32, by the bits of two's complement, sign included.
const NEGATIVE: [Form; 65] = forms(6, 0xd0);

impl Writer {
    /// Writes an unsigned integer, in one to nine bytes.
    ///
    /// ```
    /// let mut writer = jsonx_msgpack::Writer::new();
    /// for value in [127, 128, 255, 256, 65_536] {
    ///     writer.uint(value);
    /// }
    /// assert_eq!(writer.as_bytes(), b"\x7f\xcc\x80\xcc\xff\xcd\x01\x00\xce\x00\x01\x00\x00");
    /// ```
    #[inline]
    pub fn uint(&mut self, value: u64) {
        if value < 0x80 {
            return self.byte(value as u8);
        }
        self.number(value, UNSIGNED[64 - value.leading_zeros() as usize])
    }

    /// Writes a signed integer, in one to nine bytes. Integers that are not negative are written as unsigned.
    ///
    /// ```
    /// let mut writer = jsonx_msgpack::Writer::new();
    /// for value in [-32, -33, -128, -129, 128] {
    ///     writer.int(value);
    /// }
    /// assert_eq!(writer.as_bytes(), b"\xe0\xd0\xdf\xd0\x80\xd1\xff\x7f\xcc\x80");
    /// ```
    #[inline]
    pub fn int(&mut self, value: i64) {
        if value >= 0 {
            return self.uint(value as u64);
        }
        if value >= -32 {
            return self.byte(value as u8);
        }
        self.number(value as u64, NEGATIVE[65 - value.leading_ones() as usize])
    }

    /// Writes a double, in nine bytes.
    ///
    /// ```
    /// let mut writer = jsonx_msgpack::Writer::new();
    /// writer.float(-2.0);
    /// assert_eq!(writer.as_bytes(), b"\xcb\xc0\0\0\0\0\0\0\0");
    /// ```
    #[inline]
    pub fn float(&mut self, value: f64) {
        self.number(
            value.to_bits(),
            Form {
                first: 0xcb,
                payload: 8,
            },
        )
    }

    /// Writes a single-precision float, in five bytes.
    ///
    /// ```
    /// let mut writer = jsonx_msgpack::Writer::new();
    /// writer.float32(-2.0);
    /// assert_eq!(writer.as_bytes(), b"\xca\xc0\0\0\0");
    /// ```
    #[inline]
    pub fn float32(&mut self, value: f32) {
        self.number(
            u64::from(value.to_bits()),
            Form {
                first: 0xca,
                payload: 4,
            },
        )
    }

    /// Writes nil, JSON's null.
    ///
    /// ```
    /// let mut writer = jsonx_msgpack::Writer::new();
    /// writer.nil();
    /// assert_eq!(writer.as_bytes(), b"\xc0");
    /// ```
    #[inline]
    pub fn nil(&mut self) {
        self.byte(0xc0)
    }

    /// Writes a boolean.
    ///
    /// ```
    /// let mut writer = jsonx_msgpack::Writer::new();
    /// writer.bool(true);
    /// assert_eq!(writer.as_bytes(), b"\xc3");
    /// ```
    #[inline]
    pub fn bool(&mut self, value: bool) {
        self.byte(0xc2 + u8::from(value))
    }

    /// Writes a string, with one to five bytes before it.
    ///
    /// # Errors
    ///
    /// [`TooLong`] beyond 2³² − 1 bytes.
    ///
    /// ```
    /// let mut writer = jsonx_msgpack::Writer::new();
    /// writer.str("abc")?;
    /// writer.str(&"x".repeat(32))?;
    /// assert_eq!(&writer.as_bytes()[..6], b"\xa3abc\xd9\x20");
    /// # Ok::<(), jsonx_msgpack::TooLong>(())
    /// ```
    #[inline]
    pub fn str(&mut self, value: &str) -> Result<(), TooLong> {
        self.utf8(value.as_bytes())
    }

    /// Writes binary data, with two to five bytes before it.
    ///
    /// # Errors
    ///
    /// [`TooLong`] beyond 2³² − 1 bytes.
    ///
    /// ```
    /// let mut writer = jsonx_msgpack::Writer::new();
    /// writer.bin(&[1, 2])?;
    /// assert_eq!(writer.as_bytes(), b"\xc4\x02\x01\x02");
    /// # Ok::<(), jsonx_msgpack::TooLong>(())
    /// ```
    pub fn bin(&mut self, value: &[u8]) -> Result<(), TooLong> {
        self.data(lengths(length(value)?, 0xc4), value);
        Ok(())
    }

    /// Writes an extension: a type, which is negative for those of the specification, and its data.
    ///
    /// # Errors
    ///
    /// [`TooLong`] beyond 2³² − 1 bytes.
    ///
    /// ```
    /// let mut writer = jsonx_msgpack::Writer::new();
    /// writer.ext(5, &[1, 2])?;
    /// writer.ext(-1, &[0; 3])?;
    /// assert_eq!(writer.as_bytes(), b"\xd5\x05\x01\x02\xc7\x03\xff\0\0\0");
    /// # Ok::<(), jsonx_msgpack::TooLong>(())
    /// ```
    pub fn ext(&mut self, kind: i8, value: &[u8]) -> Result<(), TooLong> {
        let length = length(value)?;
        let (mut header, mut size) = match length {
            1 | 2 | 4 | 8 | 16 => ([0xd4 + length.trailing_zeros() as u8, 0, 0, 0, 0, 0], 1),
            _ => {
                let (header, size) = lengths(length, 0xc7);
                let [a, b, c, d, e] = header;
                ([a, b, c, d, e, 0], size)
            }
        };
        header[size] = kind as u8;
        size += 1;
        self.buffer.append(&header[..size]);
        self.buffer.append(value);
        Ok(())
    }

    /// Begins an array of `length` values, which the caller writes next.
    ///
    /// ```
    /// let mut writer = jsonx_msgpack::Writer::new();
    /// writer.array(15);
    /// writer.array(16);
    /// assert_eq!(writer.as_bytes(), b"\x9f\xdc\x00\x10");
    /// ```
    #[inline]
    pub fn array(&mut self, length: u32) {
        self.container(length, 0x90, 0xdc)
    }

    /// Begins a map of `length` pairs, whose keys and values the caller writes next.
    ///
    /// ```
    /// let mut writer = jsonx_msgpack::Writer::new();
    /// writer.map(0);
    /// writer.map(65_536);
    /// assert_eq!(writer.as_bytes(), b"\x80\xdf\x00\x01\x00\x00");
    /// ```
    #[inline]
    pub fn map(&mut self, length: u32) {
        self.container(length, 0x80, 0xde)
    }

    /// Begins a container.
    #[inline]
    pub(super) fn begin(&mut self, is_map: bool, length: u32) {
        match is_map {
            true => self.map(length),
            false => self.array(length),
        }
    }

    /// Writes a string that is known to be UTF-8.
    #[inline]
    pub(super) fn utf8(&mut self, value: &[u8]) -> Result<(), TooLong> {
        let size = value.len();
        if size < 32 {
            let room = self.buffer.room(1 + size);
            room[0] = 0xa0 | size as u8;
            room[1..1 + size].copy_from_slice(value);
            self.buffer.advance(1 + size);
            return Ok(());
        }
        self.data(lengths(length(value)?, 0xd9), value);
        Ok(())
    }

    #[inline(always)]
    fn byte(&mut self, byte: u8) {
        self.buffer.room(1)[0] = byte;
        self.buffer.advance(1);
    }

    /// Writes the first byte of a form and the low bytes of `bits`.
    #[inline(always)]
    fn number(&mut self, bits: u64, form: Form) {
        // Left-aligned, so that eight bytes can be stored for every size.
        let aligned = (bits << (64 - 8 * u32::from(form.payload))).to_be_bytes();
        if let Some([first, rest @ ..]) = self.buffer.room(9).first_chunk_mut::<9>() {
            *first = form.first;
            *rest = aligned;
        }
        self.buffer.advance(1 + usize::from(form.payload));
    }

    #[inline]
    fn container(&mut self, length: u32, fixed: u8, first: u8) {
        match length {
            0..16 => self.byte(fixed | length as u8),
            16..=0xffff => self.number(u64::from(length), Form { first, payload: 2 }),
            _ => self.number(
                u64::from(length),
                Form {
                    first: first + 1,
                    payload: 4,
                },
            ),
        }
    }

    fn data(&mut self, (header, size): ([u8; 5], usize), value: &[u8]) {
        self.buffer.append(&header[..size]);
        self.buffer.append(value);
    }
}

fn length(value: &[u8]) -> Result<u32, TooLong> {
    u32::try_from(value.len()).map_err(|_| TooLong)
}

/// The header of data of this length. `first` is the first byte of the form with a length of one byte.
fn lengths(length: u32, first: u8) -> ([u8; 5], usize) {
    let [a, b, c, d] = length.to_be_bytes();
    match length {
        0..=0xff => ([first, d, 0, 0, 0], 2),
        0x100..=0xffff => ([first + 1, c, d, 0, 0], 3),
        _ => ([first + 2, a, b, c, d], 5),
    }
}
