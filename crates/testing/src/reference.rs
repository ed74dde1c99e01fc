//! A reference parser of JSON, as simple as possible: byte by byte, without carried state, with UTF-8 checked by the standard
//! library. It shares no code with the engine, which is compared with it here and in core's `agreement.rs`.

/// The first byte at which `text` is no longer a prefix of any valid text, or its length if it is truncated; `None` if
/// it is valid: one value, or with `stream` any number of values.
///
/// ```
/// use jsonx_testing::reference::first_error;
///
/// assert_eq!(first_error(b"[1, 2]", false), None);
/// assert_eq!(first_error(b"[1, 2,]", false), Some(6));
/// assert_eq!(first_error(b"[1, 2", false), Some(5));
/// assert_eq!(first_error(b"[\"\xE2\x82\"]", false), Some(4));
/// assert_eq!((first_error(b"1 2", false), first_error(b"1 2", true)), (Some(2), None));
/// ```
pub fn first_error(text: &[u8], stream: bool) -> Option<usize> {
    let grammar = Reader { text, at: 0 }.values(stream).err();
    // Up to the first byte that is not UTF-8, the grammar does not depend on the encoding.
    [grammar, not_utf8(text)].into_iter().flatten().min()
}

/// The first byte at which `text` is no longer a prefix of valid UTF-8.
fn not_utf8(text: &[u8]) -> Option<usize> {
    let error = std::str::from_utf8(text).err()?;
    let start = error.valid_up_to();
    match (error.error_len(), text[start]) {
        (None, _) => Some(text.len()),
        // Not the first byte of any sequence.
        (Some(_), 0x80..=0xC1 | 0xF5..) => Some(start),
        (Some(length), _) => Some(start + length),
    }
}

/// The tokens allowed next.
enum Next {
    Value,
    ValueOrClose,
    Key,
    KeyOrClose,
    Colon,
    CommaOrClose,
}

struct Reader<'t> {
    text: &'t [u8],
    at: usize,
}

impl Reader<'_> {
    /// All values at the root. The error is an offset.
    fn values(&mut self, stream: bool) -> Result<(), usize> {
        self.white_space();
        if stream && self.peek().is_none() {
            return Ok(());
        }
        self.value()?;
        self.white_space();
        while stream && self.peek().is_some() {
            self.value()?;
            self.white_space();
        }
        match self.peek() {
            Some(_) => Err(self.at),
            None => Ok(()),
        }
    }

    /// One value at the root.
    fn value(&mut self) -> Result<(), usize> {
        let mut open = Vec::new();
        let mut next = Next::Value;
        loop {
            self.white_space();
            let byte = self.peek().ok_or(self.at)?;
            next = match (next, byte) {
                (Next::Value | Next::ValueOrClose, b'{') => self.opens(&mut open, b'}'),
                (Next::Value | Next::ValueOrClose, b'[') => self.opens(&mut open, b']'),
                (Next::ValueOrClose, b']')
                | (Next::KeyOrClose, b'}')
                | (Next::CommaOrClose, b']' | b'}') => {
                    if open.pop() != Some(byte) {
                        return Err(self.at);
                    }
                    self.at += 1;
                    Next::CommaOrClose
                }
                (Next::Value | Next::ValueOrClose, _) => {
                    self.scalar(byte)?;
                    if byte != b'"' {
                        self.scalar_has_ended()?;
                    }
                    Next::CommaOrClose
                }
                (Next::Key | Next::KeyOrClose, b'"') => {
                    self.string()?;
                    Next::Colon
                }
                (Next::Colon, b':') => {
                    self.at += 1;
                    Next::Value
                }
                (Next::CommaOrClose, b',') => {
                    self.at += 1;
                    match open.last() {
                        Some(b'}') => Next::Key,
                        _ => Next::Value,
                    }
                }
                _ => return Err(self.at),
            };
            if open.is_empty() {
                return Ok(());
            }
        }
    }

    fn opens(&mut self, open: &mut Vec<u8>, close: u8) -> Next {
        self.at += 1;
        open.push(close);
        match close {
            b'}' => Next::KeyOrClose,
            _ => Next::ValueOrClose,
        }
    }

    fn scalar(&mut self, first: u8) -> Result<(), usize> {
        match first {
            b'"' => self.string(),
            b't' => self.word(b"true"),
            b'f' => self.word(b"false"),
            b'n' => self.word(b"null"),
            _ => self.number(),
        }
    }

    /// A number or a literal extends to the next white space, structural byte or quote: `1true` is not a stream of two values.
    fn scalar_has_ended(&self) -> Result<(), usize> {
        match self.peek() {
            None => Ok(()),
            Some(byte) if b" \t\n\r{}[]:,\"".contains(&byte) => Ok(()),
            Some(_) => Err(self.at),
        }
    }

    fn word(&mut self, word: &[u8]) -> Result<(), usize> {
        word.iter()
            .try_for_each(|&letter| self.wants(|byte| byte == letter))
    }

    fn number(&mut self) -> Result<(), usize> {
        self.skips(|byte| byte == b'-');
        match self.peek() {
            Some(b'0') => self.at += 1,
            _ => self.digits()?,
        }
        if self.skips(|byte| byte == b'.') {
            self.digits()?;
        }
        if self.skips(|byte| byte == b'e' || byte == b'E') {
            self.skips(|byte| byte == b'+' || byte == b'-');
            self.digits()?;
        }
        Ok(())
    }

    fn digits(&mut self) -> Result<(), usize> {
        self.wants(|byte| byte.is_ascii_digit())?;
        while self.skips(|byte| byte.is_ascii_digit()) {}
        Ok(())
    }

    fn string(&mut self) -> Result<(), usize> {
        self.wants(|byte| byte == b'"')?;
        loop {
            if self.skips(|byte| byte == b'"') {
                return Ok(());
            }
            if !self.skips(|byte| byte == b'\\') {
                self.wants(|byte| byte >= b' ')?;
            } else if self.skips(|byte| byte == b'u') {
                for _ in 0..4 {
                    self.wants(|byte| byte.is_ascii_hexdigit())?;
                }
            } else {
                self.wants(|byte| b"\"\\/bfnrt".contains(&byte))?;
            }
        }
    }

    fn white_space(&mut self) {
        while self.skips(|byte| b" \t\n\r".contains(&byte)) {}
    }

    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    /// Consumes the next byte if it satisfies `is`.
    fn skips(&mut self, is: impl Fn(u8) -> bool) -> bool {
        let skips = self.peek().is_some_and(is);
        self.at += usize::from(skips);
        skips
    }

    /// Consumes the next byte, which must satisfy `is`.
    fn wants(&mut self, is: impl Fn(u8) -> bool) -> Result<(), usize> {
        if self.skips(is) { Ok(()) } else { Err(self.at) }
    }
}
