//! The JSON Schema keywords with findings: codes, meanings and examples.

use jsonx_diagnose::Severity;

/// Keywords whose value is a numeric bound.
pub const NUMERIC: [&str; 5] = [
    "maximum",
    "exclusiveMaximum",
    "minimum",
    "exclusiveMinimum",
    "multipleOf",
];

/// Whether the number at an offset in the text of a schema is the value of such a keyword. Bounds of 64-bit integers are compared
/// exactly here, although other programs round large numbers.
///
/// ```
/// use jsonx_schema::keywords::is_bound;
///
/// assert!(is_bound(br#"{"maximum": 9223372036854775807}"#, 12));
/// assert!(!is_bound(br#"{"default": 9223372036854775807}"#, 12));
/// ```
pub fn is_bound(text: &[u8], at: usize) -> bool {
    let before = text.get(..at).unwrap_or_default().trim_ascii_end();
    let key = before.strip_suffix(b":").map(<[u8]>::trim_ascii_end);
    let name = key.and_then(|key| key.strip_suffix(b"\""));
    name.is_some_and(|name| {
        let begins = |keyword: &&str| {
            let rest = name.strip_suffix(keyword.as_bytes());
            rest.is_some_and(|rest| rest.ends_with(b"\"") && !rest.ends_with(b"\\\""))
        };
        NUMERIC.iter().any(begins)
    })
}

/// A keyword, or another reason for a finding.
pub struct Keyword {
    /// Its name.
    pub name: &'static str,
    /// Its code: `schema/` and the name.
    pub code: &'static str,
    /// Its meaning, in full sentences.
    pub meaning: &'static str,
    /// A schema that uses it.
    pub schema: &'static str,
    /// An invalid value; empty if the rule applies to schemas.
    pub wrong: &'static str,
    /// A valid value, or schema.
    pub right: &'static str,
}

macro_rules! keywords {
    ($($name:literal $meaning:literal $schema:literal $wrong:literal => $right:literal)*) => {
        /// All keywords with a code, in alphabetical order.
        pub const KEYWORDS: &[Keyword] = &[$(Keyword {
            name: $name,
            code: concat!("schema/", $name),
            meaning: $meaning,
            schema: $schema,
            wrong: $wrong,
            right: $right,
        }),*];
    };
}

keywords! {
    "$id"
    "Two schemas in one file have the same `$id`, or the same anchor, so a reference to it reaches only one of them."
    r##"{"$schema": "https://json-schema.org/draft/2020-12/schema", "$defs": {"a": {"$id": "port"}, "b": {"$id": "port"}}}"## "" => r##"{"$schema": "https://json-schema.org/draft/2020-12/schema", "$defs": {"a": {"$id": "port"}, "b": {"$id": "host"}}}"##

    "$ref"
    "A `$ref` in a schema is dead, names a missing file, or is circular. References are resolved locally: URLs are looked up in the directory given by --schema-dir."
    r##"{"$ref": "#/$defs/port"}"## "" => r##"{"$ref": "#/$defs/port", "$defs": {"port": {"type": "integer"}}}"##

    "$schema"
    "`$schema` names an unknown draft, or a schema that cannot be used. The drafts are 4, 6, 7, 2019-09 and 2020-12."
    r#"{"$schema": "https://json-schema.org/draft/2021-01/schema"}"# "" => r#"{"$schema": "https://json-schema.org/draft/2020-12/schema"}"#

    "additionalItems"
    "An array has more elements than the schema describes, and `additionalItems` forbids that."
    r#"{"$schema": "http://json-schema.org/draft-07/schema#", "items": [true, true], "additionalItems": false}"# "[1, 2, 3]" => "[1, 2]"

    "additionalProperties"
    "An object has a key that the schema does not know, and `additionalProperties` forbids that. Often the key is mistyped."
    r#"{"properties": {"port": true}, "additionalProperties": false}"# r#"{"prot": 80}"# => r#"{"port": 80}"#

    "anyOf"
    "A value matches none of the alternatives in `anyOf`. If one of them is the nearest, its errors are reported with their own codes."
    r#"{"anyOf": [{"type": "string"}, {"type": "null"}]}"# "1" => r#""1""#

    "const"
    "A value is not the one that `const` requires."
    r#"{"const": 2}"# "1" => "2"

    "contains"
    "An array has no element that matches the schema in `contains`."
    r#"{"contains": {"const": "admin"}}"# r#"["user"]"# => r#"["user", "admin"]"#

    "contentEncoding"
    "A string is not encoded as required by `contentEncoding`. Only checked in draft 7 with `--formats assert`."
    r#"{"$schema": "http://json-schema.org/draft-07/schema#", "contentEncoding": "base64"}"# r#""a*b""# => r#""aGk=""#

    "contentMediaType"
    "A string does not have the media type required by `contentMediaType`. Only checked in draft 7 with `--formats assert`."
    r#"{"$schema": "http://json-schema.org/draft-07/schema#", "contentMediaType": "application/json"}"# r#""{a""# => r#""{}""#

    "contradiction"
    "Keywords of a schema contradict each other, so that no value matches them together, or a listed or default value has another type than `type` says."
    r#"{"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "string", "enum": [1]}"# "" => r#"{"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "integer", "enum": [1]}"#

    "dependencies"
    "A key that another key requires by `dependencies` is missing."
    r#"{"$schema": "http://json-schema.org/draft-07/schema#", "dependencies": {"user": ["password"]}}"# r#"{"user": "a"}"# => r#"{"user": "a", "password": "b"}"#

    "dependentRequired"
    "A key that another key requires by `dependentRequired` is missing."
    r#"{"dependentRequired": {"user": ["password"]}}"# r#"{"user": "a"}"# => r#"{"user": "a", "password": "b"}"#

    "deprecated"
    "The schema marks a value as `deprecated`, so it should no longer be used. Only reported for values of up to 1 MiB that match the schema."
    r#"{"properties": {"user": {"deprecated": true}, "name": true}}"# r#"{"user": "a"}"# => r#"{"name": "a"}"#

    "enum"
    "A value is not among those that `enum` lists."
    r#"{"enum": ["debug", "info", "error"]}"# r#""inof""# => r#""info""#

    "exclusiveMaximum"
    "A number is not less than `exclusiveMaximum`. Numbers are compared exactly, whatever their size."
    r#"{"exclusiveMaximum": 1}"# "1" => "0.99"

    "exclusiveMinimum"
    "A number is not greater than `exclusiveMinimum`. Numbers are compared exactly, whatever their size."
    r#"{"exclusiveMinimum": 0}"# "0" => "0.01"

    "false"
    "The schema for this position is `false`, which forbids any value."
    r#"{"properties": {"password": false}}"# r#"{"password": "a"}"# => "{}"

    "format"
    "A string is not in the format that `format` names, such as `date` or `email`. Only checked with `--formats assert`: by default, `format` is only an annotation."
    r#"{"format": "date"}"# r#""31.1.2026""# => r#""2026-01-31""#

    "items"
    "An array has more elements than `prefixItems` describes, and `items` forbids that."
    r#"{"prefixItems": [true, true], "items": false}"# "[1, 2, 3]" => "[1, 2]"

    "limit"
    "A value was not completely checked with the schema: the nesting is too deep, or the check takes too many steps. The limits protect against malicious schemas."
    r##"{"items": {"$ref": "#"}}"## "" => "[[[]]]"

    "maxContains"
    "An array has more elements that match `contains` than `maxContains` allows."
    r#"{"contains": {"const": 1}, "maxContains": 1}"# "[1, 1]" => "[1, 2]"

    "maxItems"
    "An array has more elements than `maxItems` allows."
    r#"{"maxItems": 2}"# "[1, 2, 3]" => "[1, 2]"

    "maxLength"
    "A string has more characters than `maxLength` allows. Unicode code points are counted, not bytes."
    r#"{"maxLength": 3}"# r#""four""# => r#""one""#

    "maxProperties"
    "An object has more keys than `maxProperties` allows."
    r#"{"maxProperties": 1}"# r#"{"a": 1, "b": 2}"# => r#"{"a": 1}"#

    "maximum"
    "A number is greater than `maximum`. Numbers are compared exactly, whatever their size."
    r#"{"maximum": 65535}"# "70000" => "7000"

    "minContains"
    "An array has fewer elements that match `contains` than `minContains` requires."
    r#"{"contains": {"const": 1}, "minContains": 2}"# "[1, 2]" => "[1, 1]"

    "minItems"
    "An array has fewer elements than `minItems` requires."
    r#"{"minItems": 2}"# "[1]" => "[1, 2]"

    "minLength"
    "A string has fewer characters than `minLength` requires. Unicode code points are counted, not bytes."
    r#"{"minLength": 3}"# r#""no""# => r#""yes""#

    "minProperties"
    "An object has fewer keys than `minProperties` requires."
    r#"{"minProperties": 1}"# "{}" => r#"{"a": 1}"#

    "minimum"
    "A number is less than `minimum`. Numbers are compared exactly, whatever their size."
    r#"{"minimum": 1}"# "0" => "1"

    "multipleOf"
    "A number is not an integer multiple of `multipleOf`. The check is exact: 19.99 is a multiple of 0.01."
    r#"{"multipleOf": 5}"# "7" => "10"

    "not"
    "A value matches the schema in `not`, which forbids that."
    r#"{"not": {"type": "null"}}"# "null" => "0"

    "oneOf"
    "A value matches none of the alternatives in `oneOf`, or more than one. If one of them is the nearest, its errors are reported with their own codes."
    r#"{"oneOf": [{"type": "integer"}, {"minimum": 2}]}"# "3" => "2.5"

    "pattern"
    "A string does not match the regular expression in `pattern`, which may match anywhere in it unless it has `^` and `$`. Expressions are those of JavaScript."
    r#"{"pattern": "^[a-z]+$"}"# r#""Name""# => r#""name""#

    "propertyNames"
    "A key violates `propertyNames`, the schema for all keys of the object."
    r#"{"propertyNames": {"pattern": "^[a-z]+$"}}"# r#"{"Name": 1}"# => r#"{"name": 1}"#

    "required"
    "An object lacks a key that `required` lists."
    r#"{"required": ["name"]}"# "{}" => r#"{"name": "a"}"#

    "type"
    "A value does not have the type given by `type`. An integer is any number without a fraction, so `1.0` is an integer."
    r#"{"type": "integer"}"# r#""80""# => "80"

    "unencoded"
    "A `$ref` in a schema has characters that are not allowed in a URI, such as `<` or a space. jsonx and most validators accept it; some reject the schema."
    r##"{"$schema": "https://json-schema.org/draft/2020-12/schema", "$ref": "#/$defs/Id<User>", "$defs": {"Id<User>": {"type": "integer"}}}"## "" => r##"{"$schema": "https://json-schema.org/draft/2020-12/schema", "$ref": "#/$defs/Id%3CUser%3E", "$defs": {"Id<User>": {"type": "integer"}}}"##

    "unevaluatedItems"
    "An array has elements that no part of the schema describes, and `unevaluatedItems` forbids that."
    r#"{"prefixItems": [true], "unevaluatedItems": false}"# "[1, 2]" => "[1]"

    "unevaluatedProperties"
    "An object has a key that no part of the schema describes, and `unevaluatedProperties` forbids that. Often the key is mistyped."
    r#"{"properties": {"port": true}, "unevaluatedProperties": false}"# r#"{"prot": 80}"# => r#"{"port": 80}"#

    "uniqueItems"
    "An array has two equal elements, and `uniqueItems` forbids that. `1` and `1.0` are equal."
    r#"{"uniqueItems": true}"# r#"["a", "b", "a"]"# => r#"["a", "b"]"#

    "unknown-keyword"
    "A schema has a name that resembles a keyword. Names that are not keywords have no effect, so the intended rule is not applied."
    r#"{"$schema": "https://json-schema.org/draft/2020-12/schema", "propertes": {"port": {"type": "integer"}}}"# "" => r#"{"$schema": "https://json-schema.org/draft/2020-12/schema", "properties": {"port": {"type": "integer"}}}"#
}

/// The index of the keyword with this name.
fn number(name: &str) -> Option<usize> {
    KEYWORDS.iter().position(|keyword| keyword.name == name)
}

/// The name of a keyword with a code.
pub fn named(name: &str) -> Option<&'static str> {
    number(name).map(|number| KEYWORDS[number].name)
}

/// The code of a keyword.
pub fn code(name: &str) -> Option<&'static str> {
    number(name).map(|number| KEYWORDS[number].code)
}

/// The keyword with this code.
pub fn of_code(code: &str) -> Option<&'static Keyword> {
    KEYWORDS.iter().find(|keyword| keyword.code == code)
}

impl Keyword {
    /// The default severity of its findings.
    pub fn severity(&self) -> Severity {
        if Set::warnings().contains(self.code) {
            Severity::Warning
        } else {
            Severity::Error
        }
    }
}

/// Keywords of all drafts, except those with a code.
const OTHERS: [&str; 25] = [
    "$anchor",
    "$comment",
    "$defs",
    "$dynamicAnchor",
    "$dynamicRef",
    "$recursiveAnchor",
    "$recursiveRef",
    "$vocabulary",
    "allOf",
    "contentSchema",
    "default",
    "definitions",
    "dependentSchemas",
    "description",
    "else",
    "examples",
    "id",
    "if",
    "prefixItems",
    "properties",
    "patternProperties",
    "readOnly",
    "then",
    "title",
    "writeOnly",
];

/// The keywords of all drafts.
pub fn keywords() -> impl Iterator<Item = &'static str> {
    let coded = KEYWORDS.iter().map(|keyword| keyword.name);
    // Their values are not schemas.
    const NONE: [&str; 5] = [
        "contradiction",
        "false",
        "limit",
        "unencoded",
        "unknown-keyword",
    ];
    let coded = coded.filter(|name| !NONE.contains(name));
    coded.chain(OTHERS)
}

/// Whether a name is a keyword of any draft.
pub fn is_keyword(name: &str) -> bool {
    keywords().any(|keyword| keyword == name)
}

/// The code of references that are not URIs.
pub const UNENCODED: &str = "schema/unencoded";

/// The code of keywords that contradict each other.
pub const CONTRADICTION: &str = "schema/contradiction";

/// The code of a value that should not be used.
pub const DEPRECATED: &str = "schema/deprecated";

/// The code of a mistyped keyword.
pub const UNKNOWN: &str = "schema/unknown-keyword";

/// A set of keywords.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Set(u64);

impl Set {
    /// The keywords that are warnings by default.
    pub fn warnings() -> Set {
        [CONTRADICTION, DEPRECATED, UNENCODED, UNKNOWN]
            .into_iter()
            .filter_map(Set::new)
            .fold(Set::NONE, |all, one| all.with(one, true))
    }

    /// The empty set.
    pub const NONE: Set = Set(0);

    /// All keywords.
    pub const ALL: Set = Set(u64::MAX);

    /// The keyword with this code, or all for `schema`.
    pub fn new(code: &str) -> Option<Set> {
        if code == "schema" {
            return Some(Set::ALL);
        }
        let number = KEYWORDS.iter().position(|keyword| keyword.code == code)?;
        Some(Set(1 << number))
    }

    /// Whether it contains the keyword with this code.
    pub fn contains(self, code: &str) -> bool {
        Set::new(code).is_some_and(|one| self.0 & one.0 != 0)
    }

    /// The union with another set, or the difference.
    #[must_use]
    pub fn with(self, other: Set, wanted: bool) -> Set {
        if wanted {
            Set(self.0 | other.0)
        } else {
            Set(self.0 & !other.0)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_are_sorted_and_fit_into_a_set() {
        assert!(KEYWORDS.len() <= 64);
        assert!(KEYWORDS.is_sorted_by_key(|keyword| keyword.name));
        let one = Set::new("schema/enum").unwrap();
        assert!(one.contains("schema/enum") && !one.contains("schema/const"));
        assert!(
            Set::ALL.contains("schema/type") && !Set::ALL.with(one, false).contains("schema/enum")
        );
        assert_eq!(Set::new("schema/x"), None);
    }

    #[test]
    fn examples_are_json() {
        for keyword in KEYWORDS {
            for text in [keyword.schema, keyword.right, keyword.wrong] {
                if !text.is_empty() {
                    serde_json::from_str::<serde_json::Value>(text).expect(text);
                }
            }
        }
    }
}
