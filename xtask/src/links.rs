//! Checks the Markdown files: links within the repository lead to files and headings, and paths in code exist.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::process::Command;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// What a file refers to, and what can be referred to in it.
#[derive(Default)]
struct Page {
    /// Links, as written.
    links: Vec<String>,
    /// Code within a line.
    code: Vec<String>,
    /// The anchors of the headings.
    anchors: HashSet<String>,
}

/// Returns the links and paths that lead nowhere.
pub fn check(root: &Path) -> Vec<String> {
    let files = tracked(root);
    let pages: HashMap<&PathBuf, Page> = (files.iter())
        .filter(|file| file.extension().is_some_and(|it| it == "md"))
        .filter_map(|file| Some((file, page(&fs::read_to_string(root.join(file)).ok()?))))
        .collect();
    let folders: HashSet<&Path> = files.iter().flat_map(|file| file.ancestors()).collect();
    let exists = |path: &Path| folders.contains(path);
    let mut failures = Vec::new();
    for (file, page) in &pages {
        let mut fail =
            |what: &str| failures.push(format!("{}: {what} leads nowhere", file.display()));
        for link in page.links.iter().filter(|link| is_local(link)) {
            let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
            let folder = file.parent().unwrap_or(Path::new(""));
            let target = match path {
                "" => file.to_path_buf(),
                path => normal(&folder.join(path)),
            };
            let has_anchor = |page: &Page| anchor.is_empty() || page.anchors.contains(anchor);
            if !exists(&target) || !pages.get(&target).is_none_or(has_anchor) {
                fail(&format!("the link `{link}`"));
            }
        }
        // The changes of earlier versions name what there was.
        let names_the_present =
            !file.starts_with("CHANGELOG.md") && !file.starts_with("benches/record");
        let paths = page
            .code
            .iter()
            .filter(|code| names_the_present && is_path(code, &folders));
        for path in paths {
            // From the root, or the folder of the crate.
            let folder = file.parent().unwrap_or(Path::new(""));
            if !exists(&normal(Path::new(path))) && !exists(&normal(&folder.join(path))) {
                fail(&format!("the path `{path}`"));
            }
        }
    }
    failures.sort();
    failures
}

/// The files of the repository, relative to its root.
fn tracked(root: &Path) -> Vec<PathBuf> {
    let listed = Command::new("git")
        .args([
            "ls-files",
            "-z",
            "--cached",
            "--others",
            "--exclude-standard",
        ])
        .current_dir(root)
        .output()
        .expect("git lists the files of a clone");
    let names = String::from_utf8(listed.stdout).expect("names in UTF-8");
    names.split_terminator('\0').map(PathBuf::from).collect()
}

fn page(text: &str) -> Page {
    let (mut page, mut heading) = (Page::default(), None);
    for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
        match &event {
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                page.links.push(dest_url.to_string());
            }
            Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
            Event::End(TagEnd::Heading(_)) => {
                let text = heading.take().unwrap_or_default();
                page.anchors.insert(anchor(&text));
            }
            _ => {}
        }
        if let Event::Text(text) | Event::Code(text) = &event
            && let Some(heading) = &mut heading
        {
            heading.push_str(text);
        }
        if let Event::Code(code) = event {
            page.code.push(code.to_string());
        }
    }
    page
}

/// The anchor that GitHub gives a heading.
fn anchor(heading: &str) -> String {
    let text = heading.to_lowercase().replace(' ', "-");
    let is_kept = |letter: &char| letter.is_alphanumeric() || matches!(letter, '-' | '_');
    text.chars().filter(is_kept).collect()
}

fn is_local(link: &str) -> bool {
    !link.contains("://") && !link.starts_with("mailto:")
}

/// Whether code is a path that exists or should: it begins with a folder of the root, and has neither placeholders nor globs.
fn is_path(code: &str, folders: &HashSet<&Path>) -> bool {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "/._-".contains(letter);
    let (first, rest) = code.split_once('/').unwrap_or((code, ""));
    let has_name = ["NAME", "FILE", "VERSION"]
        .iter()
        .any(|it| code.contains(it));
    let begins = !first.is_empty() && first != "target" && folders.contains(Path::new(first));
    begins && !rest.is_empty() && !has_name && code.chars().all(is_plain)
}

/// A path without `.` and `..`.
fn normal(path: &Path) -> PathBuf {
    let mut whole = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(whole.pop()),
            Component::Normal(name) => whole.push(name),
            _ => {}
        }
    }
    whole
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn anchors_are_those_of_github() {
        assert_eq!(anchor("`$schema` in the file"), "schema-in-the-file");
        assert_eq!(anchor("Count, top n, percentile"), "count-top-n-percentile");
    }

    #[test]
    fn links_and_paths_that_lead_nowhere_are_found() {
        let folder = std::env::temp_dir().join(format!("jsonx-links-{}", std::process::id()));
        fs::create_dir_all(folder.join("docs")).unwrap();
        let text = "# One\n\n[a](b.md#two) [c](b.md#three) [d](e.md) [f](../x.md) [g](#one) `docs/a.md` `docs/q.md` `docs/NAME.md`\n\
            `docs/*.md` `other/a.md` [h](https://example.com/none)\n\n```\n[i](none.md) docs/none.md\n```\n";
        fs::write(folder.join("docs/a.md"), text).unwrap();
        fs::write(folder.join("docs/b.md"), "## Two\n").unwrap();
        let git = Command::new("git")
            .args(["init", "-q"])
            .current_dir(&folder)
            .status();
        let failures = git.map(|_| check(&folder));
        fs::remove_dir_all(&folder).unwrap();
        let expected = [
            "the link `../x.md`",
            "the link `b.md#three`",
            "the link `e.md`",
            "the path `docs/q.md`",
        ];
        let expected = expected.map(|what| format!("docs/a.md: {what} leads nowhere"));
        assert_eq!(failures.unwrap(), expected);
    }
}
