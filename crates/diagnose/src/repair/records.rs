//! Repairs JSON Lines with several records on a line, truncated records, or other text.

use std::collections::BTreeSet;

use super::repair;
use super::rounds::{BYTE_ORDER_MARK, Changes, Run, is_valid};
use crate::diagnose::{Applicability, Code, Diagnostic, Edit, Fix, Framing, Selection, Span};

impl Run<'_> {
    /// Puts each record on its own line, if several are on one line and the first or the last of them is whole, and drops other
    /// text. The rest of a truncated record is closed later, as at the end of a text.
    pub fn split_records(&mut self) {
        if !self.guesses_records() {
            return;
        }
        let head = self.head();
        let mut findings = Vec::new();
        for line in self.lines().filter(|&line| !self.is_record(line)) {
            let segments = self.segments(line, &head);
            let [first, .., last] = segments[..] else {
                continue;
            };
            if !self.is_record(first) && !self.is_record(last) {
                continue;
            }
            let mut finding = Diagnostic::new(Code::MultipleValues, line);
            finding.message = match segments.len() - 1 {
                1 => "another record begins on the line of this one".to_owned(),
                count => format!("{count} more records begin on the line of this one"),
            };
            let pairs = segments.windows(2);
            let edits = pairs.map(|pair| Edit::new(pair[0].end..pair[1].start, "\n"));
            findings.push((finding, edits.collect()));
        }
        self.guess(findings);
        let headless = self.headless(&self.head());
        self.guess(headless.into_iter().collect());
        self.drop_other_lines();
    }

    /// The end of a record on the first line, before records that begin with `head`: what is left of a file whose start was cut.
    fn headless(&self, head: &[u8]) -> Option<(Diagnostic, Vec<Edit>)> {
        let line = self.lines().next()?;
        if !self.is_headless(line, head) {
            return None;
        }
        let mut finding = Diagnostic::new(Code::TruncatedInput, line);
        finding.message = "the start of the first record is missing".to_owned();
        Some((finding, vec![self.without(line)]))
    }

    fn is_headless(&self, record: Span, head: &[u8]) -> bool {
        let text = self.text[record.start..record.end].trim_ascii();
        // Only its brace may be missing, or other text precedes it.
        let is_whole = |at: usize| is_valid(&text[at..], Framing::OneValue, self.options);
        let has_start = head.is_empty()
            || text.starts_with(b"{")
            || text.starts_with(&head[1..])
            || memchr::memmem::find(text, head).is_some_and(is_whole);
        !has_start && text.ends_with(b"}") && !self.is_record(record)
    }

    /// The start of the first whole record, or of one on the first line.
    fn head(&self) -> Vec<u8> {
        let whole = self.lines().find(|&line| self.is_record(line));
        let whole = whole.map_or(&b""[..], |line| head(self.line(line)));
        if !whole.is_empty() {
            return whole.to_vec();
        }
        let first = self.lines().next().map_or(&b""[..], |line| self.line(line));
        let next = memchr::memmem::find_iter(first, b"}{\"").map(|at| &first[at + 1..]);
        let heads = [first]
            .into_iter()
            .chain(next)
            .map(|text| (head(text), text));
        // `}{` may be in a string.
        let is_key = |(head, text): &(&[u8], &[u8])| text.get(head.len()) == Some(&b':');
        let (head, _) = heads
            .filter(|(head, _)| !head.is_empty())
            .find(is_key)
            .unwrap_or_default();
        head.to_vec()
    }

    /// The records of a line, whole or not, without what is between them: commas and blanks.
    fn segments(&self, line: Span, head: &[u8]) -> Vec<Span> {
        let text = &self.text[line.start..line.end];
        let starts = glued(
            text,
            if head.is_empty() {
                self::head(text)
            } else {
                head
            },
        );
        let ends = starts.iter().map(|&start| {
            let before = text[..start].trim_ascii_end();
            let before = before.strip_suffix(b",").unwrap_or(before).trim_ascii_end();
            match before.ends_with(b"}") {
                true => before.len(),
                false => start,
            }
        });
        let ends = ends.chain([text.len()]);
        let starts = [0].into_iter().chain(starts.iter().copied());
        let spans = starts.zip(ends);
        spans
            .map(|(start, end)| Span::new(line.start + start, line.start + end))
            .collect()
    }

    /// Drops the lines of other text: those that no fix turns into a value of the same kind as a whole record. A line that
    /// begins a record is an error if it cannot be repaired, unless only the rest is wanted.
    fn drop_other_lines(&mut self) {
        let (whole, broken): (Vec<Span>, Vec<Span>) =
            self.lines().partition(|&line| self.is_record(line));
        let kinds = whole.iter().map(|line| kind(self.line(*line)));
        let kinds: BTreeSet<_> = kinds.collect();
        if kinds.is_empty() {
            return;
        }
        let options = self.options.framing(Framing::Lines).limit(1);
        let mut findings = Vec::new();
        for line in broken {
            let text = self.line(line);
            let is_record = begins_record(text, &kinds) && !self.options.whole;
            let is_start = memchr::memchr3(b',', b'}', b']', text).is_none();
            if is_record && !is_start {
                continue;
            }
            let repaired = repair(text, &options);
            self.result.steps += repaired.steps;
            let finding = match repaired.left.diagnostics.into_iter().next() {
                // `{"na` has no value yet.
                None if is_record => {
                    if !matches!(repaired.text.trim_ascii(), b"{}" | b"[]") {
                        continue;
                    }
                    let mut finding = Diagnostic::new(Code::TruncatedInput, line);
                    finding.message = "the record is truncated before its first value".to_owned();
                    finding
                }
                Some(_) if is_record => continue,
                Some(left) if matches!(left.code, Code::MergeConflict | Code::DeepNesting) => {
                    continue;
                }
                Some(left) => left,
                None => {
                    let kind = kind(&repaired.text);
                    if kind.is_none() || kinds.contains(&kind) {
                        continue;
                    }
                    let mut finding = Diagnostic::new(Code::WrongFormat, line);
                    finding.message = "this is other text between the records".to_owned();
                    finding
                }
            };
            findings.push((finding, vec![self.without(line)]));
        }
        self.guess(findings);
    }

    /// The edit that drops a line.
    fn without(&self, line: Span) -> Edit {
        Edit::new(line.start..self.text.len().min(line.end + 1), "")
    }

    fn line(&self, span: Span) -> &[u8] {
        &self.text[span.start..span.end]
    }

    fn guesses_records(&self) -> bool {
        self.framing == Framing::Lines && self.options.with == Applicability::Review
    }

    /// Whether there are several lines, each of one or more objects.
    pub fn has_glued_records(&self) -> bool {
        let are_objects = |line: Span| {
            let line = self.line(line).trim_ascii();
            line.starts_with(b"{") && line.ends_with(b"}")
        };
        self.lines().nth(1).is_some() && self.lines().all(are_objects)
    }

    /// A message if each line begins an object, and most records, also the last, are whole: then the others are truncated, and do
    /// not contain those after them. The first may lack its start.
    pub fn torn_records(&self) -> Option<String> {
        let begins = |line: Span| self.text[line.start] == b'{';
        if self.framing != Framing::OneValue {
            return None;
        }
        if self.are_alike() {
            return Some(format!(
                "{} JSON values in one document",
                self.lines().count()
            ));
        }
        if !self.lines().skip(1).all(begins) {
            return None;
        }
        let head = self.head();
        let records = self.lines().flat_map(|line| self.segments(line, &head));
        let records: Vec<Span> = records.collect();
        let (first, last) = (*records.first()?, *records.last()?);
        let whole = records.iter().filter(|&&record| self.is_record(record));
        let (whole, count) = (whole.count(), records.len());
        let are_most = whole < count && whole > count / 2 && self.is_record(last);
        let is_start = || !head.is_empty() && self.text[first.start..].starts_with(&head[1..]);
        (are_most && (begins(first) || is_start() || self.is_headless(first, &head)))
            .then(|| format!("{count} JSON values in one document"))
    }

    /// Whether there are several lines that begin with the same key, and each may be a whole member or record, though broken.
    fn are_alike(&self) -> bool {
        let key = |line: Span| {
            let text = self.line(line).trim_ascii();
            let ends = text.last().is_some_and(|byte| !b",:{[".contains(byte));
            let text = text.strip_prefix(b"{").unwrap_or(text);
            let length = memchr::memchr(b'"', text.strip_prefix(b"\"")?)?;
            text.get(..length + 3)
                .filter(|key| ends && key.ends_with(b":"))
        };
        let mut keys = self.lines().map(key);
        let first = keys.next().flatten();
        let mut rest = keys.peekable();
        first.is_some() && rest.peek().is_some() && rest.all(|key| key == first)
    }

    /// The lines that are not blank, without their line feeds.
    fn lines(&self) -> impl Iterator<Item = Span> {
        let mut at = 0;
        let lines = self.text.split(|&byte| byte == b'\n').map(move |line| {
            let start = at;
            at += line.len() + 1;
            Span::new(start, start + line.len())
        });
        lines.filter(|line| !self.line(*line).trim_ascii().is_empty())
    }

    fn is_record(&self, span: Span) -> bool {
        is_valid(self.line(span), Framing::OneValue, self.options)
    }

    /// Makes changes beyond the fixes of findings.
    pub fn guess(&mut self, findings: Vec<(Diagnostic, Vec<Edit>)>) {
        let (mut changes, mut selection) = (Changes::default(), Selection::default());
        for (mut finding, edits) in findings {
            let mut fix = Fix {
                description: String::new(),
                applicability: Applicability::Review,
                edits,
            };
            if selection.add(&fix.edits) {
                changes.add(
                    &self.text,
                    &mut finding,
                    &mut fix,
                    self.options.diagnose.most(),
                );
            }
        }
        self.commit(changes, selection.into_splices());
    }
}

/// The first byte of a value: its bracket, or that of any other one. `None` if there is no value.
fn kind(line: &[u8]) -> Option<u8> {
    let line = line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line);
    match line.trim_ascii_start().first()? {
        bracket @ (b'{' | b'[') => Some(*bracket),
        _ => Some(b'0'),
    }
}

/// Whether a line begins like a record, and not like `[INFO]`.
fn begins_record(line: &[u8], kinds: &BTreeSet<Option<u8>>) -> bool {
    let line = line.trim_ascii_start();
    let is_like =
        |inner: &[u8]| matches!(inner.trim_ascii_start().first(), Some(b'{' | b'[' | b'"'));
    line.starts_with(b"{")
        || line.strip_prefix(b"[").is_some_and(is_like)
        || line.starts_with(b"[") && kinds.contains(&Some(b'['))
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
    let (mut starts, mut open, mut before) = (Vec::new(), Vec::new(), b' ');
    // What is left of a record whose start was cut may begin in a string.
    let is_headless = !line.starts_with(b"{") && !line.starts_with(b"[");
    let quote = memchr::memchr(b'"', line).filter(|_| is_headless);
    let after = quote.and_then(|quote| line[quote + 1..].trim_ascii_start().first());
    let mut in_string = matches!(after, Some(b':' | b',' | b'}' | b']'));
    let mut at = 0;
    while let Some(&byte) = line.get(at) {
        let in_tail = is_headless && starts.is_empty();
        let may_be_value = match (open.last(), before) {
            (None, b'}' | b']') => false,
            (None, b',') => in_tail && !in_string,
            (None, _) | (Some(b'{'), b':') | (Some(b'['), b'[' | b',') => !in_string,
            _ => false,
        };
        let is_after_end = open.is_empty() && !in_string && !in_tail;
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
