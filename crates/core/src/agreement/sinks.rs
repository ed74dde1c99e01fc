//! Sinks in unusual conditions: from the middle of a text, for several texts.

use std::convert::Infallible;
use std::fmt::Debug;

use proptest::prelude::*;

use super::valid_text;
use crate::engine::{Locator, Mode, OnePerLine, Options, Sink, Validator, Verdict};
use crate::format::{Formatter, Indent, RewriteOptions, Rewriter, Style, TrailingCommas};
use crate::path::Path;
use crate::query::{Query, QueryOptions};
use crate::visit::{Event, Events};
use jsonx_testing::cases;

/// The texts for every sink.
trait Trial {
    fn run<S: Sink, R: Debug + PartialEq>(
        &self,
        sink: impl Fn() -> S,
        result: impl Fn(S::Output) -> R,
    ) where
        S::Error: Debug + PartialEq;
}

fn for_every_sink(trial: &impl Trial) {
    let pretty = Style::Pretty(Indent::Spaces(2));
    for style in [Style::Compact, pretty] {
        trial.run(|| Formatter::new(style, Vec::new()), |text| text);
        let rewriting = RewriteOptions::from(style);
        for options in [
            rewriting,
            rewriting.width(Some(20)),
            rewriting.sort_keys(true),
            rewriting.ascii(true),
            rewriting.canonical(true),
            rewriting.comments(Some(TrailingCommas::Keep)),
        ] {
            trial.run(|| Rewriter::new(options, Vec::new()), |text| text);
        }
    }
    let paths =
        [".a", "..", ".[0].key", "$[?@.a == 1]", "$[::-1]"].map(|path| Path::parse(path).unwrap());
    for options in [
        QueryOptions::default(),
        QueryOptions::default().locations(true),
    ] {
        trial.run(
            || OnePerLine::new(Query::new(&paths, options)),
            |lines| {
                let counts = (lines.breaks(), lines.filled(), lines.holds());
                let answers: Vec<_> = lines.into_inner().answers().collect();
                (counts, answers)
            },
        );
    }
    for offset in [0, 1, 70, 200] {
        trial.run(|| Locator::new(offset), |place| place);
    }
    trial.run(
        || Events::new(|_: Event<'_>| Ok::<(), Infallible>(())),
        |()| (),
    );
}

/// Up to three documents of some hundred bytes: every sink sees each of them.
fn texts() -> impl Strategy<Value = Vec<Vec<u8>>> {
    let text = prop::collection::vec(any::<u32>(), 0..120).prop_map(|choices| valid_text(&choices));
    prop::collection::vec(text, 1..4)
}

/// Runs sinks from a checkpoint inside the text, and then on another text.
struct FromTheMiddle<'a> {
    text: &'a [u8],
    options: Options,
    at: usize,
}

impl Trial for FromTheMiddle<'_> {
    fn run<S: Sink, R: Debug + PartialEq>(
        &self,
        sink: impl Fn() -> S,
        result: impl Fn(S::Output) -> R,
    ) where
        S::Error: Debug + PartialEq,
    {
        let mut validator = Validator::new(self.options);
        let (before, after) = self.text.split_at(self.at);
        validator.write(before, &mut Verdict).unwrap();
        let mut late = sink();
        if validator.check(after, &mut late).is_ok() {
            let again = Validator::new(self.options).check(self.text, &mut late);
            let _ = again.map(|()| late.finish().map(&result));
        }
    }
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn sinks_that_start_in_the_middle_do_not_panic(
        texts in texts(),
        place: prop::sample::Index,
    ) {
        let text = texts.join(&b"\n"[..]);
        let options = Options::default().mode(Mode::Stream);
        for_every_sink(&FromTheMiddle { text: &text, options, at: place.index(text.len()) });
    }
}

/// Segments formatted from checkpoints are segments of the formatted text.
#[test]
fn formatters_that_start_in_the_middle_continue_the_text() {
    let text = r#"{"a\u0041": [ 1, -2.5e3, "x, y", { }, [ ] ], "b" : {"c": null}}  "#.repeat(20);
    let options = Options::default().mode(Mode::Stream);
    for style in [Style::Compact, Style::Pretty(Indent::Spaces(2))] {
        let make = || Formatter::new(style, Vec::new());
        let whole = Validator::new(options)
            .check(text.as_bytes(), make())
            .unwrap();
        for size in [64, 192] {
            let mut validator = Validator::new(options);
            let mut parts = Vec::new();
            for window in text.as_bytes().chunks(size) {
                let mut formatter = make();
                validator.write(window, &mut formatter).unwrap();
                formatter.flush().unwrap();
                parts.append(formatter.output());
            }
            parts.extend(validator.finish(make()).unwrap());
            assert_eq!(
                String::from_utf8(parts),
                String::from_utf8(whole.clone()),
                "{size}"
            );
        }
    }
}
