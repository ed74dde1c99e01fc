//! Injects single realistic faults into valid documents.

use std::ops::Range;

/// A small random number generator (SplitMix64): a seed gives the same faults on every machine.
pub struct Random(pub u64);

impl Random {
    /// The next number.
    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below a limit.
    pub fn below(&mut self, limit: usize) -> usize {
        (self.draw() % limit as u64) as usize
    }

    fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        if items.is_empty() {
            None
        } else {
            items.get(self.below(items.len()))
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Piece {
    Open,
    Close,
    Comma,
    Colon,
    Key,
    String,
    Number,
    Literal,
}

#[derive(Clone, Debug)]
struct Token {
    piece: Piece,
    at: Range<usize>,
    /// Whether the token is in an object, or opens or closes one.
    object: bool,
}

/// A valid document, split into tokens.
pub struct Document {
    /// Its path, for messages.
    pub name: String,
    /// Its text.
    pub text: Vec<u8>,
    tokens: Vec<Token>,
}

impl Document {
    /// Splits a valid text into tokens.
    pub fn new(name: String, text: Vec<u8>) -> Self {
        let mut tokens: Vec<Token> = Vec::new();
        let mut stack: Vec<bool> = Vec::new();
        let mut at = 0;
        while at < text.len() {
            let start = at;
            at += 1;
            let piece = match text[start] {
                b'{' | b'[' => {
                    stack.push(text[start] == b'{');
                    Piece::Open
                }
                b'}' | b']' => Piece::Close,
                b',' => Piece::Comma,
                b':' => Piece::Colon,
                b'"' => {
                    while text[at] != b'"' {
                        at += if text[at] == b'\\' { 2 } else { 1 };
                    }
                    at += 1;
                    let opened = tokens
                        .last()
                        .is_some_and(|t| matches!(t.piece, Piece::Open | Piece::Comma));
                    if stack.last() == Some(&true) && opened {
                        Piece::Key
                    } else {
                        Piece::String
                    }
                }
                byte if byte.is_ascii_whitespace() => continue,
                byte => {
                    while at < text.len()
                        && (text[at].is_ascii_alphanumeric() || b"+-.".contains(&text[at]))
                    {
                        at += 1;
                    }
                    if byte.is_ascii_alphabetic() {
                        Piece::Literal
                    } else {
                        Piece::Number
                    }
                }
            };
            let object = stack.last() == Some(&true);
            if piece == Piece::Close {
                stack.pop();
            }
            tokens.push(Token {
                piece,
                at: start..at,
                object,
            });
        }
        Document { name, text, tokens }
    }

    /// The same document on one line, without white space between tokens.
    pub fn minified(&self) -> Document {
        let text = self
            .tokens
            .iter()
            .flat_map(|token| self.text[token.at.clone()].to_vec())
            .collect();
        Document::new(format!("{} (minified)", self.name), text)
    }

    fn find(
        &self,
        random: &mut Random,
        wanted: impl Fn(&Token, &[u8]) -> bool,
    ) -> Option<Range<usize>> {
        let found: Vec<&Token> = self
            .tokens
            .iter()
            .filter(|token| wanted(token, &self.text[token.at.clone()]))
            .collect();
        random.pick(&found).map(|token| token.at.clone())
    }
}

/// One edit: the range to replace and the replacement. The mistake is at the edit, unless `lead` moves it.
#[derive(Clone, Debug)]
pub struct Fault {
    /// One of [`KINDS`].
    pub kind: &'static str,
    /// The bytes that are replaced.
    pub replaced: Range<usize>,
    /// The replacement.
    pub by: Vec<u8>,
    /// The number of bytes of the replacement before the position to blame.
    pub lead: usize,
}

/// The kinds of fault.
pub const KINDS: [&str; 55] = [
    "no-comma",
    "two-commas",
    "trailing-comma",
    "no-colon",
    "equals",
    "semicolon",
    "comma-for-colon",
    "colon-for-comma",
    "no-brace",
    "no-bracket",
    "no-opener",
    "extra-closer",
    "other-closer",
    "key-no-opening-quote",
    "key-no-closing-quote",
    "no-opening-quote",
    "no-closing-quote",
    "single-quotes",
    "mixed-quotes",
    "repeated-quote",
    "bare-key",
    "bare-value",
    "bare-element",
    "unit",
    "smart-quotes",
    "python-literal",
    "typo",
    "leading-zero",
    "plus",
    "point",
    "hexadecimal",
    "not-a-number",
    "bad-escape",
    "line-break",
    "carriage-return",
    "lines-of-code",
    "tab",
    "inner-quotes",
    "inner-quotes-and-comma",
    "comment",
    "latin-1",
    "cut-character",
    "minus",
    "emphasis",
    "no-break-space",
    "truncated",
    "no-value",
    "no-key",
    "ellipsis",
    "placeholder",
    "second-document",
    "trailing-text",
    "digit-separator",
    "short-unicode-escape",
    "lone-surrogate",
];

/// Faults after which the original text cannot be recovered.
pub const UNFIXABLE: [&str; 8] = [
    "truncated",
    "latin-1",
    "no-key",
    "no-value",
    "ellipsis",
    "placeholder",
    "second-document",
    "trailing-text",
];

/// A fault of this kind, if the document has a suitable token.
pub fn inject(document: &Document, kind: &'static str, random: &mut Random) -> Option<Fault> {
    let find =
        |random: &mut Random, piece: Piece| document.find(random, |token, _| token.piece == piece);
    let fault = |replaced: Range<usize>, by: &[u8]| {
        Some(Fault {
            kind,
            replaced,
            by: by.to_vec(),
            lead: 0,
        })
    };
    let text = &document.text;
    let point = |at: usize| at..at;
    let is_value =
        |token: &Token| matches!(token.piece, Piece::String | Piece::Number | Piece::Literal);
    // A string long enough for an insertion.
    let long = |token: &Token, raw: &[u8]| {
        token.piece == Piece::String && raw.len() > 5 && !raw.contains(&b'\\')
    };
    match kind {
        "no-comma" => fault(find(random, Piece::Comma)?, b""),
        "two-commas" => fault(point(find(random, Piece::Comma)?.end), b","),
        "trailing-comma" => {
            let closers = (1..document.tokens.len()).filter(|&i| {
                document.tokens[i].piece == Piece::Close
                    && document.tokens[i - 1].piece != Piece::Open
            });
            let &i = random.pick(&closers.collect::<Vec<_>>())?;
            fault(point(document.tokens[i - 1].at.end), b",")
        }
        "no-colon" => fault(find(random, Piece::Colon)?, b""),
        "equals" => fault(find(random, Piece::Colon)?, b"="),
        "semicolon" => fault(find(random, Piece::Comma)?, b";"),
        "comma-for-colon" => {
            // Elsewhere, an array may have been meant.
            let colons = (3..document.tokens.len()).filter(|&i| {
                document.tokens[i].piece == Piece::Colon
                    && document.tokens[i - 2].piece == Piece::Comma
            });
            let &i = random.pick(&colons.collect::<Vec<_>>())?;
            fault(document.tokens[i].at.clone(), b",")
        }
        "colon-for-comma" => fault(
            document.find(random, |token, _| {
                token.piece == Piece::Comma && token.object
            })?,
            b":",
        ),
        "no-brace" => fault(document.find(random, |_, raw| raw == b"}")?, b""),
        "no-bracket" => fault(document.find(random, |_, raw| raw == b"]")?, b""),
        "no-opener" => fault(find(random, Piece::Open)?, b""),
        "extra-closer" => {
            let inner: Vec<&Token> = document
                .tokens
                .iter()
                .filter(|token| token.piece == Piece::Close)
                .collect();
            let token = random.pick(&inner)?;
            fault(point(token.at.end), &text[token.at.clone()])
        }
        "other-closer" => {
            let at = find(random, Piece::Close)?;
            let other: &[u8] = if text[at.start] == b'}' { b"]" } else { b"}" };
            fault(at, other)
        }
        "key-no-opening-quote" => fault(quote(find(random, Piece::Key)?, true), b""),
        "key-no-closing-quote" => fault(quote(find(random, Piece::Key)?, false), b""),
        "no-opening-quote" => fault(
            quote(
                document.find(random, |t, raw| t.piece == Piece::String && raw.len() > 2)?,
                true,
            ),
            b"",
        ),
        "no-closing-quote" => fault(
            quote(
                document.find(random, |t, raw| t.piece == Piece::String && raw.len() > 2)?,
                false,
            ),
            b"",
        ),
        "single-quotes" | "smart-quotes" => {
            let at = document.find(random, |t, raw| {
                matches!(t.piece, Piece::String | Piece::Key)
                    && !raw.contains(&b'\'')
                    && !raw.contains(&b'\\')
            })?;
            let inside = std::str::from_utf8(&text[at.start + 1..at.end - 1]).ok()?;
            let new = if kind == "single-quotes" {
                format!("'{inside}'")
            } else {
                format!("“{inside}”")
            };
            fault(at, new.as_bytes())
        }
        "bare-key" => {
            let at = document.find(random, |t, raw| t.piece == Piece::Key && is_name(raw))?;
            fault(at.clone(), &text[at.start + 1..at.end - 1])
        }
        "bare-value" => {
            let at = document.find(random, |t, raw| t.piece == Piece::String && is_name(raw))?;
            fault(at.clone(), &text[at.start + 1..at.end - 1])
        }
        "bare-element" => {
            let at = document.find(random, |t, _| is_value(t) && !t.object)?;
            fault(point(at.end), b" BOGUS").map(|f| Fault { lead: 1, ..f })
        }
        "unit" => {
            let at = document.find(random, |t, _| t.piece == Piece::Number && t.object)?;
            blame(at.start, fault(at.clone(), &[&text[at], b" kg"].concat()))
        }
        "mixed-quotes" => {
            let at = document.find(random, |t, raw| {
                matches!(t.piece, Piece::String | Piece::Key)
                    && raw.iter().all(|byte| !b"'`\\".contains(byte))
            })?;
            fault(quote(at, true), [b"'", b"`"][random.below(2)])
        }
        "repeated-quote" => {
            let at = document.find(random, |t, raw| {
                matches!(t.piece, Piece::String | Piece::Key) && raw.len() > 2
            })?;
            fault(point(at.end), b"\"")
        }
        "python-literal" => {
            let at = find(random, Piece::Literal)?;
            let new: &[u8] = match text[at.start] {
                b't' => b"True",
                b'f' => b"False",
                _ => b"None",
            };
            fault(at, new)
        }
        "typo" => {
            let at = find(random, Piece::Literal)?;
            let new: &[u8] = match text[at.start] {
                b't' => b"ture",
                b'f' => b"fasle",
                _ => b"nul",
            };
            fault(at, new)
        }
        "leading-zero" => {
            let at = document.find(random, |t, raw| {
                t.piece == Piece::Number && raw[0].is_ascii_digit()
            })?;
            fault(point(at.start), b"0")
        }
        "plus" => {
            let at = document.find(random, |t, raw| {
                t.piece == Piece::Number && raw[0].is_ascii_digit()
            })?;
            fault(point(at.start), b"+")
        }
        "point" => {
            let at = document.find(random, |t, raw| {
                t.piece == Piece::Number && raw.iter().all(u8::is_ascii_digit)
            })?;
            blame(at.start, fault(at.clone(), &[&text[at], b"."].concat()))
        }
        "hexadecimal" => fault(find(random, Piece::Number)?, b"0x1F"),
        "not-a-number" => fault(find(random, Piece::Number)?, b"NaN"),
        "digit-separator" => {
            let at = document.find(random, |t, raw| {
                t.piece == Piece::Number
                    && raw.len() > 1
                    && raw[0] != b'0'
                    && raw.iter().all(u8::is_ascii_digit)
            })?;
            let (head, tail) = text[at.clone()].split_at(1);
            fault(at, &[head, b"_", tail].concat())
        }
        "bad-escape" => inside(document.find(random, long)?, random, text, kind, b"\\d"),
        "short-unicode-escape" => {
            let mut fault = inside(document.find(random, long)?, random, text, kind, b"\\u12")?;
            fault.by.push(b' ');
            Some(fault)
        }
        "lone-surrogate" => inside(document.find(random, long)?, random, text, kind, b"\\ud83d"),
        "line-break" => inside(document.find(random, long)?, random, text, kind, b"\n"),
        "carriage-return" => inside(document.find(random, long)?, random, text, kind, b"\r"),
        "lines-of-code" => {
            let code = b"\ntry:\n    f(x)  # {y: 1},\n";
            inside(document.find(random, long)?, random, text, kind, code)
        }
        "inner-quotes-and-comma" => {
            let said = b" \"so\", then ";
            inside(document.find(random, long)?, random, text, kind, said)
        }
        "tab" => inside(document.find(random, long)?, random, text, kind, b"\t"),
        "inner-quotes" => inside(document.find(random, long)?, random, text, kind, b"\"so\""),
        "latin-1" => inside(document.find(random, long)?, random, text, kind, b"\xE9"),
        "cut-character" => {
            let cut = [&b"\xE2\x82"[..], b"\xF0\x9F", b"\xF0\x9F\x98"][random.below(3)];
            inside(document.find(random, long)?, random, text, kind, cut)
        }
        "minus" => fault(find(random, Piece::Number)?, b"-"),
        "emphasis" => {
            let marked: [&[u8]; 5] = [
                b"**so, so**",
                b"*so, so*",
                b"__so, so__",
                b"~~so, so~~",
                b"so **so, so** so",
            ];
            fault(find(random, Piece::String)?, marked[random.below(5)])
        }
        "comment" => {
            let at = find(random, Piece::Comma)?.end;
            let line_ends = matches!(text.get(at), Some(b'\n'));
            fault(
                point(at),
                if line_ends {
                    b" // see above"
                } else {
                    b"/* see above */"
                },
            )
            .map(|fault| Fault {
                lead: usize::from(line_ends),
                ..fault
            })
        }
        "no-break-space" => fault(point(find(random, Piece::Colon)?.end), "\u{a0}".as_bytes()),
        "truncated" => {
            let at = 2 + random.below(text.len() - 4);
            fault(at..text.len(), b"")
        }
        "no-value" => {
            let at: Vec<&Token> = document
                .tokens
                .iter()
                .filter(|t| is_value(t) && t.object)
                .collect();
            fault(random.pick(&at)?.at.clone(), b"")
        }
        "no-key" => fault(find(random, Piece::Key)?, b""),
        "ellipsis" => {
            let at: Vec<&Token> = document
                .tokens
                .iter()
                .filter(|t| is_value(t) && !t.object)
                .collect();
            fault(random.pick(&at)?.at.clone(), b"...")
        }
        "placeholder" => {
            let at: Vec<&Token> = document.tokens.iter().filter(|t| is_value(t)).collect();
            fault(random.pick(&at)?.at.clone(), b"{{ value }}")
        }
        "second-document" => {
            fault(point(text.len()), b"\n{\"again\": true}").map(|f| Fault { lead: 1, ..f })
        }
        "trailing-text" => {
            fault(point(text.len()), b"\nDone in 3 s").map(|f| Fault { lead: 1, ..f })
        }
        _ => unreachable!("{kind} is in the list"),
    }
}

/// The opening or the closing quote of a string.
fn quote(at: Range<usize>, opening: bool) -> Range<usize> {
    if opening {
        at.start..at.start + 1
    } else {
        at.end - 1..at.end
    }
}

/// Blames the whole token that starts at `start`.
fn blame(start: usize, fault: Option<Fault>) -> Option<Fault> {
    fault.map(|fault| Fault {
        lead: start - fault.replaced.start,
        ..fault
    })
}

/// Inserts something into a string, between two of its characters.
fn inside(
    at: Range<usize>,
    random: &mut Random,
    text: &[u8],
    kind: &'static str,
    by: &[u8],
) -> Option<Fault> {
    let places: Vec<usize> = (at.start + 2..at.end - 2)
        .filter(|&i| text[i].is_ascii_alphanumeric() && text[i - 1].is_ascii_alphanumeric())
        .collect();
    let &place = random.pick(&places)?;
    Some(Fault {
        kind,
        replaced: place..place,
        by: by.to_vec(),
        lead: 0,
    })
}

/// Whether a string holds a plain name that is not a literal.
fn is_name(raw: &[u8]) -> bool {
    let inside = &raw[1..raw.len() - 1];
    inside.first().is_some_and(u8::is_ascii_alphabetic)
        && inside.iter().all(u8::is_ascii_alphanumeric)
        && ![
            &b"on"[..],
            b"off",
            b"yes",
            b"no",
            b"true",
            b"false",
            b"null",
        ]
        .contains(&inside)
}

/// Applies the faults. Returns the result and the position of each fault in it.
pub fn apply(text: &[u8], faults: &[&Fault]) -> (Vec<u8>, Vec<Range<usize>>) {
    let mut order: Vec<&&Fault> = faults.iter().collect();
    order.sort_by_key(|fault| fault.replaced.start);
    let mut out = Vec::new();
    let mut places = Vec::new();
    let mut done = 0;
    for fault in order {
        out.extend_from_slice(&text[done..fault.replaced.start]);
        let start = out.len() + fault.lead;
        out.extend_from_slice(&fault.by);
        places.push(start..out.len().max(start));
        done = fault.replaced.end;
    }
    out.extend_from_slice(&text[done..]);
    (out, places)
}

/// Whether `at` is the expected position, give or take one byte, ignoring white space between tokens: a bracket
/// missing between two tokens may be inserted before or after a line break there.
pub fn is_exact(text: &[u8], place: &Range<usize>, at: usize) -> bool {
    let blank = |range: Range<usize>| {
        text[range]
            .iter()
            .filter(|byte| !byte.is_ascii_whitespace())
            .count()
    };
    let distance = match () {
        () if at < place.start => blank(at..place.start),
        () if at > place.end => blank(place.end..at),
        () => 0,
    };
    distance <= 1
}
