//! A reference parser of JSON, as plain as possible: byte by byte, without carried state, and with UTF-8 left to the standard
//! library. It shares nothing with the engine, which is compared with it here and in core's `agreement.rs`.

/// The first byte at which `text` is no longer the beginning of any valid text, or its length if it only ends too early;
/// None if it is valid: one value, or with `stream` any number of them.
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
    // Up to the first byte that is not UTF-8 the grammar does not depend on whether it is.
    [grammar, not_utf8(text)].into_iter().flatten().min()
}

/// The first byte at which `text` is no longer the beginning of any UTF-8.
fn not_utf8(text: &[u8]) -> Option<usize> {
    let error = std::str::from_utf8(text).err()?;
    let start = error.valid_up_to();
    match (error.error_len(), text[start]) {
        (None, _) => Some(text.len()),
        // A byte that begins no sequence.
        (Some(_), 0x80..=0xC1 | 0xF5..) => Some(start),
        (Some(length), _) => Some(start + length),
    }
}

/// What may come next, outside of strings, numbers and literals.
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
    /// All values at the root. The error is where.
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

    /// One value at the root, with everything in it.
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

    /// A number or a literal goes on to the next white space, structural byte or quote: `1true` is no stream of two.
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

    /// Takes the next byte if it is such a one.
    fn skips(&mut self, is: impl Fn(u8) -> bool) -> bool {
        let skips = self.peek().is_some_and(is);
        self.at += usize::from(skips);
        skips
    }

    /// Takes the next byte, which must be such a one.
    fn wants(&mut self, is: impl Fn(u8) -> bool) -> Result<(), usize> {
        match self.skips(is) {
            true => Ok(()),
            false => Err(self.at),
        }
    }
}
