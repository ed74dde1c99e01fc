//! The man pages: what the definition of the command line says, and what is written by hand in `man/sections`.
//! `JSONX_WRITE_MAN=1 cargo test -p jsonx-cli --test cli man` writes them anew.
//!
//! A page begins with what clap knows. The sections written by hand follow as they stand, in Markdown, and under their
//! headings EXIT STATUS and ENVIRONMENT the lists of `--help` come first, so that nothing is said in two places.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../man")
}

/// The pages by name, as roff.
fn pages() -> Vec<(String, String)> {
    let mut jsonx = jsonx_cli::command();
    jsonx.build();
    let mut commands = vec![("jsonx".to_owned(), jsonx.clone())];
    commands.extend(
        jsonx
            .get_subcommands()
            .map(|command| (format!("jsonx-{}", command.get_name()), command.clone())),
    );
    commands
        .into_iter()
        .map(|(name, command)| {
            let page = page(&name, command);
            (name, page)
        })
        .collect()
}

fn page(name: &str, mut command: clap::Command) -> String {
    let usage = command.render_usage().to_string();
    let usage = usage.strip_prefix("Usage: ").expect("a usage").to_owned();
    let help = command
        .get_after_long_help()
        .or(command.get_after_help())
        .map(ToString::to_string)
        .unwrap_or_default();
    let named: &'static str = name.to_owned().leak();
    let man = clap_mangen::Man::new(command.name(named).display_name(named))
        .date("")
        .source(concat!("jsonx ", env!("CARGO_PKG_VERSION")))
        .manual("jsonx manual");
    let rendered = |render: &dyn Fn(&mut dyn std::io::Write) -> std::io::Result<()>| {
        let mut roff = Vec::new();
        render(&mut roff).expect("memory does not run out");
        let roff = String::from_utf8(roff).expect("roff in UTF-8");
        // Each part brings the definition of an apostrophe along.
        let start = roff.find("\n.S").or(roff.find("\n.TH")).expect("a macro");
        roff[start + 1..].to_owned()
    };
    let mut roff = format!(
        ".\\\" Made by crates/cli/tests/cli/man.rs from --help and man/sections/{name}.md.\n"
    );
    roff += ".ie \\n(.g .ds Aq \\(aq\n.el .ds Aq '\n";
    roff += &rendered(&|w| man.render_title(w));
    roff += &rendered(&|w| man.render_name_section(w));
    roff += ".SH SYNOPSIS\n.nf\n";
    for line in usage.lines() {
        let (program, rest) = match name {
            "jsonx" => ("jsonx", line.trim().strip_prefix("jsonx")),
            _ => {
                let words = name.len();
                (&line.trim()[..words], line.trim().get(words..))
            }
        };
        let rest = rest.expect("a usage begins with the name of the program");
        writeln!(roff, "\\fB{}\\fR{}", text(program), text(rest)).unwrap();
    }
    roff += ".fi\n";
    roff += &rendered(&|w| man.render_description_section(w));
    let lists = Lists::of(&help);
    for paragraph in &lists.other {
        writeln!(roff, ".PP\n{}", text(paragraph)).unwrap();
    }
    if !name.contains('-') {
        roff += &rendered(&|w| man.render_subcommands_section(w))
            .replace(".SH SUBCOMMANDS", ".SH COMMANDS");
    }
    roff += &rendered(&|w| man.render_options_section(w));
    let path = folder().join("sections").join(format!("{name}.md"));
    let sections = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path:?}: {e}"));
    roff += &by_hand(&sections, &lists);
    assert!(
        roff.contains(".SH EXIT STATUS\n.TP\n"),
        "{name}: exit codes"
    );
    assert!(
        lists.files.is_empty() || roff.contains(".SH FILES\n.EX\n"),
        "{name}: where its files go"
    );
    roff
}

/// What stands behind the options in `--help`, by what it is.
struct Lists<'a> {
    exit_status: Vec<(&'a str, &'a str)>,
    environment: Vec<(&'a str, &'a str)>,
    files: &'a str,
    other: Vec<&'a str>,
}

impl<'a> Lists<'a> {
    fn of(help: &'a str) -> Lists<'a> {
        let mut lists = Lists {
            exit_status: Vec::new(),
            environment: Vec::new(),
            files: "",
            other: Vec::new(),
        };
        for block in help.split("\n\n") {
            let (title, rest) = block.split_once('\n').unwrap_or((block, ""));
            match title.split([' ', ':']).next() {
                Some("Exit") => lists.exit_status = pairs(rest, "  "),
                Some("Environment") => lists.environment = pairs(rest, "    "),
                Some("Where") => lists.files = rest,
                // The page has examples of its own, with what they print.
                Some("Examples") => {}
                _ => lists.other.push(block),
            }
        }
        lists
    }
}

fn pairs<'a>(lines: &'a str, between: &str) -> Vec<(&'a str, &'a str)> {
    let pair = |line: &'a str| {
        line.trim()
            .split_once(between)
            .expect("a term and what it means")
    };
    lines.lines().map(pair).collect()
}

/// Text as roff takes it for text. What one types is to be copied from the page, so hyphens and quotes stay ASCII.
fn text(text: &str) -> String {
    let mut escaped = String::new();
    for (index, line) in text.split('\n').enumerate() {
        if index > 0 {
            escaped.push('\n');
        }
        if line.starts_with(['.', '\'']) {
            escaped += "\\&";
        }
        for c in line.chars() {
            match c {
                '\\' => escaped += "\\e",
                '-' => escaped += "\\-",
                '\'' => escaped += "\\(aq",
                '`' => escaped += "\\(ga",
                '^' => escaped += "\\(ha",
                '~' => escaped += "\\(ti",
                '"' => escaped += "\\(dq",
                c => escaped.push(c),
            }
        }
    }
    escaped
}

/// The sections written by hand.
fn by_hand(markdown: &str, lists: &Lists<'_>) -> String {
    let mut roff = String::new();
    let mut font = Vec::new();
    let mut heading = String::new();
    let mut in_heading = None;
    // A paragraph behind a term belongs to it.
    let mut term = false;
    for event in Parser::new_ext(markdown, Options::ENABLE_DEFINITION_LIST) {
        match event {
            Event::Start(Tag::Heading { level, .. }) => in_heading = Some(level),
            Event::End(TagEnd::Heading(level)) => {
                in_heading = None;
                let heading = std::mem::take(&mut heading);
                let macro_name = if level == HeadingLevel::H1 {
                    "SH"
                } else {
                    "SS"
                };
                writeln!(roff, ".{macro_name} {heading}").unwrap();
                let list = match heading.as_str() {
                    "EXIT STATUS" => &lists.exit_status,
                    "ENVIRONMENT" => &lists.environment,
                    _ => &Vec::new(),
                };
                for (term, meaning) in list {
                    writeln!(roff, ".TP\n\\fB{}\\fR\n{}", text(term), text(meaning)).unwrap();
                }
                if heading == "EXAMPLES" {
                    roff += ".PP\nA number in brackets is the exit status, where it is not 0.\n";
                }
                if heading == "FILES" && !lists.files.is_empty() {
                    writeln!(roff, ".EX\n{}\n.EE", text(lists.files)).unwrap();
                }
            }
            Event::Start(Tag::Paragraph) if !term => roff += ".PP\n",
            Event::Start(Tag::DefinitionListTitle) => roff += ".TP\n",
            Event::Start(Tag::DefinitionListDefinition) => term = true,
            Event::End(TagEnd::DefinitionListDefinition) => {
                term = false;
                end_line(&mut roff);
            }
            Event::End(TagEnd::Paragraph | TagEnd::DefinitionListTitle) => end_line(&mut roff),
            Event::Start(Tag::CodeBlock(_)) => roff += ".PP\n.RS 4\n.EX\n",
            Event::End(TagEnd::CodeBlock) => {
                end_line(&mut roff);
                roff += ".EE\n.RE\n";
            }
            Event::Start(Tag::Strong) => font.push("\\fB"),
            Event::Start(Tag::Emphasis) => font.push("\\fI"),
            Event::End(TagEnd::Strong | TagEnd::Emphasis) => {
                font.pop();
            }
            Event::Text(words) if in_heading.is_some() => heading += &words,
            Event::Text(words) => match font.last() {
                Some(font) => write!(roff, "{font}{}\\fR", text(&words)).unwrap(),
                None => roff += &text(&words),
            },
            Event::Code(words) => write!(roff, "\\fB{}\\fR", text(&words)).unwrap(),
            Event::SoftBreak => roff += "\n",
            Event::Start(Tag::DefinitionList) | Event::End(TagEnd::DefinitionList) => {}
            Event::Start(Tag::Paragraph) | Event::End(_) => {}
            other => panic!("man/sections: this is not rendered: {other:?}"),
        }
    }
    roff
}

fn end_line(roff: &mut String) {
    if !roff.ends_with('\n') {
        roff.push('\n');
    }
}

#[test]
fn the_man_pages_say_what_the_program_does() {
    let write = std::env::var_os("JSONX_WRITE_MAN").is_some();
    let pages = pages();
    for (name, page) in &pages {
        let path = folder().join(format!("{name}.1"));
        if write {
            std::fs::write(&path, page).expect("a man page");
        }
        let kept = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(
            kept == *page,
            "man/{name}.1 is not up to date: JSONX_WRITE_MAN=1 cargo test -p jsonx-cli --test cli man"
        );
    }
    for there in ["", "sections"] {
        let files = std::fs::read_dir(folder().join(there)).expect("the man pages");
        let files = files.filter(|entry| entry.as_ref().unwrap().path().is_file());
        assert_eq!(files.count(), pages.len(), "a man page of no command");
    }
}

#[test]
fn the_examples_of_the_man_pages_are_true() {
    for (name, _) in pages() {
        let path = folder().join("sections").join(format!("{name}.md"));
        crate::readme::are_true(&path);
    }
}
