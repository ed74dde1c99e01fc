//! Finds import cycles in a crate: files that import each other, directly or indirectly.
//!
//! A file imports another if a path in it resolves to the other's module: every path of a `use`, and every path in the code
//! that begins with `crate`, `self` or `super`. A name that a module itself imports resolves to its origin, whether or not it
//! is re-exported, so `super::Node` resolves to `node.rs`. Not counted are:
//!
//! - imports between a module and its submodules, because it declares them and they refine it;
//! - methods and traits, because they are found by type and not by path;
//! - names imported by `*`: only the path before it counts;
//! - tests.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fs;
use std::path::{Path, PathBuf};

use crate::source::{collect, path_of, tokens};

/// Folders of packages besides those in `crates`.
const PACKAGES: [&str; 3] = ["benches", "corpora", "xtask"];

/// The names from the root of a crate to a module, or to an item in it.
type Names = Vec<String>;

/// The files that a file imports.
type Imports = BTreeMap<PathBuf, BTreeSet<PathBuf>>;

/// The cycles of all crates.
pub fn check(root: &Path) -> Vec<String> {
    let crates = fs::read_dir(root.join("crates")).expect("crates");
    let crates = crates.map(|entry| entry.expect("an entry").path());
    let packages = PACKAGES.map(|name| root.join(name));
    let sources = crates.chain(packages).map(|path| path.join("src"));
    let imports: Imports = sources
        .flat_map(|source| imports(&files(&source)))
        .collect();
    let mut failures = Vec::new();
    for cycle in cycles(&imports) {
        let shown = |file: &&PathBuf| {
            file.strip_prefix(root)
                .unwrap_or(file)
                .display()
                .to_string()
        };
        let shown: Vec<String> = cycle.iter().map(shown).collect();
        failures.push(format!("a cycle of files: {}", shown.join(" imports ")));
    }
    failures
}

/// The files of a crate, each with its module and its tokens.
fn files(source: &Path) -> Vec<(PathBuf, Names, Vec<String>)> {
    let mut files = Vec::new();
    collect(source, &mut files);
    let read = |file: PathBuf| {
        let text = fs::read_to_string(&file).expect("a source file");
        (file.clone(), path_of(source, &file), tokens(&text))
    };
    files.into_iter().map(read).collect()
}

/// The imports of each file of a crate, except for its parent modules and submodules.
fn imports(files: &[(PathBuf, Names, Vec<String>)]) -> Imports {
    let modules = Modules::new(files);
    let file_of: BTreeMap<&Names, &PathBuf> =
        files.iter().map(|(file, own, _)| (own, file)).collect();
    let of_file = |(file, own, tokens): &(PathBuf, Names, Vec<String>)| {
        let paths = paths(tokens).into_iter();
        let imported = paths.filter_map(|path| modules.of_path(own, &path.names));
        let imported = imported.filter(|other| !other.starts_with(own) && !own.starts_with(other));
        let imported = imported.map(|other| file_of[other].clone());
        (file.clone(), imported.collect())
    };
    files.iter().map(of_file).collect()
}

/// A shortest cycle through each file that is in one but not in an earlier one; the first file is also the last.
fn cycles(imports: &Imports) -> Vec<Vec<&PathBuf>> {
    let mut cycles: Vec<Vec<&PathBuf>> = Vec::new();
    for start in imports.keys() {
        if !cycles.iter().flatten().any(|file| *file == start) {
            cycles.extend(cycle(imports, start));
        }
    }
    cycles
}

/// A shortest path from a file back to itself.
fn cycle<'a>(imports: &'a Imports, start: &'a PathBuf) -> Option<Vec<&'a PathBuf>> {
    let mut from: BTreeMap<&PathBuf, &PathBuf> = BTreeMap::new();
    let mut queue = VecDeque::from([start]);
    while let Some(file) = queue.pop_front() {
        for next in &imports[file] {
            if from.contains_key(next) {
                continue;
            }
            from.insert(next, file);
            queue.push_back(next);
        }
    }
    let mut way = vec![start, *from.get(start)?];
    while way[way.len() - 1] != start {
        way.push(from[way[way.len() - 1]]);
    }
    way.reverse();
    Some(way)
}

/// The modules of a crate, each with its imported names and their origins.
struct Modules<'a> {
    named: BTreeMap<&'a Names, BTreeMap<String, Names>>,
}

impl<'a> Modules<'a> {
    fn new(files: &'a [(PathBuf, Names, Vec<String>)]) -> Modules<'a> {
        let mut all = Modules {
            named: files
                .iter()
                .map(|(_, own, _)| (own, BTreeMap::new()))
                .collect(),
        };
        for (_, own, tokens) in files {
            let named = paths(tokens).into_iter().filter_map(|path| {
                let names = all.absolute(own, &path.names)?;
                Some((path.known_as?, names))
            });
            let named = named.collect();
            all.named.insert(own, named);
        }
        all
    }

    /// The names of a path from the root of the crate; `None` if it leads out of the crate.
    fn absolute(&self, own: &Names, path: &[String]) -> Option<Names> {
        let above = path.iter().take_while(|name| *name == "super").count();
        let (module, rest) = match path.first()?.as_str() {
            "crate" => (&[][..], &path[1..]),
            "super" => (&own[..own.len().checked_sub(above)?], &path[above..]),
            "self" => (&own[..], &path[1..]),
            child
                if self
                    .named
                    .contains_key(&[own, &[child.to_owned()][..]].concat()) =>
            {
                (&own[..], path)
            }
            _ => return None,
        };
        Some([module, rest].concat())
    }

    /// The module with a file that a path resolves to.
    fn of_path(&self, own: &Names, path: &[String]) -> Option<&'a Names> {
        let mut path = self.absolute(own, path)?;
        // Resolution takes at most as many steps as there are modules, unless it is cyclic.
        for _ in 0..self.named.len() {
            let length = (0..=path.len())
                .rev()
                .find(|&length| self.named.contains_key(&path[..length].to_vec()))?;
            let (&module, named) = self.named.get_key_value(&path[..length].to_vec())?;
            let Some(next) = path.get(length).and_then(|name| named.get(name)) else {
                return Some(module);
            };
            let rest = path[length + 1..].iter().cloned();
            let next: Names = next.iter().cloned().chain(rest).collect();
            if next == path {
                return Some(module);
            }
            path = next;
        }
        None
    }
}

/// A path in the code of a file.
struct Import {
    names: Names,
    /// The name that a `use` gives to it.
    known_as: Option<String>,
}

/// The paths of every `use`, and those anywhere else that begin with `crate`, `self` or `super`.
fn paths(tokens: &[String]) -> Vec<Import> {
    let mut paths = Vec::new();
    // Whether each open brace belongs to an inline module, which has no file.
    let mut braces = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let start = at;
        at += 1;
        let mut found = Vec::new();
        match tokens[start].as_str() {
            "{" => braces.push(start > 1 && tokens[start - 2] == "mod"),
            "}" => drop(braces.pop()),
            "use" => {
                let length = tokens[at..].iter().position(|token| token == ";");
                let end = length.map_or(tokens.len(), |length| at + length);
                found = uses(&tokens[at..end]);
                at = end;
            }
            "crate" | "self" | "super" => {
                while let Some([sign, name]) = tokens.get(at..at + 2)
                    && sign == "::"
                    && name.starts_with(|c: char| c.is_alphabetic() || c == '_')
                {
                    at += 2;
                }
                let names = tokens[start..at].iter().filter(|token| *token != "::");
                found.push(Import {
                    names: names.cloned().collect(),
                    known_as: None,
                });
            }
            _ => {}
        }
        let inline = braces.iter().filter(|is_module| **is_module).count();
        for import in &mut found {
            let above = import.names.iter().take_while(|name| *name == "super");
            // A path that leads up to the file, and one that leads out of it.
            match above.count() {
                above @ 1.. if above <= inline => {
                    import.names.splice(..above, ["self".to_owned()]);
                }
                1.. => drop(import.names.drain(..inline)),
                _ => {}
            }
        }
        paths.extend(found.into_iter().filter(|import| import.names.len() > 1));
    }
    paths
}

/// The paths of a `use`, from the tokens between `use` and the semicolon.
fn uses(tokens: &[String]) -> Vec<Import> {
    let mut uses = Vec::new();
    // The names before each open brace.
    let mut before: Vec<Names> = vec![Names::new()];
    let mut names = Names::new();
    let mut known_as = None;
    let mut renames = false;
    let end = ",".to_owned();
    for token in tokens.iter().chain([&end]) {
        match token.as_str() {
            "{" => before.push(names.clone()),
            "," | "}" => {
                if before.last().is_some_and(|before| *before != names) || known_as.is_some() {
                    uses.push(Import { names, known_as });
                }
                if token == "}" {
                    before.pop();
                }
                names = before.last().cloned().unwrap_or_default();
                known_as = None;
            }
            "::" => {}
            "as" => renames = true,
            "*" => known_as = None,
            "self" if !names.is_empty() => known_as = names.last().cloned(),
            name => {
                if !std::mem::take(&mut renames) {
                    names.push(name.to_owned());
                }
                known_as = Some(name.to_owned());
            }
        }
    }
    uses
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cycles_of(files: &[(&str, &str)]) -> Vec<String> {
        let read = |&(file, text): &(&str, &str)| {
            let own = path_of(Path::new(""), Path::new(file));
            (PathBuf::from(file), own, tokens(text))
        };
        let files: Vec<_> = files.iter().map(read).collect();
        let shown = |cycle: Vec<&PathBuf>| {
            let names = cycle.iter().map(|file| file.display().to_string());
            names.collect::<Vec<_>>().join(" ")
        };
        let imports = imports(&files);
        cycles(&imports).into_iter().map(shown).collect()
    }

    #[test]
    fn cycles_are_found_by_whatever_path_they_are_closed() {
        for back in [
            "use super::a::A;",
            "use crate::m::a::{self, C};",
            "use super::{d::C as D, a::{A, E}};",
            "use super::A;",
            "use super::Renamed;",
            "fn f(a: &super::a::A) {}",
            "fn f() { crate::m::a::f() }",
            "mod inline { use super::super::a::A; }",
            "use super::c;",
        ] {
            let files = [
                ("m/a.rs", "use super::b::B; pub struct A;"),
                ("m/b.rs", back),
                ("m/c.rs", "use super::a::*;"),
                (
                    "m/mod.rs",
                    "mod a; mod b; pub use a::A; use self::a::A as Renamed;",
                ),
            ];
            let expected = match back {
                "use super::c;" => "m/a.rs m/b.rs m/c.rs m/a.rs",
                _ => "m/a.rs m/b.rs m/a.rs",
            };
            assert_eq!(cycles_of(&files), [expected], "{back}");
        }
    }

    #[test]
    fn acyclic_imports_have_no_cycle() {
        for back in [
            "use super::C;",
            "use super::super::a::A;",
            "use std::a::A; use a::A;",
            "mod inline { use super::a::A; }",
            "#[cfg(test)] mod tests { use super::super::a::A; }",
            "// use super::a::A;",
        ] {
            let files = [
                ("m/a.rs", "use super::b::B;"),
                ("m/b.rs", back),
                ("m/c.rs", ""),
                ("m.rs", "mod a; mod b; mod c; pub use c::C; struct D;"),
                ("lib.rs", "mod m; use m::C;"),
            ];
            assert_eq!(cycles_of(&files), [""; 0], "{back}");
        }
    }
}
