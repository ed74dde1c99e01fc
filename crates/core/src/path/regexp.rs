//! Regular expressions for `match` and `search`: those of the `regex` crate, which matches in time linear in the subject.
//! An I-Regexp, RFC 9485, means the same there.

use std::fmt;

/// An error in a regular expression.
///
/// ```
/// # #[cfg(feature = "regex")] {
/// let error = jsonx_core::path::Regexp::new("a(b", true).unwrap_err();
/// assert_eq!(error.to_string(), "unclosed group");
/// # }
/// ```
#[doc(hidden)]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegexpError {
    message: String,
    pub(crate) is_too_large: bool,
}

impl fmt::Display for RegexpError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for RegexpError {}

/// A compiled regular expression, without look-around or back-references.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub struct Regexp {
    #[cfg(feature = "regex")]
    compiled: regex::bytes::Regex,
}

impl Regexp {
    /// Compiles `pattern`: to match the whole subject (`entire`, as in `match`), or any part of it (as in `search`).
    ///
    /// `^` and `$` match at the ends of the subject. By the grammar of RFC 9485 they are ordinary characters, but its
    /// own translations to other notations leave them unchanged, and so does the compliance suite of RFC 9535.
    ///
    /// # Errors
    ///
    /// Fails if the pattern is not a regular expression, or would take too much memory, such as `((a{999}){999}){999}`.
    pub fn new(pattern: &str, entire: bool) -> Result<Regexp, RegexpError> {
        compile(pattern, entire, LARGEST)
    }

    /// As [`new`](Regexp::new), for a pattern from a document, with lower limits.
    pub(crate) fn computed(pattern: &str, entire: bool) -> Result<Regexp, RegexpError> {
        if pattern.len() > LONGEST_COMPUTED {
            return Err(too_large());
        }
        compile(pattern, entire, LARGEST_COMPUTED)
    }

    /// Whether the pattern matches a string, given as decoded bytes. A lone surrogate is not a character, so `.` does not
    /// match it.
    pub fn is_match(&self, subject: &[u8]) -> bool {
        #[cfg(feature = "regex")]
        return self.compiled.is_match(subject);
        // Without the feature no value of this type exists.
        #[cfg(not(feature = "regex"))]
        return subject.len() > isize::MAX as usize;
    }
}

/// Memory limits of a compiled pattern, in bytes: in a path, and in a document.
const LARGEST: usize = 10 << 20;
const LARGEST_COMPUTED: usize = 1 << 18;

/// Length limit, in bytes, of a pattern in a document, which may have one per value.
const LONGEST_COMPUTED: usize = 1 << 10;

#[cfg(feature = "regex")]
fn compile(pattern: &str, entire: bool, size: usize) -> Result<Regexp, RegexpError> {
    let build = |pattern: &str| {
        regex::bytes::RegexBuilder::new(pattern)
            // `.` matches neither LF nor CR.
            .crlf(true)
            .size_limit(size)
            .build()
            .map_err(|error| match error {
                regex::Error::CompiledTooBig(_) => too_large(),
                error => RegexpError {
                    message: cause(&error.to_string()).to_owned(),
                    is_too_large: false,
                },
            })
    };
    // In the brackets of an I-Regexp, these are two characters, not operators.
    let pattern = pattern.replace("&&", r"&\&").replace("~~", r"~\~");
    // A pattern such as `a)|(b` is valid only in parentheses.
    let mut compiled = build(&pattern)?;
    if entire {
        compiled = build(&format!(r"\A(?:{pattern})\z"))?;
    }
    Ok(Regexp { compiled })
}

/// The last line of an error, after those that show the pattern.
#[cfg(feature = "regex")]
fn cause(error: &str) -> &str {
    let line = error.lines().next_back().unwrap_or(error);
    line.strip_prefix("error: ").unwrap_or(line)
}

#[cfg(not(feature = "regex"))]
fn compile(_: &str, _: bool, _: usize) -> Result<Regexp, RegexpError> {
    Err(RegexpError {
        message: "this build has no regular expressions".to_owned(),
        is_too_large: false,
    })
}

fn too_large() -> RegexpError {
    RegexpError {
        message: "the pattern takes too much memory".to_owned(),
        is_too_large: true,
    }
}
