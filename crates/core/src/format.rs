//! Formatting: a walk over verified tokens that changes white space and nothing else.

use core::convert::Infallible;

use crate::token::{Chunk, Sink, Wanted, trim_end};

/// Where formatted bytes go.
pub trait Output {
    /// Why it takes no more.
    type Error;

    /// Takes the next bytes, all of them.
    ///
    /// # Errors
    ///
    /// When it cannot.
    fn write(&mut self, bytes: &[u8]) -> Result<(), Self::Error>;
}

impl Output for Vec<u8> {
    type Error = Infallible;

    fn write(&mut self, bytes: &[u8]) -> Result<(), Infallible> {
        self.extend_from_slice(bytes);
        Ok(())
    }
}

/// How formatted text looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// No white space at all.
    Compact,
    /// One element or member a line, `{}` and `[]` closed up, one space after the colon: the look of `jq .`.
    Pretty(Indent),
}

/// One step of indentation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Indent {
    /// So many spaces.
    Spaces(u8),
    /// A tab.
    Tab,
}

impl Indent {
    fn bytes(self) -> (u8, usize) {
        match self {
            Indent::Spaces(count) => (b' ', count as usize),
            Indent::Tab => (b'\t', 1),
        }
    }
}

/// A sink that writes the text it is handed in another style, each value at the root on lines of its own. The text
/// of numbers and strings, the order of keys and duplicates stay byte for byte.
///
/// ```
/// use jsonx_core::{Formatter, Indent, Options, Style, Validator};
///
/// let mut formatter = Formatter::new(Style::Pretty(Indent::Spaces(2)), Vec::new());
/// Validator::new(Options::default()).finish(br#"{"a":[1.50,{}]}"#, &mut formatter).unwrap();
/// let pretty = formatter.finish().unwrap();
/// assert_eq!(pretty, b"{\n  \"a\": [\n    1.50,\n    {}\n  ]\n}\n");
/// ```
#[derive(Debug)]
pub struct Formatter<O> {
    output: O,
    page: Page,
    style: Style,
    /// A line feed and as much indentation as has been needed so far.
    line: Vec<u8>,
    before: Class,
    depth: usize,
}

/// What decides about the white space around a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
enum Class {
    Value,
    Open,
    Close,
    Colon,
    Comma,
    /// Before the first token.
    Start,
}

/// The class of a token by its kind.
const CLASSES: [Class; 256] = {
    let mut classes = [Class::Value; 256];
    classes[b'{' as usize] = Class::Open;
    classes[b'[' as usize] = Class::Open;
    classes[b'}' as usize] = Class::Close;
    classes[b']' as usize] = Class::Close;
    classes[b':' as usize] = Class::Colon;
    classes[b',' as usize] = Class::Comma;
    classes
};

/// What stands before a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Gap {
    None,
    Space,
    Line,
}

/// What stands between two tokens that follow one another, by the classes of the first and the second. Values
/// follow one another, without a comma, only at the root.
const fn gap(before: Class, class: Class, pretty: bool) -> Gap {
    match (before, class) {
        (Class::Start, _) | (_, Class::Colon | Class::Comma) | (Class::Open, Class::Close) => {
            Gap::None
        }
        (Class::Value | Class::Close, Class::Value | Class::Open) => Gap::Line,
        _ if !pretty => Gap::None,
        (Class::Colon, _) => Gap::Space,
        _ => Gap::Line,
    }
}

/// [`gap`] as a table, by style and classes.
const GAPS: [[[Gap; 6]; 6]; 2] = {
    const ALL: [Class; 6] = [
        Class::Value,
        Class::Open,
        Class::Close,
        Class::Colon,
        Class::Comma,
        Class::Start,
    ];
    let mut gaps = [[[Gap::None; 6]; 6]; 2];
    let mut i = 0;
    while i < 36 {
        gaps[0][i / 6][i % 6] = gap(ALL[i / 6], ALL[i % 6], false);
        gaps[1][i / 6][i % 6] = gap(ALL[i / 6], ALL[i % 6], true);
        i += 1;
    }
    gaps
};

impl<O: Output> Formatter<O> {
    /// A formatter that writes to `output`.
    pub fn new(style: Style, output: O) -> Self {
        Formatter {
            output,
            page: Page::default(),
            style,
            line: vec![b'\n'],
            before: Class::Start,
            depth: 0,
        }
    }

    /// Hands all that has been formatted so far to the output.
    ///
    /// # Errors
    ///
    /// Those of the output.
    pub fn flush(&mut self) -> Result<(), O::Error> {
        self.page.flush(&mut self.output)
    }

    /// Ends the last line and returns the output. To be called when the validator has finished.
    ///
    /// # Errors
    ///
    /// Those of the output.
    pub fn finish(mut self) -> Result<O, O::Error> {
        if self.before != Class::Start {
            self.page.append(b"\n", &mut self.output)?;
        }
        self.flush()?;
        Ok(self.output)
    }

    /// The output, to see how much has reached it.
    pub fn output(&mut self) -> &mut O {
        &mut self.output
    }

    /// One token after the other.
    fn tokens(&mut self, chunk: &Chunk<'_>) -> Result<(), O::Error> {
        let (pretty, fill, step) = match self.style {
            Style::Compact => (0, b' ', 0),
            Style::Pretty(indent) => (1, indent.bytes().0, indent.bytes().1),
        };
        self.page.append(chunk.before_first(), &mut self.output)?;
        let (mut before, mut depth) = (self.before, self.depth);
        for (index, (&kind, &from)) in chunk.kinds.iter().zip(chunk.offsets).enumerate() {
            let from = from as usize;
            let class = CLASSES[kind as usize];
            let gap = GAPS[pretty][before as usize][class as usize];
            // A squeezed chunk does not count its levels, and compact text does not need them.
            depth = depth.wrapping_sub(usize::from(class == Class::Close));
            let raw = match class {
                Class::Value => match chunk.offsets.get(index + 1) {
                    Some(&next) => trim_end(&chunk.bytes[from..next as usize]),
                    None if chunk.ends_in_string => &chunk.bytes[from..],
                    None => trim_end(&chunk.bytes[from..]),
                },
                _ => &chunk.bytes[from..from + 1],
            };
            if gap == Gap::Line {
                let length = 1 + depth.wrapping_mul(step);
                if self.line.len() < length {
                    self.line.resize(length, fill);
                }
                self.page.append(&self.line[..length], &mut self.output)?;
            } else if gap == Gap::Space {
                self.page.append(b" ", &mut self.output)?;
            }
            self.page.append(raw, &mut self.output)?;
            depth = depth.wrapping_add(usize::from(class == Class::Open));
            before = class;
        }
        (self.before, self.depth) = (before, depth);
        Ok(())
    }
}

impl<O: Output> Sink for Formatter<O> {
    type Error = O::Error;

    fn wanted(&self) -> Wanted {
        match self.style {
            Style::Compact => Wanted::TokensAndSqueezed,
            Style::Pretty(_) => Wanted::Tokens,
        }
    }

    fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<(), O::Error> {
        // A text of one value is squeezed, and that is all. Where a chunk begins another value, there must be a line
        // between the two.
        if self.style == Style::Compact && chunk.further_roots == 0 {
            if let Some(&last) = chunk.kinds.last() {
                self.before = CLASSES[last as usize];
            }
            return self.page.append(chunk.squeezed, &mut self.output);
        }
        self.tokens(chunk)
    }
}

/// Bytes on their way to the output, gathered so that it gets few and large pieces.
#[derive(Debug, Default)]
struct Page {
    bytes: Vec<u8>,
}

/// How many bytes are gathered. 64 KiB to 1 MiB measured the same; more leaves the second-level cache.
const PAGE: usize = 128 << 10;

impl Page {
    #[inline]
    fn append<O: Output>(&mut self, bytes: &[u8], output: &mut O) -> Result<(), O::Error> {
        if self.bytes.len() + bytes.len() > PAGE {
            return self.turn(bytes, output);
        }
        self.bytes.extend_from_slice(bytes);
        Ok(())
    }

    #[cold]
    fn turn<O: Output>(&mut self, bytes: &[u8], output: &mut O) -> Result<(), O::Error> {
        self.flush(output)?;
        match bytes.len() > PAGE {
            true => output.write(bytes),
            false => {
                self.bytes.extend_from_slice(bytes);
                Ok(())
            }
        }
    }

    fn flush<O: Output>(&mut self, output: &mut O) -> Result<(), O::Error> {
        if !self.bytes.is_empty() {
            output.write(&self.bytes)?;
            self.bytes.clear();
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::agreement::valid_text;
    use crate::{Kernel, Mode, Options, Validator};

    /// Formats a text that comes in windows of `size` bytes.
    fn format(text: &[u8], style: Style, options: Options, size: usize) -> Vec<u8> {
        let mut formatter = Formatter::new(style, Vec::new());
        let mut validator = Validator::new(options);
        let mut taken = 0;
        while text.len() - taken > size {
            taken += validator
                .feed(&text[taken..taken + size], &mut formatter)
                .expect("valid");
        }
        validator
            .finish(&text[taken..], &mut formatter)
            .expect("valid");
        formatter.finish().expect("infallible")
    }

    /// The look of `jq .`, byte after byte.
    fn naive(text: &[u8], style: Style) -> Vec<u8> {
        let step = match style {
            Style::Compact => None,
            Style::Pretty(Indent::Spaces(count)) => Some(" ".repeat(count as usize)),
            Style::Pretty(Indent::Tab) => Some("\t".to_owned()),
        };
        let line = |out: &mut Vec<u8>, depth: usize| {
            if let Some(step) = &step {
                out.push(b'\n');
                out.extend(step.repeat(depth).bytes());
            }
        };
        let (mut out, mut depth, mut at) = (Vec::new(), 0_usize, 0);
        while at < text.len() {
            let byte = text[at];
            let opened = matches!(out.last(), Some(b'{' | b'['));
            let mut end = at + 1;
            match byte {
                b' ' | b'\t' | b'\n' | b'\r' => {}
                b'}' | b']' => {
                    depth -= 1;
                    if !opened {
                        line(&mut out, depth);
                    }
                    out.push(byte);
                }
                b',' => out.push(byte),
                b':' => out.extend(if step.is_some() { &b": "[..] } else { b":" }),
                _ => {
                    if byte == b'"' {
                        while text[end] != b'"' {
                            end += if text[end] == b'\\' { 2 } else { 1 };
                        }
                        end += 1;
                    } else if !matches!(byte, b'{' | b'[') {
                        while end < text.len() && !b" \t\n\r,:{}[]\"".contains(&text[end]) {
                            end += 1;
                        }
                    }
                    match out.last() {
                        // Inside a container this is a place where a line begins; a colon is followed by its value.
                        Some(b'{' | b'[' | b',') => line(&mut out, depth),
                        Some(_) if depth == 0 => out.push(b'\n'),
                        _ => {}
                    }
                    out.extend(&text[at..end]);
                    depth += usize::from(matches!(byte, b'{' | b'['));
                }
            }
            at = end;
        }
        if !out.is_empty() {
            out.push(b'\n');
        }
        out
    }

    const STYLES: [Style; 5] = [
        Style::Compact,
        Style::Pretty(Indent::Spaces(2)),
        Style::Pretty(Indent::Spaces(0)),
        Style::Pretty(Indent::Spaces(7)),
        Style::Pretty(Indent::Tab),
    ];

    fn check(text: &[u8], mode: Mode) {
        for style in STYLES {
            let expected = naive(text, style);
            for kernel in Kernel::available() {
                let options = Options::default().mode(mode).kernel(kernel);
                for size in [64, 65, 200, 8192, usize::MAX] {
                    let formatted = format(text, style, options, size);
                    assert!(
                        formatted == expected,
                        "{kernel:?} {style:?} in windows of {size} made {:?} of {:?}",
                        String::from_utf8_lossy(&formatted),
                        String::from_utf8_lossy(text)
                    );
                }
            }
            // What was formatted is valid, and formats to itself.
            assert!(format(&expected, style, Options::default().mode(mode), 1000) == expected);
            assert!(
                format(
                    &expected,
                    Style::Compact,
                    Options::default().mode(mode),
                    1000
                ) == naive(text, Style::Compact)
            );
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]

        #[test]
        fn like_a_naive_loop(choices in prop::collection::vec(any::<u32>(), 0..400)) {
            check(&valid_text(&choices), Mode::One);
        }

        #[test]
        fn streams_like_a_naive_loop(
            texts in prop::collection::vec(prop::collection::vec(any::<u32>(), 0..60), 0..6),
            gap in prop::sample::select(&[" ", "\n", "\r\n\n"][..]),
        ) {
            let texts: Vec<_> = texts.iter().map(|choices| valid_text(choices)).collect();
            check(&texts.join(gap.as_bytes()), Mode::Stream);
        }
    }

    #[test]
    fn long_tokens_and_deep_indentation() {
        let long = "x".repeat(3 * PAGE);
        let text = format!(
            "{}{{\"{long}\": \"{long} \"  ,\"\":1{}   }}{}",
            "[".repeat(3000),
            "0".repeat(20_000),
            "]".repeat(3000)
        );
        check(text.as_bytes(), Mode::One);
    }

    #[test]
    fn nothing_is_nothing() {
        assert_eq!(
            format(
                b" \n",
                Style::Pretty(Indent::Tab),
                Options::default().mode(Mode::Stream),
                64
            ),
            b""
        );
    }
}
