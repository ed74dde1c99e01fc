//! Rounds of fixes: each examines the text, selects fixes that do not overlap, and applies them.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};

use jsonx_core::engine::{Options, validate_with};
use jsonx_core::internal::Splices;
use jsonx_core::order::sort_by_place;
use jsonx_core::string::lone_surrogates;

use super::{Correction, Repair, RepairOptions, envelope};
use crate::diagnose::{
    Advice, Applicability, Code, Cut, DiagnoseOptions, Diagnostic, Edit, Fix, Framing, Lints,
    Report, Selection, Severity, Span, decode, diagnose_each, excerpt, is_binary, shortened,
};

/// The maximum number of rounds of fixes.
///
/// A round applies all fixes that do not overlap; a second one is needed for mistakes hidden by an envelope or an overlap.
const ROUNDS: usize = 16;

/// Repairs `bytes`.
pub(super) fn run(bytes: &[u8], options: &RepairOptions) -> Repair {
    let mut run = Run {
        options,
        framing: options.diagnose.framing,
        text: Cow::Borrowed(bytes),
        result: Repair::default(),
        kept: BTreeSet::new(),
    };
    let left = run.rounds();
    if left.errors == 0 && options.with == Applicability::Review {
        run.replace_surrogates();
    }
    let mut result = run.result;
    result.framing = run.framing;
    result.text = run.text.into_owned();
    result.left = left;
    result.left.text = None;
    sort_by_place(&mut result.changes, |change| {
        (change.span.start, change.span.end)
    });
    result
}

/// The result of a round.
#[derive(Default)]
struct Round {
    selection: Selection,
    changes: Changes,
    /// The format around the data, if the text is not JSON.
    detected: Option<&'static str>,
    /// Set if there are several values: the finding, and whether each value is on separate lines.
    several: Option<(Diagnostic, bool)>,
    /// The values at which a text or a record was truncated.
    cuts: Vec<Cut>,
    left: Vec<Diagnostic>,
}

/// Changes, described up to a limit, and counted.
#[derive(Default)]
pub(super) struct Changes {
    pub described: Vec<Correction>,
    safe: u64,
    pub guesses: u64,
}

impl Changes {
    /// Counts a change, and describes it. The message of the finding and the texts of its edits are taken.
    pub fn add(&mut self, text: &[u8], finding: &mut Diagnostic, fix: &mut Fix, limit: usize) {
        let certain = fix.applicability;
        let count = match certain {
            Applicability::Safe => &mut self.safe,
            Applicability::Review => &mut self.guesses,
        };
        let message = std::mem::take(&mut finding.message);
        // The texts dropped around the data differ.
        let groups = match is_envelope(finding.code) {
            true if fix.edits.len() <= SPLIT => {
                fix.edits.drain(..).map(|edit| vec![edit]).collect()
            }
            true => alike(text, &mut fix.edits),
            false => vec![std::mem::take(&mut fix.edits)],
        };
        for mut edits in groups {
            *count += 1;
            if *count <= limit as u64 {
                let change = change(text, finding, certain, &mut edits, message.clone());
                self.described.push(change);
            }
        }
    }
}

/// The edits in groups that remove the same text, but for its digits, and insert the same: the prefixes of a log are one.
fn alike(text: &[u8], edits: &mut Vec<Edit>) -> Vec<Vec<Edit>> {
    let mut groups: Vec<Vec<Edit>> = Vec::new();
    let mut known = HashMap::new();
    for edit in edits.drain(..) {
        let removed = &text[edit.span.start..edit.span.end];
        let without_digits = |byte: &u8| if byte.is_ascii_digit() { b'0' } else { *byte };
        let removed: Vec<u8> = removed.iter().map(without_digits).collect();
        let group = *known
            .entry((removed, edit.text.clone()))
            .or_insert(groups.len());
        if group == groups.len() {
            groups.push(Vec::new());
        }
        groups[group].push(edit);
    }
    groups
}

/// The maximum number of edits around the data that are listed one by one.
const SPLIT: usize = 4;

fn is_envelope(code: Code) -> bool {
    matches!(code, Code::WrongFormat | Code::LeadingText)
}

fn change(
    text: &[u8],
    finding: &Diagnostic,
    applicability: Applicability,
    edits: &mut [Edit],
    message: String,
) -> Correction {
    let removed = edits.iter().find(|edit| !edit.span.is_empty());
    let removed = removed.map(|edit| excerpt(&text[edit.span.start..edit.span.end]));
    let first = edits.iter().map(|edit| edit.span).min();
    let inserted = edits.iter_mut().find(|edit| !edit.text.is_empty());
    let inserted = inserted.map(|edit| shortened(std::mem::take(&mut edit.text)));
    Correction {
        code: finding.code,
        applicability,
        span: first.unwrap_or(finding.span),
        message,
        removed: removed.unwrap_or_default(),
        inserted: inserted.unwrap_or_default(),
        places: edits.len(),
    }
}

pub(super) struct Run<'a> {
    pub options: &'a RepairOptions,
    pub framing: Framing,
    pub text: Cow<'a, [u8]>,
    pub result: Repair,
    /// The spans in the source of values that were treated as complete.
    pub kept: BTreeSet<usize>,
}

impl Run<'_> {
    /// Repairs the text, and returns the remaining findings.
    fn rounds(&mut self) -> Report {
        // Readers of files accept a byte-order mark.
        let text = self.text.strip_prefix(BYTE_ORDER_MARK);
        let text = text.unwrap_or(&self.text);
        if is_valid(text, self.framing, self.options) {
            return Report::default();
        }
        let is_blank = text.trim_ascii().is_empty();
        if self.options.lines && !is_blank && is_valid(text, Framing::Lines, self.options) {
            self.framing = Framing::Lines;
            return Report::default();
        }
        if self.framing == Framing::Stream {
            self.framing = Framing::OneValue;
        }
        self.transcode();
        self.undo_template();
        self.split_records();
        for round in 0..=ROUNDS {
            if round > 0 && is_valid(&self.text, self.framing, self.options) {
                break;
            }
            let (report, found) = self.examine();
            let is_last = report.text.is_some() || report.is_valid() || round == ROUNDS;
            if is_last || !self.step(found) {
                return self.remaining();
            }
        }
        Report::default()
    }

    /// Examines the final text, and reports the remaining findings.
    fn remaining(&mut self) -> Report {
        let (mut report, Round { mut left, .. }) = self.examine();
        if let Some(decoded) = report.text.take() {
            if self.result.applied.is_empty() && self.result.source.is_none() {
                self.result.source = Some(decoded);
            } else {
                // The decoded or fixed text resembles another encoding, so its offsets do not map to the source.
                left.iter_mut().for_each(displace);
            }
            self.result.offered = left.len() as u64;
        } else {
            let offered = left.iter().filter(|finding| {
                finding.fix.is_some()
                    || finding
                        .detected
                        .is_some_and(|name| envelope::remove(&self.text, name).is_some())
            });
            self.result.offered = offered.count() as u64;
            if !self.result.applied.is_empty() {
                for finding in &mut left {
                    // It may not fit the source.
                    finding.fix = None;
                    finding.map_spans(|span| self.source(span));
                }
            }
        }
        report.diagnostics = left;
        report
    }

    pub fn diagnose_options(&self) -> DiagnoseOptions {
        DiagnoseOptions {
            framing: self.framing,
            lints: Lints::NONE,
            limit: 0,
            ..self.options.diagnose
        }
    }

    /// Examines the text, and selects fixes.
    fn examine(&mut self) -> (Report, Round) {
        let options = self.diagnose_options();
        let mut found = Round::default();
        let report = diagnose_each(&self.text, &options, |text, mut finding| {
            if finding.severity == Severity::Error {
                self.select(text, &mut finding, &mut found);
            }
        });
        self.result.steps += report.steps;
        (report, found)
    }

    fn select(&self, text: &[u8], finding: &mut Diagnostic, found: &mut Round) {
        match finding.code {
            Code::WrongFormat | Code::LeadingText | Code::TrailingContent => {
                found.detected = found.detected.or(finding.detected);
            }
            Code::MultipleValues => {
                // A fix would separate the values of lines that have several.
                let lines = finding.advice == Some(Advice::ReadLines) && finding.fix.is_none();
                found.several = Some((finding.clone(), lines));
            }
            _ => {}
        }
        if self.options.with == Applicability::Review {
            found.cuts.extend(finding.cut.take().map(|cut| *cut));
        }
        let stays = self.options.keep_comments && finding.code == Code::Comment;
        let fix = finding.fix.take_if(|fix| {
            !stays && fix.applicability <= self.options.with && found.selection.fits(&fix.edits)
        });
        match fix {
            Some(mut fix) => {
                found.selection.take(&fix.edits);
                found
                    .changes
                    .add(text, finding, &mut fix, self.options.diagnose.most());
            }
            None if found.left.len() < self.options.diagnose.most() => {
                found.left.push(finding.clone())
            }
            None => {}
        }
    }

    /// Applies the fixes of a round. Returns `false` if none applies; then nothing has changed.
    fn step(&mut self, mut found: Round) -> bool {
        let guesses = self.options.with == Applicability::Review;
        if let (Some(detected), true) = (found.detected, guesses)
            && self.framing == Framing::OneValue
            && let Some(removed) = envelope::remove(&self.text, detected)
        {
            let code = match detected {
                "log" => Code::LeadingText,
                _ => Code::WrongFormat,
            };
            self.commit_one(code, removed.message, removed.edits);
            if removed.is_lines {
                self.framing = Framing::Lines;
                self.split_records();
            }
            return true;
        }
        // In a text of another format, fixes of JSON-like text would create a different value.
        let is_foreign = self.framing == Framing::OneValue
            && found.left.iter().any(|finding| finding.detected.is_some());
        let torn = guesses.then(|| self.torn_records()).flatten();
        let are_torn = torn.is_some();
        let several = match found.several {
            Some((finding, lines)) => Some((
                finding.message,
                lines || are_torn || guesses && self.has_glued_records(),
            )),
            None => torn.map(|message| (message, true)),
        };
        if let Some((message, lines)) = several
            && self.framing == Framing::OneValue
            && (!is_foreign || are_torn)
        {
            let is_stream = self.options.diagnose.framing == Framing::Stream;
            if is_stream || lines && (guesses || self.options.lines) {
                // The values are unchanged. The fixes of this round are found again.
                self.framing = if lines {
                    Framing::Lines
                } else {
                    Framing::Stream
                };
                if !is_stream && !self.options.lines {
                    let message = message + ", one per line: kept as JSON Lines";
                    self.commit_one(Code::MultipleValues, message, Vec::new());
                }
                self.split_records();
                return true;
            }
        }
        if self.options.whole && !found.cuts.is_empty() {
            // The fixes of this round are found again in the remaining text.
            self.leave_out(found.cuts);
            return true;
        }
        let splices = found.selection.into_splices();
        if is_foreign || splices.is_empty() {
            return false;
        }
        self.keep(&found.cuts, &mut found.changes);
        self.commit(found.changes, splices);
        true
    }

    /// Makes a change beyond the fixes of findings.
    fn commit_one(&mut self, code: Code, message: String, edits: Vec<Edit>) {
        let mut finding = Diagnostic::new(code, Span::point(0));
        finding.message = message;
        self.guess(vec![(finding, edits)]);
    }

    pub fn commit(&mut self, changes: Changes, splices: Splices) {
        self.note(changes);
        if !splices.is_empty() {
            self.text = Cow::Owned(splices.apply(&self.text));
            self.result.applied.push(splices);
        }
    }

    /// The span in the source.
    pub fn source(&self, span: Span) -> Span {
        source(&self.result.applied, span)
    }

    /// Lists and counts changes of the current text.
    fn note(&mut self, changes: Changes) {
        let (limit, result) = (self.options.diagnose.most() as u64, &mut self.result);
        let mut described = changes.described;
        described.retain_mut(|change| {
            change.span = source(&result.applied, change.span);
            let before = match change.applicability {
                Applicability::Safe => result.safe,
                Applicability::Review => result.guesses,
            };
            before < limit
        });
        if result.changes.is_empty() {
            // Moved, because there may be many.
            result.changes = described;
        } else {
            result.changes.extend(described);
        }
        result.safe += changes.safe;
        result.guesses += changes.guesses;
    }

    /// Replaces escaped lone surrogates, which are valid but cannot be encoded as UTF-8.
    fn replace_surrogates(&mut self) {
        let edits: Vec<Edit> = lone_surrogates(&self.text)
            .map(|escape| Edit::new(escape, "\\ufffd"))
            .collect();
        if !edits.is_empty() {
            let message = "a lone surrogate encodes no character".to_owned();
            self.commit_one(Code::LoneSurrogate, message, edits);
        }
    }

    /// Converts a text of another encoding to UTF-8, if guesses are allowed.
    fn transcode(&mut self) {
        if self.options.with != Applicability::Review {
            return;
        }
        if self.text.starts_with(BYTE_ORDER_MARK) {
            let edit = Edit::new(0..BYTE_ORDER_MARK.len(), "");
            let message = "the file starts with a byte-order mark".to_owned();
            self.commit_one(Code::ByteOrderMark, message, vec![edit]);
        }
        if !is_binary(&self.text)
            && let Some((name, mut decoded)) = decode(&self.text, self.options.diagnose.max_input)
        {
            // A UTF-16 text may have several marks, which the next run would remove.
            let units = decoded.chunks_exact(BYTE_ORDER_MARK.len());
            let marks = units.take_while(|&unit| unit == BYTE_ORDER_MARK).count();
            decoded.drain(..marks * BYTE_ORDER_MARK.len());
            let code = match name {
                "Windows-1252" => Code::InvalidUtf8,
                _ => Code::WrongEncoding,
            };
            self.commit_one(code, format!("converted from {name} to UTF-8"), Vec::new());
            // Offsets include the removed mark.
            let mark = if !self.result.applied.is_empty() {
                BYTE_ORDER_MARK
            } else {
                b""
            };
            self.result.source = Some([mark, &decoded].concat());
            self.text = Cow::Owned(decoded);
        }
    }

    /// Undoes a template around valid JSON, if guesses are allowed.
    fn undo_template(&mut self) {
        let guesses = self.options.with == Applicability::Review;
        let removed = envelope::template(&self.text);
        if let Some(removed) = removed.filter(|_| guesses && self.framing == Framing::OneValue) {
            let mut selection = Selection::default();
            selection.take(&removed.edits);
            let text = selection.into_splices().apply(&self.text);
            if is_valid(&text, self.framing, self.options) {
                self.commit_one(Code::WrongFormat, removed.message, removed.edits);
            }
        }
    }
}

/// The span before all rounds of edits.
pub(super) fn source(applied: &[Splices], span: Span) -> Span {
    let rounds = applied.iter().rev();
    let source = rounds.fold(span.into(), |span, splices| splices.old_span(span));
    source.into()
}

/// Moves a finding to the start of the text.
fn displace(finding: &mut Diagnostic) {
    finding.span = Span::point(0);
    finding.more.clear();
    finding.related.clear();
    finding.show.clear();
    finding.fix = None;
}

/// The byte-order mark in UTF-8.
pub(super) const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// Whether the text is valid as it is.
pub(super) fn is_valid(text: &[u8], framing: Framing, options: &RepairOptions) -> bool {
    let options = Options::default()
        .mode(framing.into())
        .dialect(options.diagnose.dialect)
        .max_depth(match options.diagnose.max_depth {
            0 => u64::MAX,
            levels => levels as u64,
        });
    if framing != Framing::Lines {
        return validate_with(text, options).is_ok();
    }
    text.split(|&byte| byte == b'\n').all(|line| {
        line.iter().all(|byte| matches!(byte, b' ' | b'\t' | b'\r'))
            || validate_with(line, options).is_ok()
    })
}
