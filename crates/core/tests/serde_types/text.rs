//! Texts for a shape: fitting, nearly fitting, and broken.

use super::choices::Choices;
use super::shape::{FIELDS, Key, Scalar, Shape, VARIANTS, Variant};

const SPACES: &[&str] = &["", "", "", "", " ", "\n", "\t\r\n ", "        "];

const INTEGERS: &[&str] = &[
    "0",
    "1",
    "-1",
    "-0",
    "127",
    "128",
    "-128",
    "-129",
    "255",
    "256",
    "32767",
    "-32769",
    "65535",
    "65536",
    "2147483647",
    "-2147483649",
    "4294967295",
    "4294967296",
    "9007199254740993",
    "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775808",
    "-9223372036854775809",
    "18446744073709551615",
    "18446744073709551616",
    "170141183460469231731687303715884105727",
    "170141183460469231731687303715884105728",
    "-170141183460469231731687303715884105728",
    "340282366920938463463374607431768211455",
    "340282366920938463463374607431768211456",
    "12345678",
    "123456789012345678",
];

const FLOATS: &[&str] = &[
    "0.0",
    "-0.0",
    "1.0",
    "1.5",
    "0.1",
    "1e0",
    "1E+2",
    "-1e-7",
    "16777217.0",
    "3.4028235e38",
    "3.4028236e38",
    "1e39",
    "1e308",
    "1.7976931348623159e308",
    "1e309",
    "-1e400",
    "5e-324",
    "2e-324",
    "1e-400",
    "1.000000059604644775390626",
    "123456789.123456789123456789",
    "0.000000000000000000000000000001",
    "9007199254740993.0",
    "65.613616999999977",
    "179769313486231580793728971405303415079934132710037826936173778980444968292764750946649017977587207096330286416692887910946555547851940402630657488671505820681908902000708383676273854845817711531764475730270069855571366959622842914819860834936475292719074168444365510704342711559699508093042880",
];

const STRINGS: &[&str] = &[
    "a",
    "",
    "é",
    "😀",
    "\\u00e9",
    "\\ud83d\\ude00",
    "\\n",
    "\\\"",
    "\\\\",
    "\\/",
    "x\\ty",
    "abcdefgh",
    "Unit",
    "a longer text of more than thirty-two bytes, all of them ASCII",
    "日本語のテキスト",
    "\\u0000",
    "1",
    "-5",
    "true",
    "1.5",
    "00",
    "\\u0031",
    " 1",
    "1 ",
    "+1",
    "1e2",
    "null",
];

const BROKEN: &[&str] = &[
    "\\ud800",
    "\\udc00",
    "\\ud800x",
    "\\ud800\\u0041",
    "\\u12",
    "\\x",
    "\\",
    "\n",
    "\u{1}",
];

pub(crate) struct Writer<'c, 'a> {
    pub(crate) choices: &'c mut Choices<'a>,
    pub(crate) text: Vec<u8>,
    /// One in this many values is replaced by another; none if 0.
    pub(crate) faults: usize,
}

impl Writer<'_, '_> {
    fn push(&mut self, text: &str) {
        self.text.extend_from_slice(text.as_bytes());
    }

    fn space(&mut self) {
        let space = self.choices.of(SPACES);
        self.push(space);
    }

    fn quoted(&mut self, contents: &str) {
        self.push("\"");
        self.push(contents);
        self.push("\"");
    }

    fn string(&mut self) {
        let contents = if self.faults > 0 && self.choices.once_in(8 * self.faults) {
            self.choices.of(BROKEN)
        } else {
            self.choices.of(STRINGS)
        };
        self.quoted(contents);
    }

    /// A name of a field or variant, sometimes with an escape.
    fn name(&mut self, name: &str) {
        let mut contents = name.replace('\\', "\\\\").replace('\n', "\\n");
        if self.choices.once_in(6)
            && let Some(first) = name.chars().next().filter(char::is_ascii_alphabetic)
        {
            contents.replace_range(..1, &format!("\\u{:04x}", first as u32));
        }
        self.quoted(&contents);
    }

    fn integer(&mut self) -> String {
        match self.choices.below(3) {
            0 => self.choices.below(300).to_string(),
            1 => self.choices.of(INTEGERS).to_owned(),
            _ => (self.choices.wide() as i64 >> self.choices.below(64)).to_string(),
        }
    }

    fn float(&mut self) -> String {
        match self.choices.below(4) {
            0 => self.choices.of(FLOATS).to_owned(),
            1 => {
                let float = f64::from_bits(self.choices.wide());
                if float.is_finite() {
                    format!("{float:e}")
                } else {
                    "1".to_owned()
                }
            }
            2 => format!("{}.{}", self.choices.below(1 << 20), self.choices.wide()),
            _ => self.integer(),
        }
    }

    fn scalar(&mut self, scalar: Scalar) {
        match scalar {
            Scalar::Bool => {
                let text = self.choices.of(&["true", "false"]);
                self.push(text);
            }
            Scalar::Unit => self.push("null"),
            Scalar::F32 | Scalar::F64 => {
                let text = self.float();
                self.push(&text);
            }
            Scalar::Char => {
                let text = self
                    .choices
                    .of(&["a", "é", "😀", "\\n", "\\ud83d\\ude00", "日"]);
                self.quoted(text);
            }
            Scalar::Str | Scalar::String | Scalar::Identifier | Scalar::Bytes | Scalar::ByteBuf => {
                self.string()
            }
            _ => {
                let text = self.integer();
                self.push(&text);
            }
        }
    }

    fn items(&mut self, brackets: [&str; 2], count: usize, mut item: impl FnMut(&mut Self, usize)) {
        self.push(brackets[0]);
        self.space();
        for index in 0..count {
            if index > 0 {
                self.push(",");
                self.space();
            }
            item(self, index);
            self.space();
        }
        self.push(brackets[1]);
    }

    fn array(&mut self, shapes: &[Shape]) {
        self.items(["[", "]"], shapes.len(), |writer, index| {
            writer.value(&shapes[index])
        });
    }

    /// The fields in any order, some missing or duplicate, and unknown ones.
    fn fields(&mut self, shapes: &[Shape]) {
        let mut order: Vec<usize> = (0..shapes.len()).collect();
        if self.choices.once_in(3) && !order.is_empty() {
            let by = self.choices.below(order.len());
            order.rotate_left(by);
        }
        if self.faults > 0 && self.choices.once_in(4) {
            order.push(self.choices.below(FIELDS.len()));
        }
        if self.faults > 0 && self.choices.once_in(4) {
            order.pop();
        }
        self.items(["{", "}"], order.len(), |writer, index| {
            let field = order[index];
            writer.name(FIELDS[field]);
            writer.space();
            writer.push(":");
            writer.space();
            writer.value(shapes.get(field).unwrap_or(&Shape::Any));
        });
    }

    fn key(&mut self, key: &Key) {
        let scalar = match key {
            Key::Scalar(scalar) => *scalar,
            Key::Shape(shape) => match &**shape {
                Shape::Scalar(scalar) | Shape::Hint(scalar) => *scalar,
                Shape::Enum(_) => {
                    let name = self.choices.of(&VARIANTS);
                    return self.name(name);
                }
                Shape::Option(inner) | Shape::Newtype(inner) => {
                    return self.key(&Key::Shape(inner.clone()));
                }
                _ => Scalar::String,
            },
        };
        match scalar {
            Scalar::Bool | Scalar::F32 | Scalar::F64 => {
                if self.choices.once_in(12) {
                    return self.quoted("\\u0074rue");
                }
                self.push("\"");
                self.scalar(scalar);
                self.push("\"");
            }
            Scalar::Char | Scalar::Unit => self.scalar(Scalar::Char),
            Scalar::Str | Scalar::String | Scalar::Identifier | Scalar::Bytes | Scalar::ByteBuf => {
                self.string();
            }
            _ => {
                let mut text = self.integer();
                if self.choices.once_in(12) {
                    text.insert_str(0, "\\u0031");
                }
                self.quoted(&text);
            }
        }
    }

    fn any(&mut self) {
        let shape = Shape::choose(self.choices, 2);
        // The output is bounded by the choices.
        match shape {
            Shape::Any | Shape::Ignored | Shape::First(_) => self.string(),
            shape => self.value(&shape),
        }
    }

    pub(crate) fn value(&mut self, shape: &Shape) {
        if self.faults > 0 && self.choices.once_in(self.faults) {
            return self.any();
        }
        match shape {
            Shape::Any | Shape::Ignored => self.any(),
            Shape::Scalar(scalar) | Shape::Hint(scalar) => self.scalar(*scalar),
            Shape::Option(_) if self.choices.once_in(3) => self.push("null"),
            Shape::Option(shape) | Shape::Newtype(shape) => self.value(shape),
            Shape::UnitStruct => self.push("null"),
            Shape::Seq(shape) => {
                let count = self.choices.below(4);
                self.items(["[", "]"], count, |writer, _| writer.value(shape));
            }
            Shape::First(shape) => self.array(&[(**shape).clone()]),
            Shape::Tuple(shapes) | Shape::TupleStruct(shapes) => self.array(shapes),
            Shape::Map(key, shape) => {
                let count = self.choices.below(4);
                self.items(["{", "}"], count, |writer, _| {
                    writer.key(key);
                    writer.space();
                    writer.push(":");
                    writer.space();
                    writer.value(shape);
                });
            }
            Shape::Struct(shapes, _) if self.choices.once_in(5) => self.array(shapes),
            Shape::Struct(shapes, _) => self.fields(shapes),
            Shape::Enum(variants) if variants.is_empty() => self.name("Unit"),
            Shape::Enum(variants) => {
                let index = self.choices.below(variants.len());
                let name = VARIANTS[index];
                if matches!(variants[index], Variant::Unit) && !self.choices.once_in(3) {
                    return self.name(name);
                }
                self.items(["{", "}"], 1, |writer, _| {
                    writer.name(name);
                    writer.push(":");
                    writer.space();
                    match &variants[index] {
                        Variant::Unit => writer.push("null"),
                        Variant::Newtype(shape) => writer.value(shape),
                        Variant::Tuple(shapes) => writer.array(shapes),
                        Variant::Struct(shapes) => writer.fields(shapes),
                    }
                });
            }
        }
    }
}

/// Significant bytes, and some that never occur in JSON.
const BYTES: &[u8] = b"{}[]:,\"\\ 0123456789-+.eEtfnulr/xu\n\t\x00\x1f\x7f\x80\xc3\xa9\xed\xf0\xff";

/// Changes, inserts or removes a byte, or truncates the text.
pub(crate) fn mutate(text: &mut Vec<u8>, choices: &mut Choices<'_>) {
    let at = choices.below(text.len() + 1);
    let byte = choices.of(BYTES);
    match choices.below(4) {
        0 => text.truncate(at),
        1 if at < text.len() => text[at] = byte,
        2 if at < text.len() => drop(text.remove(at)),
        _ => text.insert(at, byte),
    }
}
