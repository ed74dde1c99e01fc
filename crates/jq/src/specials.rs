//! Functions implemented by the machine: those that take expressions, access the host, or have any number of results.

use crate::natives::By;

/// A special function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Special {
    Empty,
    Error,
    Path,
    GetPath,
    Recurse,
    First,
    Limit,
    Skip,
    IsEmpty,
    Range,
    By(By),
    Add,
    Input,
    Inputs,
    InputFilename,
    InputLine,
    Debug,
    Stderr,
    Halt,
    HaltError,
    Builtins,
    SearchList,
    ModuleMeta,
}

/// Names and numbers of arguments.
const SPECIALS: &[(&str, usize, Special)] = &[
    ("empty", 0, Special::Empty),
    ("error", 0, Special::Error),
    ("error", 1, Special::Error),
    ("path", 1, Special::Path),
    ("getpath", 1, Special::GetPath),
    ("recurse", 1, Special::Recurse),
    ("first", 1, Special::First),
    ("limit", 2, Special::Limit),
    ("skip", 2, Special::Skip),
    ("isempty", 1, Special::IsEmpty),
    ("range", 1, Special::Range),
    ("range", 2, Special::Range),
    ("range", 3, Special::Range),
    ("sort_by", 1, Special::By(By::Sort)),
    ("group_by", 1, Special::By(By::Group)),
    ("unique_by", 1, Special::By(By::Unique)),
    ("min_by", 1, Special::By(By::Min)),
    ("max_by", 1, Special::By(By::Max)),
    ("add", 1, Special::Add),
    ("input", 0, Special::Input),
    ("inputs", 0, Special::Inputs),
    ("input_filename", 0, Special::InputFilename),
    ("input_line_number", 0, Special::InputLine),
    ("debug", 0, Special::Debug),
    ("stderr", 0, Special::Stderr),
    ("halt", 0, Special::Halt),
    ("halt_error", 0, Special::HaltError),
    ("halt_error", 1, Special::HaltError),
    ("builtins", 0, Special::Builtins),
    ("get_search_list", 0, Special::SearchList),
    ("modulemeta", 0, Special::ModuleMeta),
];

/// The names of all special functions, and their numbers of arguments.
pub(crate) fn names() -> impl Iterator<Item = (String, usize)> {
    SPECIALS
        .iter()
        .map(|(name, arity, _)| ((*name).to_owned(), *arity))
}

impl Special {
    /// The function with this name and number of arguments.
    pub(crate) fn find(name: &str, arity: usize) -> Option<Special> {
        let found = SPECIALS
            .iter()
            .find(|(special, count, _)| (*special, *count) == (name, arity));
        Some(found?.2)
    }

    /// Whether it has exactly one result if its [values](Special::takes_values) have.
    pub(crate) fn is_single(self) -> bool {
        matches!(
            self,
            Special::GetPath
                | Special::IsEmpty
                | Special::By(_)
                | Special::Add
                | Special::InputFilename
                | Special::InputLine
                | Special::Debug
                | Special::Stderr
                | Special::Builtins
                | Special::SearchList
                | Special::ModuleMeta
        )
    }

    /// Whether it depends on other inputs than the current one.
    pub(crate) fn reads_inputs(self) -> bool {
        matches!(self, Special::Input | Special::Inputs | Special::InputLine)
    }

    /// Whether its arguments are values rather than expressions.
    pub(crate) fn takes_values(self) -> bool {
        matches!(
            self,
            Special::GetPath | Special::Error | Special::Range | Special::HaltError
        )
    }
}
