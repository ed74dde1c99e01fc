//! Repairs JSON Lines with several records on a line, truncated records, or other text.

use super::rounds::{Changes, Run, is_valid};
use crate::diagnose::{
    Applicability, Code, Diagnostic, Edit, Fix, Framing, Selection, Span, diagnose_each,
};

impl Run<'_> {
    /// Puts each record on its own line, if several are on one line and the first or the last of them is whole. The rest of a
    /// truncated record is closed later, as at the end of a text.
    pub fn split_records(&mut self) {
        if !self.guesses_records() {
            return;
        }
        let whole = self.lines().find(|&line| self.is_record(line));
        let head = head(whole.map_or(b"", |line| &self.text[line.start..line.end]));
        let mut findings = Vec::new();
        for line in self.lines().filter(|&line| !self.is_record(line)) {
            let text = &self.text[line.start..line.end];
            let starts = glued(
                text,
                if head.is_empty() {
                    self::head(text)
                } else {
                    head
                },
            );
            let Some(last) = starts.last() else {
                continue;
            };
            let edits: Vec<Edit> = starts
                .iter()
                .map(|&start| {
                    // Neither a comma nor blanks between two records are part of either.
                    let before = text[..start].trim_ascii_end();
                    let before = before.strip_suffix(b",").unwrap_or(before).trim_ascii_end();
                    let end = if before.ends_with(b"}") {
                        before.len()
                    } else {
                        start
                    };
                    Edit {
                        span: Span::new(line.start + end, line.start + start),
                        text: "\n".to_owned(),
                    }
                })
                .collect();
            let ends = [
                Span::new(line.start, edits[0].span.start),
                Span::new(line.start + last, line.end),
            ];
            if !ends.into_iter().any(|end| self.is_record(end)) {
                continue;
            }
            let mut finding = Diagnostic::new(Code::MultipleValues, line);
            finding.message = match starts.len() {
                1 => "another record begins on the line of this one".to_owned(),
                count => format!("{count} more records begin on the line of this one"),
            };
            findings.push((finding, edits));
        }
        findings.extend(self.headless(head));
        self.guess(findings);
    }

    /// The end of a record on the first line, before records that begin with `head`: what is left of a file whose start was cut.
    fn headless(&self, head: &[u8]) -> Option<(Diagnostic, Vec<Edit>)> {
        let line = self.lines().next().filter(|_| !head.is_empty())?;
        let text = self.text[line.start..line.end].trim_ascii();
        // Only its brace may be missing.
        let is_start = text.starts_with(b"{") || text.starts_with(&head[1..]);
        if is_start || !text.ends_with(b"}") || self.is_record(line) {
            return None;
        }
        let mut finding = Diagnostic::new(Code::TruncatedInput, line);
        finding.message = "the start of the first record is missing".to_owned();
        let span = Span::new(line.start, self.text.len().min(line.end + 1));
        let text = String::new();
        Some((finding, vec![Edit { span, text }]))
    }

    /// Drops the lines that cannot become records, if there are others. Returns whether there are.
    pub fn drop_records(&mut self) -> bool {
        if !self.guesses_records() || !self.lines().any(|line| self.is_record(line)) {
            return false;
        }
        let mut first: Vec<Diagnostic> = Vec::new();
        let mut is_too_deep = false;
        diagnose_each(&self.text, &self.diagnose_options(), |_, finding| {
            is_too_deep |= finding.code == Code::DeepNesting;
            if first
                .last()
                .is_none_or(|last| last.record != finding.record)
            {
                first.push(finding);
            }
        });
        if is_too_deep {
            return false;
        }
        let mut first = first.into_iter();
        let broken = self.lines().filter(|&line| !self.is_record(line));
        let findings = broken.filter_map(|line| {
            let finding = first.find(|finding| finding.span.start >= line.start)?;
            let end = self.text.len().min(line.end + 1);
            let edit = Edit {
                span: Span::new(line.start, end),
                text: String::new(),
            };
            Some((finding, vec![edit]))
        });
        self.guess(findings.collect())
    }

    fn guesses_records(&self) -> bool {
        self.framing == Framing::Lines && self.options.with == Applicability::Review
    }

    /// Whether there are several lines, each of one or more objects.
    pub fn has_glued_records(&self) -> bool {
        let are_objects = |line: Span| {
            let line = self.text[line.start..line.end].trim_ascii();
            line.starts_with(b"{") && line.ends_with(b"}")
        };
        self.lines().nth(1).is_some() && self.lines().all(are_objects)
    }

    /// A message if each line begins an object, and most of them, also the last, are whole: then the others are truncated records,
    /// which do not contain those after them.
    pub fn torn_records(&self) -> Option<String> {
        let mut lines = self.lines();
        if self.framing != Framing::OneValue || !lines.all(|line| self.text[line.start] == b'{') {
            return None;
        }
        let count = self.lines().count();
        let whole = self.lines().filter(|&line| self.is_record(line));
        let is_whole = self.is_record(self.lines().last()?);
        let are_most = is_whole && whole.count() > count / 2;
        are_most.then(|| format!("{count} JSON values in one document"))
    }

    /// The lines that are not blank, without their line feeds.
    fn lines(&self) -> impl Iterator<Item = Span> {
        let mut at = 0;
        let lines = self.text.split(|&byte| byte == b'\n').map(move |line| {
            let start = at;
            at += line.len() + 1;
            Span::new(start, start + line.len())
        });
        lines.filter(|line| !self.text[line.start..line.end].trim_ascii().is_empty())
    }

    fn is_record(&self, span: Span) -> bool {
        let record = &self.text[span.start..span.end];
        is_valid(record, Framing::OneValue, self.options)
    }

    /// Makes changes beyond the fixes of findings. Returns whether there are any.
    fn guess(&mut self, findings: Vec<(Diagnostic, Vec<Edit>)>) -> bool {
        let (mut changes, mut selection) = (Changes::default(), Selection::default());
        for (mut finding, edits) in findings {
            let mut fix = Fix {
                description: String::new(),
                applicability: Applicability::Review,
                edits,
            };
            if selection.add(&fix.edits) {
                changes.add(&self.text, &mut finding, &mut fix, self.limit());
            }
        }
        let splices = selection.into_splices();
        let are_any = !splices.is_empty();
        self.commit(changes, splices);
        are_any
    }
}

/// The start of an object, up to the end of its first key.
fn head(record: &[u8]) -> &[u8] {
    let record = record.trim_ascii_start();
    match record.strip_prefix(b"{\"") {
        Some(key) => &record[..memchr::memchr(b'"', key).map_or(0, |length| length + 3)],
        None => b"",
    }
}

/// The starts of records after the first on a line: after the end of another, or at a position where no value may begin, with
/// the same first key as other records.
fn glued(line: &[u8], head: &[u8]) -> Vec<usize> {
    let (mut starts, mut open, mut in_string, mut before) = (Vec::new(), Vec::new(), false, b' ');
    let mut at = 0;
    while let Some(&byte) = line.get(at) {
        let may_be_value = match (open.last(), before) {
            (None, b'}' | b']' | b',') => false,
            (None, _) | (Some(b'{'), b':') | (Some(b'['), b'[' | b',') => !in_string,
            _ => false,
        };
        let is_after_end = open.is_empty() && !in_string;
        let is_like_others = !head.is_empty() && line[at..].starts_with(head);
        if matches!(byte, b'{' | b'[') && !may_be_value && (is_after_end || is_like_others) {
            starts.push(at);
            open.clear();
            in_string = false;
        }
        match byte {
            // A torn escape takes nothing from the next record.
            b'\\' if in_string && line.get(at + 1) != Some(&b'{') => at += 1,
            b'"' => in_string = !in_string,
            b'{' | b'[' if !in_string => open.push(byte),
            b'}' | b']' if !in_string => drop(open.pop()),
            _ => {}
        }
        if !byte.is_ascii_whitespace() {
            before = byte;
        }
        at += 1;
    }
    starts
}
