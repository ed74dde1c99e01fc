//! The diagnostic codes, each with its meaning, an example of the mistake and the correction.
//!
//! Codes are stable: the command line, machine-readable reports and documentation use them, and a code is never reused
//! for another mistake. [`Code::ALL`] lists the codes in the order of the manual.

use core::fmt;
use core::str::FromStr;

/// The severity of a finding.
///
/// ```
/// use jsonx_diagnose::Severity;
///
/// assert_eq!(Severity::Warning.as_str(), "warning");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The input is not JSON.
    Error,
    /// The input is JSON, but may not mean what its author intended.
    Warning,
}

impl Severity {
    /// `error` or `warning`.
    ///
    /// ```
    /// use jsonx_diagnose::{DiagnoseOptions, diagnose};
    ///
    /// let finding = &diagnose(b"[1,]", &DiagnoseOptions::default()).diagnostics[0];
    /// let line = format!("{}[{}]: {}", finding.severity.as_str(), finding.code, finding.message);
    /// assert_eq!(line, "error[trailing-comma]: trailing comma in array");
    /// ```
    pub const fn as_str(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
        }
    }
}

macro_rules! catalog {
    ($($(#[$severity:ident])? $name:ident $slug:literal $meaning:literal $wrong:literal => $right:literal)*) => {
        /// Identifies the kind of mistake. [`Code::as_str`] gives its name, as in `trailing-comma`.
        ///
        /// ```
        /// use jsonx_diagnose::{Code, Severity};
        ///
        /// assert_eq!(Code::TrailingComma.as_str(), "trailing-comma");
        /// assert_eq!(Code::DuplicateKey.severity(), Severity::Warning);
        /// assert_eq!("trailing-comma".parse(), Ok(Code::TrailingComma));
        /// // Every code has an example of the mistake, and the same text without it.
        /// assert!(Code::ALL.iter().all(|code| jsonx_core::validate(code.right().as_bytes()).is_ok()));
        /// assert_eq!((Code::TrailingComma.wrong(), Code::TrailingComma.right()), (&b"[1, 2, ]"[..], "[1, 2]"));
        /// assert!(Code::TrailingComma.meaning().starts_with("A comma follows the last"));
        /// assert_eq!(Code::Custom("schema/required").as_str(), "schema/required");
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Code {
            $(#[doc = $meaning] $name,)*
            /// A mistake that the caller of this library detects in valid JSON, by its name, such as `schema/required`. It
            /// is not in [`Code::ALL`], is not parsed, and has neither a meaning nor examples.
            Custom(&'static str),
        }

        impl Code {
            /// All codes in the order of the manual: the whole file first, then structure, strings, words and numbers.
            ///
            /// ```
            /// use jsonx_diagnose::Code;
            ///
            /// let names = Code::ALL.iter().map(|code| code.as_str());
            /// let numbers: Vec<&str> = names.filter(|name| name.ends_with("-number")).collect();
            /// assert_eq!(numbers, ["non-finite-number", "non-decimal-number", "bad-number"]);
            /// ```
            pub const ALL: &'static [Code] = &[$(Code::$name),*];

            /// The name: lower-case words joined by hyphens. This is the only form that parses to a `Code`.
            ///
            /// ```
            /// use jsonx_diagnose::{Code, DiagnoseOptions, UnknownCode, diagnose};
            ///
            /// let name = diagnose(b"[1 2]", &DiagnoseOptions::default()).diagnostics[0].code.as_str();
            /// assert_eq!(name, "missing-comma");
            /// assert_eq!(name.parse(), Ok(Code::MissingComma));
            /// assert_eq!("Missing-Comma".parse::<Code>(), Err(UnknownCode));
            /// ```
            pub const fn as_str(self) -> &'static str {
                match self { $(Code::$name => $slug,)* Code::Custom(name) => name }
            }

            /// The meaning, in full sentences, independent of any particular input.
            ///
            /// ```
            /// use jsonx_diagnose::{DiagnoseOptions, diagnose};
            ///
            /// let finding = &diagnose(b"{'a': 1}", &DiagnoseOptions::default()).diagnostics[0];
            /// assert_eq!(finding.message, "JSON strings use double quotes, not single quotes");
            /// assert_eq!(finding.code.meaning(), "A string is in single quotes.");
            /// ```
            pub const fn meaning(self) -> &'static str {
                match self { $(Code::$name => $meaning,)* Code::Custom(_) => "" }
            }

            /// An example that has the mistake. It is given in bytes because some examples are not UTF-8.
            ///
            /// ```
            /// use jsonx_diagnose::{Code, DiagnoseOptions, diagnose};
            ///
            /// let wrong = Code::InvalidUtf8.wrong();
            /// assert!(std::str::from_utf8(wrong).is_err());
            /// assert_eq!(diagnose(wrong, &DiagnoseOptions::default()).diagnostics[0].code, Code::InvalidUtf8);
            /// ```
            pub const fn wrong(self) -> &'static [u8] {
                match self { $(Code::$name => $wrong,)* Code::Custom(_) => b"" }
            }

            /// The example without the mistake: valid, and free of warnings.
            ///
            /// ```
            /// use jsonx_diagnose::{Code, Lints, DiagnoseOptions, diagnose};
            ///
            /// let options = DiagnoseOptions::default().lints(Lints::ALL);
            /// let findings = |text| diagnose(text, &options).diagnostics.len();
            /// let code = Code::UnsafeInteger;
            /// assert_eq!((findings(code.wrong()), findings(code.right().as_bytes())), (1, 0));
            /// assert!(Code::ALL.iter().all(|code| findings(code.right().as_bytes()) == 0));
            /// ```
            pub const fn right(self) -> &'static str {
                match self { $(Code::$name => $right,)* Code::Custom(_) => "" }
            }

            /// Error or warning, before [`Report::deny`](super::Report::deny) turns warnings into errors.
            ///
            /// ```
            /// use jsonx_diagnose::{Lints, DiagnoseOptions, Severity, diagnose};
            ///
            /// let mut report = diagnose(br#"{"a": 1, "a": 2}"#, &DiagnoseOptions::default());
            /// report.deny(Lints::ALL);
            /// let finding = &report.diagnostics[0];
            /// assert_eq!(finding.severity, Severity::Error);
            /// assert_eq!(finding.code.severity(), Severity::Warning);
            /// ```
            pub const fn severity(self) -> Severity {
                match self {
                    $($(Code::$name => Severity::$severity,)?)*
                    _ => Severity::Error,
                }
            }
        }
    };
}

catalog! {
    EmptyInput "empty-input"
    "The file has no value: it is empty, or has only white space or comments. A JSON text is exactly one value."
    b"\n" => "null"

    WrongEncoding "wrong-encoding"
    "The file is encoded as UTF-16 or UTF-32. JSON that leaves a closed system must be UTF-8 (RFC 8259, section 8.1). The text is still decoded and checked."
    b"\xFF\xFE{\0}\0" => "{}"

    WrongFormat "wrong-format"
    "The file is not JSON but a web page, YAML, JavaScript or a compressed file, as its first bytes show. The help explains how to get the JSON, if there is any."
    b"<!DOCTYPE html>\n<title>502 Bad Gateway</title>\n" => "{\"status\": 502}"

    LeadingText "leading-text"
    "Lines of text precede an otherwise valid document: the log or banner of a tool ended up in the same file."
    b"> web-app@1.4.0 build\n> tsc\n\n{\"ok\": true}\n" => "{\"ok\": true}"

    #[Warning] ByteOrderMark "byte-order-mark"
    "The file starts with the bytes EF BB BF, the byte-order mark in UTF-8. RFC 8259 tells writers not to add one, and allows readers to reject it. Many do."
    b"\xEF\xBB\xBF{\"a\": 1}" => "{\"a\": 1}"

    InvalidUtf8 "invalid-utf8"
    "Some bytes are not UTF-8. Usually the file was written in an older encoding such as Windows-1252, or it was cut in the middle of a character."
    b"{\"city\": \"Orl\xE9ans\"}" => "{\"city\": \"Orléans\"}"

    MergeConflict "merge-conflict"
    "The file has the markers of an unresolved merge. Only our side, the part before `=======`, is checked for further mistakes."
    b"{\n<<<<<<< HEAD\n  \"a\": 1\n=======\n  \"a\": 2\n>>>>>>> feature\n}" => "{\n  \"a\": 1\n}"

    SyntaxError "syntax-error"
    "The text is not JSON, and the cause is unknown: the file is too large or too deeply nested to be examined. The position is the first byte at which the text is no longer the beginning of any valid JSON text."
    b"[1,,]" => "[1]"

    DeepNesting "deep-nesting"
    "Arrays and objects are nested deeper than the limit allows. The limit protects programs that read the file with recursion; it can be raised."
    b"[[[[1]]]]" => "[[[1]]]"

    TrailingComma "trailing-comma"
    "A comma follows the last member of an object or the last element of an array. JavaScript and Python allow it; JSON has commas only between two values."
    b"[1, 2, ]" => "[1, 2]"

    ExtraComma "extra-comma"
    "A comma has nothing before it: two in a row, or one right after the opening bracket."
    b"[1,, 2]" => "[1, 2]"

    MissingComma "missing-comma"
    "Two members or two elements have no comma between them."
    b"{\"a\": 1 \"b\": 2}" => "{\"a\": 1, \"b\": 2}"

    MissingColon "missing-colon"
    "The colon between a key and its value is missing."
    b"{\"a\" 1}" => "{\"a\": 1}"

    WrongSeparator "wrong-separator"
    "Another character replaces a colon or a comma: `=`, `=>`, `;`, or a full-width `：` or `，`."
    b"{\"a\" = 1}" => "{\"a\": 1}"

    MissingValue "missing-value"
    "A key has no value. In an object every key is followed by `:` and a value."
    b"{\"a\": , \"b\": 2}" => "{\"a\": null, \"b\": 2}"

    MissingKey "missing-key"
    "A value inside an object has no key."
    b"{\"a\": 1, : 2}" => "{\"a\": 1, \"b\": 2}"

    ColonInArray "colon-in-array"
    "An array contains a colon. Arrays hold only values; keys and values belong in an object, in braces."
    b"[\"a\": 1]" => "{\"a\": 1}"

    UnclosedBracket "unclosed-bracket"
    "An object or array is never closed. If the file is indented, the indentation shows where the bracket belongs; the brackets alone show it only at the end of the file."
    b"{\n  \"a\": {\n    \"b\": 1\n  ,\n  \"c\": 2\n}" => "{\n  \"a\": {\n    \"b\": 1\n  },\n  \"c\": 2\n}"

    MismatchedBracket "mismatched-bracket"
    "A bracket is closed by one of the other kind: `[` by `}`, or `{` by `]`."
    b"{\"a\": [1, 2}}" => "{\"a\": [1, 2]}"

    ExtraBracket "extra-bracket"
    "A closing bracket has no matching opening bracket."
    b"{\"a\": [1]]}" => "{\"a\": [1]}"

    MissingOpenBracket "missing-open-bracket"
    "A closing bracket has no opening bracket, but the text before it looks like the inside of an object or array."
    b"{\"a\": 1, 2, 3]}" => "{\"a\": [1, 2, 3]}"

    WrongBracket "wrong-bracket"
    "Parentheses replace square brackets, or full-width brackets replace ASCII ones."
    b"{\"a\": (1, 2)}" => "{\"a\": [1, 2]}"

    MultipleValues "multiple-values"
    "The file has more than one value, and a JSON text is exactly one. Several values are a stream, or JSON Lines if each is on its own line; both are separate input formats."
    b"{\"id\": 1}\n{\"id\": 2}" => "[{\"id\": 1},\n{\"id\": 2}]"

    TrailingContent "trailing-content"
    "Something that is not JSON follows the document."
    b"{\"a\": 1} done" => "{\"a\": 1}"

    TruncatedInput "truncated-input"
    "The file ends in the middle: inside a string, after a comma, or with several containers open. Usually a download or a write was interrupted, or a limit was reached."
    b"{\"a\": [1, 2, \"thr" => "{\"a\": [1, 2, \"three\"]}"

    UnexpectedText "unexpected-text"
    "Text appears where a separator or a bracket is expected."
    b"{\"a\": [1] or so}" => "{\"a\": [1]}"

    Expression "expression"
    "JSON has values, not calculations, function calls or other code. Write the resulting value."
    b"{\"day\": 24 * 60}" => "{\"day\": 1440}"

    Ellipsis "ellipsis"
    "Three dots replace omitted content, as in an example in documentation."
    b"[1, 2, ...]" => "[1, 2, 3]"

    TemplatePlaceholder "template-placeholder"
    "A placeholder of a template was never filled in."
    b"{\"name\": {{name}}}" => "{\"name\": \"web\"}"

    Comment "comment"
    "JSON has no comments. JSONC, the language of `tsconfig.json` and of editor settings, does; files with other names must be read as JSONC."
    b"{\"a\": 1 // one\n}" => "{\"a\": 1 \n}"

    UnclosedComment "unclosed-comment"
    "A comment begins with `/*` and never ends: `*/` is missing. Everything after it is part of the comment."
    b"{\"a\": 1} /* one" => "{\"a\": 1}"

    UnopenedComment "unopened-comment"
    "`*/` ends a comment that never began. Block comments do not nest: the first `*/` ends them."
    b"{\"a\": 1} */" => "{\"a\": 1}"

    StraySlash "stray-slash"
    "A slash begins a comment only if followed by another slash, `//`, or an asterisk, `/*`."
    b"{\"a\": 1} / one" => "{\"a\": 1}"

    #[Warning] DuplicateKey "duplicate-key"
    "A key occurs twice in one object. That is valid JSON, but parsers differ: most use the last value, some the first, and some reject the text. Keys are compared after unescaping."
    b"{\"a\": 1, \"a\": 2}" => "{\"a\": 2}"

    InvalidWhitespace "invalid-whitespace"
    "A character such as a no-break space, a zero-width space or a NUL byte is not white space in JSON. The white space of JSON is space, tab, line feed and carriage return."
    b"{\"a\":\xC2\xA01}" => "{\"a\": 1}"

    SingleQuotes "single-quotes"
    "A string is in single quotes."
    b"{'a': 1}" => "{\"a\": 1}"

    BacktickString "backtick-string"
    "A string is in backticks."
    b"{\"a\": `one`}" => "{\"a\": \"one\"}"

    SmartQuotes "smart-quotes"
    "A string is in typographic quotes. A word processor or a chat program has replaced the straight ones."
    b"{\xE2\x80\x9Ca\xE2\x80\x9D: 1}" => "{\"a\": 1}"

    TripleQuotes "triple-quotes"
    "A string is in triple quotes, as in Python."
    b"{\"a\": \"\"\"one\ntwo\"\"\"}" => "{\"a\": \"one\\ntwo\"}"

    StringPrefix "string-prefix"
    "A letter precedes a string, as in Python: `u` for text, `b` for bytes, `r` for a string without escapes."
    b"{u\"a\": 1}" => "{\"a\": 1}"

    UnterminatedString "unterminated-string"
    "A string lacks its closing or its opening quote."
    b"{\n  \"a\": \"one,\n  \"b\": 2\n}" => "{\n  \"a\": \"one\",\n  \"b\": 2\n}"

    UnescapedQuote "unescaped-quote"
    "A double quote inside a string has no backslash before it."
    b"{\"a\": \"he said \"hi\" to me\"}" => "{\"a\": \"he said \\\"hi\\\" to me\"}"

    NewlineInString "newline-in-string"
    "A string spans several lines. A line break in a string is written `\\n`."
    b"{\"a\": \"one\ntwo\"}" => "{\"a\": \"one\\ntwo\"}"

    ControlCharacter "control-character"
    "A string contains a raw control character, such as a tab. Characters below U+0020 must be escaped in a string."
    b"{\"a\": \"one\ttwo\"}" => "{\"a\": \"one\\ttwo\"}"

    BadEscape "bad-escape"
    "The character after a backslash is not one of `\" \\ / b f n r t u`. In a Windows path, every backslash must be doubled, even before these."
    b"{\"a\": \"\\d+\"}" => "{\"a\": \"\\\\d+\"}"

    BadUnicodeEscape "bad-unicode-escape"
    "A `\\u` escape does not have four hexadecimal digits. Characters beyond U+FFFF are written as two such escapes."
    b"{\"a\": \"\\u{1F600}\"}" => "{\"a\": \"\\ud83d\\ude00\"}"

    #[Warning] LoneSurrogate "lone-surrogate"
    "An escape such as `\\ud83d` is a lone surrogate: the other half of the pair is missing. The grammar allows it, but it does not encode a character, and parsers replace or reject it."
    b"{\"a\": \"\\ud83d\"}" => "{\"a\": \"\\ud83d\\ude00\"}"

    UnquotedKey "unquoted-key"
    "A key is not a string. Keys are always in double quotes, even numbers. A Python tuple has no equivalent string."
    b"{a: 1}" => "{\"a\": 1}"

    UnquotedValue "unquoted-value"
    "A string value has no quotes."
    b"{\"a\": one two}" => "{\"a\": \"one two\"}"

    WrongLiteral "wrong-literal"
    "A word is not one of JSON's three literals: `true`, `false` and `null`, in lower case."
    b"{\"a\": True}" => "{\"a\": true}"

    NonFiniteNumber "non-finite-number"
    "NaN and Infinity are not JSON, but they are JSON5. Use `null`, or a string that the consumer understands."
    b"{\"a\": NaN}" => "{\"a\": null}"

    LeadingZero "leading-zero"
    "A number starts with an extra zero. In other languages, that means octal, so JSON forbids it."
    b"{\"a\": 012}" => "{\"a\": 12}"

    LeadingPlus "leading-plus"
    "A number starts with a plus sign."
    b"{\"a\": +1}" => "{\"a\": 1}"

    MissingDigits "missing-digits"
    "A number lacks digits before or after its decimal point."
    b"{\"a\": .5}" => "{\"a\": 0.5}"

    NonDecimalNumber "non-decimal-number"
    "A number is written in hexadecimal, octal or binary. JSON has decimal numbers only."
    b"{\"a\": 0x1F}" => "{\"a\": 31}"

    DigitSeparator "digit-separator"
    "Digits are grouped with underscores, commas or spaces."
    b"{\"a\": 1_000}" => "{\"a\": 1000}"

    BadNumber "bad-number"
    "A number is incomplete, has two signs, or has the suffix of another language."
    b"{\"a\": 1e}" => "{\"a\": 1e0}"

    #[Warning] UnsafeInteger "unsafe-integer"
    "An integer is beyond 2^53, where JavaScript and other parsers that use doubles cannot distinguish it from its neighbors. Write identifiers of this size as strings."
    b"{\"id\": 9007199254740993}" => "{\"id\": \"9007199254740993\"}"

    #[Warning] NumberRange "number-range"
    "A number is too large for a double: most programs read it as infinity, or reject it."
    b"{\"a\": 1e400}" => "{\"a\": 1e308}"
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The error for a string that is not the name of a code.
///
/// ```
/// use jsonx_diagnose::Code;
///
/// assert!("trailing-coma".parse::<Code>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownCode;

impl fmt::Display for UnknownCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no such code")
    }
}

impl core::error::Error for UnknownCode {}

impl FromStr for Code {
    type Err = UnknownCode;

    /// Parses the name of a code.
    ///
    /// ```
    /// use jsonx_diagnose::Code;
    /// assert_eq!("trailing-comma".parse(), Ok(Code::TrailingComma));
    /// assert!("trailing".parse::<Code>().is_err());
    /// ```
    fn from_str(name: &str) -> Result<Self, UnknownCode> {
        Code::ALL
            .iter()
            .copied()
            .find(|code| code.as_str() == name)
            .ok_or(UnknownCode)
    }
}
