//! The registry of lints: each with its code, whether [`diagnose`](super::diagnose()) enables it by default, and the
//! function that describes its findings.
//!
//! [`Lints::CODES`] lists them, and the program derives its options, help and completions from that list.
//! [`lint`](crate::lint) detects them in text that arrives in windows, the parser in text that is examined as a whole.

use jsonx_core::number::Number;

use super::character::character_at;
use super::code::Code;
use super::diagnostic::Applicability::Safe;
use super::diagnostic::{Diagnostic, Span};
use super::{keys, quote};

macro_rules! registry {
    ($($code:ident $field:ident $default:literal $describe:ident $doc:literal)*) => {
    /// A set of lints: checks for JSON that is valid but error-prone.
    ///
    /// ```
    /// use jsonx_diagnose::{Lints, DiagnoseOptions, diagnose};
    ///
    /// let twice = br#"{"a": 1, "a": 2}"#;
    /// let silent = DiagnoseOptions::default().lints(Lints::NONE);
    /// assert_eq!(diagnose(twice, &silent).warnings, 0);
    /// assert_eq!(diagnose(twice, &silent.lints(Lints::ALL)).warnings, 1);
    /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct Lints {
            $(#[doc = $doc] pub $field: bool,)*
            /// A key that may occur twice, such as the `//` of npm's comments. Compared before unescaping.
            pub repeatable_key: Option<&'static str>,
        }

        impl Lints {
        /// No lints. Errors are still reported.
        ///
        /// ```
        /// use jsonx_diagnose::{Lints, DiagnoseOptions, diagnose};
        ///
        /// let options = DiagnoseOptions::default().lints(Lints::NONE);
        /// let report = diagnose(br#"{"a": 1, "a": 2,}"#, &options);
        /// assert_eq!((report.errors, report.warnings), (1, 0));
        /// ```
            pub const NONE: Lints = Lints { $($field: false,)* repeatable_key: None };

        /// All lints; the default leaves out those about numbers.
        ///
        /// ```
        /// use jsonx_diagnose::{Lints, DiagnoseOptions, diagnose};
        ///
        /// let text = b"[9007199254740993, 1e400]";
        /// let all = DiagnoseOptions::default().lints(Lints::ALL);
        /// assert_eq!(diagnose(text, &all).warnings, 2);
        /// assert_eq!(diagnose(text, &DiagnoseOptions::default()).warnings, 0);
        /// ```
            pub const ALL: Lints = Lints { $($field: true,)* repeatable_key: None };

        /// The codes of all lints in the order of the manual: one for each field.
        ///
        /// ```
        /// use jsonx_diagnose::{Code, Lints};
        ///
        /// let named = |name: &str| Lints::CODES.into_iter().find(|code| code.as_str() == name);
        /// assert_eq!(named("duplicate-key"), Some(Code::DuplicateKey));
        /// assert_eq!(named("trailing-comma"), None);
        /// assert_eq!(Lints::CODES.into_iter().fold(Lints::ALL, |lints, code| lints.with(code, false)), Lints::NONE);
        /// ```
            pub const CODES: [Code; [$(Code::$code),*].len()] = [$(Code::$code),*];

        /// Whether the set contains the lint with this code.
        ///
        /// ```
        /// use jsonx_diagnose::{Code, Lints};
        ///
        /// assert!(Lints::ALL.contains(Code::DuplicateKey));
        /// assert!(!Lints::ALL.contains(Code::TrailingComma));
        /// ```
            pub const fn contains(self, code: Code) -> bool {
                match code {
                    $(Code::$code => self.$field,)*
                    _ => false,
                }
            }

        /// The set with the lint of this code added or removed. The code of an error changes nothing.
        ///
        /// ```
        /// use jsonx_diagnose::{Code, Lints};
        ///
        /// let lints = Lints::NONE.with(Code::NumberRange, true);
        /// assert!(lints.number_range && !lints.duplicate_key);
        /// ```
            #[must_use]
            pub const fn with(mut self, code: Code, wanted: bool) -> Lints {
                match code {
                    $(Code::$code => self.$field = wanted,)*
                    _ => {}
                }
                self
            }
        }

        /// Describes a finding of a lint. `raw` is the text of its span; `first` the earlier key that a key repeats, if it is
        /// available.
        pub(crate) fn describe(d: &mut Diagnostic, raw: &[u8], first: Option<(Span, &[u8])>) {
            match d.code {
                $(Code::$code => $describe(d, raw, first),)*
                _ => {}
            }
        }

        impl Default for Lints {
            /// All but the two about numbers.
            fn default() -> Self {
                Lints { $($field: $default,)* repeatable_key: None }
            }
        }
    };
}

registry! {
    DuplicateKey duplicate_key true duplicate_key "A key that occurs twice in an object."
    UnsafeInteger unsafe_integer false unsafe_integer "An integer beyond 2^53."
    NumberRange number_range false number_range "A number too large for a double."
    LoneSurrogate lone_surrogate true lone_surrogate "`\\ud83d` without its other half."
    ByteOrderMark byte_order_mark true byte_order_mark "EF BB BF at the start."
}

impl Lints {
    /// Whether this key, as it is written between its quotes, may occur twice.
    pub(crate) fn may_repeat(self, raw: &[u8]) -> bool {
        self.repeatable_key.is_some_and(|key| key.as_bytes() == raw)
    }

    /// The lint that a number violates.
    pub(crate) fn of_number(self, text: &[u8]) -> Option<Code> {
        if !self.number_range && !self.unsafe_integer {
            return None;
        }
        let number = Number::new(text);
        if self.number_range && number.overflows_f64() {
            Some(Code::NumberRange)
        } else {
            (self.unsafe_integer && number.exceeds_2_53()).then_some(Code::UnsafeInteger)
        }
    }
}

fn duplicate_key(d: &mut Diagnostic, raw: &[u8], first: Option<(Span, &[u8])>) {
    let (name, _) = keys::text(raw);
    d.message(format_args!(
        "duplicate key {}",
        quote::ticked(name.as_bytes())
    ))
    .label("later value silently wins in most parsers");
    if let Some((place, old)) = first {
        d.related(
            place,
            if old == raw {
                "first defined here"
            } else {
                "same key after unescaping, first defined here"
            },
        );
    }
}

fn number_range(d: &mut Diagnostic, _: &[u8], _: Option<(Span, &[u8])>) {
    d.message("number is too large for a double")
        .label("most parsers read it as infinity or reject it");
}

fn unsafe_integer(d: &mut Diagnostic, _: &[u8], _: Option<(Span, &[u8])>) {
    d.message("integer beyond 2^53")
        .label("parsers that use doubles change it")
        .help("write it as a string if its digits matter");
}

/// The span is that of the first lone surrogate of a string.
fn lone_surrogate(d: &mut Diagnostic, raw: &[u8], _: Option<(Span, &[u8])>) {
    d.message(format_args!("{} is a lone surrogate", quote::ticked(raw)))
        .label("the other half of the pair is missing");
}

/// The span is that of the character after the mark, [`after_byte_order_mark`].
fn byte_order_mark(d: &mut Diagnostic, _: &[u8], _: Option<(Span, &[u8])>) {
    d.message("file starts with a UTF-8 byte order mark")
        .label("EF BB BF before this")
        .help("RFC 8259 says not to add one; many parsers reject it")
        .replace(Safe, Span::new(0, 3), "");
    if let Some(fix) = &mut d.fix {
        fix.description = "remove the byte order mark".into();
    }
}

/// The span to show for a byte-order mark: the character after it.
pub(crate) fn after_byte_order_mark(text: &[u8]) -> Span {
    character_at(text, 3)
}
