//! Renders a guide for a terminal: Markdown, as far as the guides use it, becomes text in lines of the terminal's width.

use std::borrow::Cow;

use anstyle::{AnsiColor, Style};

use super::human::{Options, wrap};
use super::width_of;

/// Longer lines are hard to read.
const WIDEST: usize = 100;

/// The space between the columns of a table.
const GAP: usize = 2;

/// The text of a guide. `options` set width and color; without color, code keeps its backticks.
pub fn render(markdown: &str, options: &Options) -> String {
    let mut page = Page {
        out: String::new(),
        width: options.width.min(WIDEST),
        is_colored: options.color,
    };
    let mut lines = markdown.lines().peekable();
    while let Some(line) = lines.next() {
        if line.starts_with("```") {
            for code in lines.by_ref().take_while(|line| !line.starts_with("```")) {
                let is_blank = code.is_empty();
                page.line(if is_blank { "" } else { "    " }, code.into());
            }
        } else if line.starts_with('#') {
            let title = plain(line.trim_start_matches('#').trim_start());
            let title = page.painted(Style::new().bold(), &title);
            page.line("", title);
        } else if line.starts_with('|') {
            let mut rows = vec![cells(line)];
            while let Some(row) = lines.next_if(|line| line.starts_with('|')) {
                rows.push(cells(row));
            }
            // The second one is the ruler below the header.
            rows.remove(1.min(rows.len() - 1));
            page.table(&rows);
        } else if line.is_empty() {
            page.line("", "".into());
        } else if !line.starts_with("<!--") {
            let mut text = line.trim().to_owned();
            while let Some(line) = lines.next_if(|line| continues(line)) {
                text += " ";
                text += line.trim();
            }
            page.paragraph(&text);
        }
    }
    page.out
}

/// Whether a line belongs to the paragraph or the list item before it.
fn continues(line: &str) -> bool {
    let starts = ["```", "#", "|", "<!--"];
    !line.is_empty() && !starts.iter().any(|start| line.starts_with(start)) && marker(line) == 0
}

/// Length of the marker with which an item of a list begins, in bytes.
fn marker(line: &str) -> usize {
    let number = line.trim_start_matches(|c: char| c.is_ascii_digit());
    match line.len() - number.len() {
        0 if line.starts_with("- ") => 2,
        digits @ 1.. if number.starts_with(". ") => digits + 2,
        _ => 0,
    }
}

/// The cells of a row of a table.
fn cells(row: &str) -> Vec<String> {
    let row = row.trim().trim_matches('|').replace("\\|", "\0");
    let cells = row.split('|').map(|cell| cell.replace('\0', "|"));
    cells.map(|cell| plain(cell.trim()).into_owned()).collect()
}

/// A text without the targets of links. Code is unchanged.
fn plain(text: &str) -> Cow<'_, str> {
    if !text.contains("](") {
        return text.into();
    }
    let mut out = String::new();
    for (number, part) in text.split('`').enumerate() {
        let is_code = number % 2 == 1;
        if number > 0 {
            out.push('`');
        }
        let mut rest = part;
        while !is_code
            && let Some((before, target)) = rest.split_once("](")
            && let Some((_, after)) = target.split_once(')')
        {
            match before.rfind('[') {
                Some(open) => {
                    out += &before[..open];
                    out += &before[open + 1..];
                }
                // The text of the link is code, and its bracket has been printed before it.
                None => {
                    if let Some(open) = out.rfind("[`") {
                        out.remove(open);
                    }
                    out += before;
                }
            }
            rest = after;
        }
        out += rest;
    }
    out.into()
}

struct Page {
    out: String,
    width: usize,
    is_colored: bool,
}

impl Page {
    fn line(&mut self, indent: &str, text: Cow<'_, str>) {
        self.out.push_str(indent);
        self.out.push_str(text.trim_end());
        self.out.push('\n');
    }

    fn painted<'t>(&self, style: Style, text: &'t str) -> Cow<'t, str> {
        if self.is_colored {
            format!("{style}{text}{style:#}").into()
        } else {
            text.into()
        }
    }

    /// Wraps a paragraph, or an item of a list below its marker.
    fn paragraph(&mut self, text: &str) {
        let indent = marker(text);
        let (marker, text) = text.split_at(indent);
        let text = plain(text);
        let mut before = marker.to_owned();
        for line in wrap(&text, self.width - indent) {
            let (line, _) = self.inline(line);
            self.line(&before, line.into());
            before = " ".repeat(indent);
        }
    }

    /// A wrapped line with bold text and code marked by color, and its width.
    fn inline(&self, line: &str) -> (String, usize) {
        let mut out = String::new();
        let mut width = 0;
        for (number, part) in line.split('`').enumerate() {
            let is_code = number % 2 == 1;
            let part: Cow<'_, str> = match (is_code, self.is_colored) {
                (true, true) => part.into(),
                (true, false) => format!("`{part}`").into(),
                (false, _) => part.replace("**", "").into(),
            };
            width += width_of(&part);
            out += &if is_code {
                self.painted(AnsiColor::Cyan.on_default(), &part)
            } else {
                part
            };
        }
        (out, width)
    }

    /// A table whose columns share the width; the widest are wrapped.
    fn table(&mut self, rows: &[Vec<String>]) {
        let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
        let of = |column: usize| rows.iter().filter_map(move |row| row.get(column));
        let widest = |column| of(column).map(|cell| width_of(cell)).max().unwrap_or(0);
        let parts = |column| of(column).flat_map(|cell| wrap(cell, 0));
        let least = |column| parts(column).map(width_of).max().unwrap_or(0);
        let mut widths: Vec<usize> = (0..columns).map(widest).collect();
        let least: Vec<usize> = (0..columns).map(least).collect();
        let available = self.width.saturating_sub(GAP * columns.saturating_sub(1));
        while widths.iter().sum::<usize>() > available
            && let Some((width, _)) = (widths.iter_mut().zip(&least))
                .filter(|(width, least)| **width > **least)
                .max()
        {
            *width -= 1;
        }
        for row in rows {
            let wrapped: Vec<_> = (row.iter().zip(&widths))
                .map(|(cell, &width)| wrap(cell, width))
                .collect();
            for number in 0..wrapped.iter().map(Vec::len).max().unwrap_or(0) {
                let mut line = String::new();
                for (lines, width) in wrapped.iter().zip(&widths) {
                    let (text, used) = self.inline(lines.get(number).copied().unwrap_or(""));
                    line += &text;
                    line += &" ".repeat((width + GAP).saturating_sub(used));
                }
                self.line("", line.into());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rendered(markdown: &str, width: usize, color: bool) -> String {
        let options = Options {
            width,
            color,
            ..Options::default()
        };
        render(markdown, &options)
    }

    #[test]
    fn markdown_becomes_text_of_the_width() {
        let guide = "# A guide\n\nWith **bold** words, `code of several words` and a [link](there.md#x),\nin two lines; [`linked code`](a.md).\n\n\
            - one item that is longer than the width\n- two\n\n10. ten\n\n<!-- hidden -->\n```sh\njsonx get '.a | b' # **code** [x](y)\n```\n\n\
            | name | what it does |\n|---|---|\n| `a\\|b` | a meaning that needs two lines |\n";
        assert_eq!(
            rendered(guide, 30, false),
            "A guide\n\nWith bold words,\n`code of several words` and a\nlink, in two lines;\n`linked code`.\n\n\
             - one item that is longer than\n  the width\n- two\n\n10. ten\n\n    jsonx get '.a | b' # **code** [x](y)\n\n\
             name   what it does\n`a|b`  a meaning that needs\n       two lines\n"
        );
    }

    #[test]
    fn code_is_colored_instead_of_quoted() {
        let shown = rendered("## Title\n\nSee `x`.\n", 80, true);
        assert_eq!(
            shown,
            "\u{1b}[1mTitle\u{1b}[0m\n\nSee \u{1b}[36mx\u{1b}[0m.\n"
        );
    }

    #[test]
    fn empty_and_odd_texts_are_shown() {
        for text in [
            "", "\n", "`", "|", "||\n||", "```", "[x](", "- ", "1. ", "#",
        ] {
            for color in [false, true] {
                rendered(text, 60, color);
            }
        }
    }
}
