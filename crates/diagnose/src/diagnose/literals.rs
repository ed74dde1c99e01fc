//! The names of `true`, `false` and `null` in other languages.

/// A name, the JSON literal that it means, and the language.
pub(super) struct Foreign {
    pub name: &'static str,
    pub literal: &'static str,
    pub language: &'static str,
}

const fn foreign(name: &'static str, literal: &'static str, language: &'static str) -> Foreign {
    Foreign {
        name,
        literal,
        language,
    }
}

const FOREIGN: [Foreign; 11] = [
    foreign("None", "null", "Python"),
    foreign("nil", "null", "Ruby, Lua or Go"),
    foreign("Nil", "null", "Ruby, Lua or Go"),
    foreign("undefined", "null", "JavaScript"),
    foreign("undef", "null", "Perl"),
    foreign("NULL", "null", "SQL or C"),
    foreign("Null", "null", ""),
    foreign("True", "true", "Python"),
    foreign("False", "false", "Python"),
    foreign("TRUE", "true", ""),
    foreign("FALSE", "false", ""),
];

/// Numbers without digits, as in JavaScript. JSON has at best `null`.
const NON_FINITE: [&str; 2] = ["NaN", "Infinity"];

/// The foreign literal with this text.
pub(super) fn find(text: &str) -> Option<&'static Foreign> {
    FOREIGN.iter().find(|foreign| foreign.name == text)
}

/// Whether `text` is a number that is not finite, in any language.
pub(super) fn is_non_finite(text: &str) -> bool {
    let unsigned = text.trim_start_matches(['-', '+']);
    // The last ones are of C on Windows.
    let names = [
        "nan", "infinity", "inf", "nan(ind)", "1.#ind", "1.#inf", "1.#qnan",
    ];
    names.iter().any(|name| unsigned.eq_ignore_ascii_case(name))
}

/// The length of such a number in the form `nan(ind)` at the start of a line.
pub(super) fn non_finite_call(line: &[u8]) -> Option<usize> {
    /// That of `-nan(ind)`.
    const LONGEST: usize = 9;

    let length = line.iter().take(LONGEST).position(|&byte| byte == b')')? + 1;
    let text = std::str::from_utf8(&line[..length]).ok()?;
    is_non_finite(text).then_some(length)
}

/// Whether `text` is a literal, of JSON or of another language.
pub(super) fn is_literal(text: &str) -> bool {
    matches!(text, "true" | "false" | "null") || find(text).is_some() || is_non_finite(text)
}

/// The JSON literal, under its name in any language, that starts with `cut` at the end of a truncated text.
pub(super) fn completed(cut: &[u8]) -> Option<&'static str> {
    let starts = |name: &str| name.len() > cut.len() && name.as_bytes().starts_with(cut);
    if cut.is_empty() {
        return None;
    }
    let unsigned = cut.strip_prefix(b"-").filter(|rest| !rest.is_empty());
    let is_non_finite = |name: &&'static str| {
        starts(name) || unsigned.is_some_and(|cut| name.as_bytes().starts_with(cut))
    };
    ["true", "false", "null"]
        .into_iter()
        .find(|literal| starts(literal))
        .or_else(|| {
            let foreign = FOREIGN.iter().find(|foreign| starts(foreign.name));
            foreign.map(|foreign| foreign.literal)
        })
        .or_else(|| NON_FINITE.iter().any(is_non_finite).then_some("null"))
}
