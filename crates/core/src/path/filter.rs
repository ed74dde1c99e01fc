//! A standalone filter: the condition of `--where`.

use std::fmt;

use super::syntax_tree::Expression;
use super::{PathError, error, jsonpath, warnings};

/// A condition on a value: a logical expression of RFC 9535, as in the filters of JSONPath. `@` is the value, `$` its
/// document. A leading `.` stands for `@`, so `.level == "error"` is `@.level == "error"`.
///
/// A [`Query`](crate::query::Query) restricts its matches by [`filtered`](crate::query::Query::filtered).
///
/// ```
/// use jsonx_core::path::Filter;
///
/// let filter = Filter::parse(r#".level == "error" && .status >= 500"#)?;
/// assert_eq!(filter.to_string(), "@['level']=='error'&&@['status']>=500");
///
/// let error = Filter::parse(".level = 'error'").unwrap_err();
/// assert_eq!((error.offset, &error.message[..]), (7, "this operator is written `==`"));
/// assert_eq!(error.suggestion.as_deref(), Some(".level == 'error'"));
/// # Ok::<(), jsonx_core::path::PathError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filter {
    expression: Expression,
}

impl Filter {
    /// Compiles a filter.
    ///
    /// # Errors
    ///
    /// The offset, the reason and the nearest valid filter if `text` is not a filter.
    ///
    /// ```
    /// use jsonx_core::path::Filter;
    ///
    /// assert_eq!(Filter::parse(".a")?, Filter::parse("@['a']")?);
    /// assert_eq!(Filter::parse("level == 1").unwrap_err().suggestion.as_deref(), Some(".level == 1"));
    /// # Ok::<(), jsonx_core::path::PathError>(())
    /// ```
    pub fn parse(text: &(impl AsRef<[u8]> + ?Sized)) -> Result<Filter, PathError> {
        let text = std::str::from_utf8(text.as_ref()).map_err(|error| PathError {
            offset: error.valid_up_to(),
            message: "a filter must be UTF-8".to_owned(),
            suggestion: None,
        })?;
        let compiled = jsonpath::whole(text).map_err(|fault| {
            error::explain(text, fault, |repaired| jsonpath::whole(repaired).err())
        });
        let filter = compiled.map(|expression| Filter { expression })?;
        for condition in filter.conditions() {
            let mut levels = None;
            let mut differ = false;
            condition.each_level(&mut |level| differ |= *levels.get_or_insert(level) != level);
            if differ {
                return Err(PathError {
                    offset: 0,
                    message: format!(
                        "`{condition}` tests values of different levels; only `&&` joins conditions of them"
                    ),
                    suggestion: None,
                });
            }
        }
        Ok(filter)
    }

    /// The conditions, all of which must hold. The paths of each have one level.
    pub(crate) fn conditions(&self) -> impl Iterator<Item = &Expression> {
        match &self.expression {
            Expression::And(parts) => parts.iter(),
            one => std::slice::from_ref(one).iter(),
        }
    }

    /// The most levels above the tested value that a condition is of.
    #[doc(hidden)]
    pub fn levels(&self) -> usize {
        self.conditions().map(Expression::level).max().unwrap_or(0)
    }

    /// The condition.
    ///
    /// ```
    /// use jsonx_core::path::{Expression, Filter};
    ///
    /// assert!(matches!(Filter::parse("!.a")?.expression(), Expression::Not(_)));
    /// # Ok::<(), jsonx_core::path::PathError>(())
    /// ```
    pub fn expression(&self) -> &Expression {
        &self.expression
    }

    /// Warnings about parts that are valid but error-prone, as those of [`Path::warnings`](super::Path::warnings).
    ///
    /// ```
    /// # #[cfg(feature = "regex")] {
    /// use jsonx_core::path::Filter;
    ///
    /// let warnings = Filter::parse("search(.name, '[error')").unwrap().warnings();
    /// assert_eq!(warnings, ["search() is always false: in `[error`, unclosed character class"]);
    /// # }
    /// ```
    pub fn warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        warnings::warn_of_expression(&self.expression, &mut warnings);
        warnings
    }
}

impl fmt::Display for Filter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.expression.fmt(f)
    }
}
