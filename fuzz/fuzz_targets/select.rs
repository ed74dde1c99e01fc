//! Paths select the values that the naive evaluator finds, with any kernel, windows and options. The input is the paths,
//! one per line, an empty line, then the document.

#![no_main]

use jsonx_core::engine::{Kernel, Mode, Options, Validator, validate_with};
use jsonx_core::path::{Location, Notation, Path, Reach};
use jsonx_core::query::{Answer, Duplicates, Order, Query, QueryOptions};
use jsonx_fuzz::{oracle, paths_and_text};
use libfuzzer_sys::{Corpus, fuzz_target};
use serde_json::Value;

fuzz_target!(|input: &[u8]| -> Corpus {
    let Some((paths, text)) = paths_and_text(input) else {
        return Corpus::Reject;
    };
    let work = |values, levels| {
        paths
            .iter()
            .map(|path| oracle::work(path, values, levels))
            .fold(0, u64::saturating_add)
    };
    let (values, levels) = size(text);
    if paths.is_empty() || paths.len() > 4 || work(values, levels) > MOST_WORK {
        return Corpus::Reject;
    }
    let options = Options::default().mode(Mode::Stream);
    if validate_with(text, options).is_err() {
        // Matches before an error are not compared, but nothing may panic.
        let mut query = Query::new(&paths, QueryOptions::default());
        let found = jsonx_fuzz::in_windows(text, options, 64, &mut query);
        assert!(found.is_err());
        return Corpus::Reject;
    }
    check(text, &paths);
    Corpus::Keep
});

/// Maximum number of nodes for the naive evaluator: a path can visit each of them many times.
const MOST_WORK: u64 = 50_000;

/// Approximate numbers of values and levels: brackets in strings are counted too.
fn size(text: &[u8]) -> (u64, u64) {
    let (mut values, mut level, mut levels) = (2, 0_u64, 0);
    for byte in text {
        match byte {
            b'[' | b'{' => level += 1,
            b']' | b'}' => level = level.saturating_sub(1),
            _ => {}
        }
        values += u64::from(b",[{".contains(byte));
        levels = levels.max(level);
    }
    (values, levels)
}

/// The options: with or without locations, order, and duplicate keys.
const ASKED: [(bool, Order, Duplicates); 5] = [
    (false, Order::Document, Duplicates::Last),
    (true, Order::Document, Duplicates::Last),
    (true, Order::Standard, Duplicates::Last),
    (true, Order::Written, Duplicates::Last),
    (false, Order::Document, Duplicates::Each),
];

fn check(text: &[u8], paths: &[Path]) {
    let answer = |(way, &(locations, order, duplicates))| {
        let options = QueryOptions::default().locations(locations).order(order);
        let options = options.duplicates(duplicates);
        ((locations, order), everywhere(text, paths, options, way))
    };
    let answers: Vec<_> = ASKED.iter().enumerate().map(answer).collect();
    for (root, document) in documents(text).iter().flatten().enumerate() {
        for (number, path) in paths.iter().enumerate() {
            let selected = oracle::select(path, document);
            for (asked, answers) in &answers {
                let found = about_one(answers, number, root as u64);
                compare(text, path, &selected, *asked, &found);
                is_missing(text, path, document, &found);
            }
        }
    }
}

/// The answers, asserted to be independent of kernel and windows.
fn everywhere(text: &[u8], paths: &[Path], options: QueryOptions, way: usize) -> Vec<Answer> {
    let expected = ask(text, paths, options, Kernel::swar(), usize::MAX);
    for (number, kernel) in Kernel::available().enumerate() {
        // Over many texts, all kernels and options get both sizes.
        let size = [64, usize::MAX][(way + number + text.len()) % 2];
        let answers = ask(text, paths, options, kernel, size);
        assert_eq!(answers, expected, "{options:?} {kernel:?} {size}");
    }
    expected
}

/// The answers for one path in one root value.
fn about_one(answers: &[Answer], path: usize, root: u64) -> Vec<&Answer> {
    let is = |answer: &&Answer| match answer {
        Answer::Match(one) => (one.path, one.root) == (path, root),
        Answer::Missing {
            path: of, root: at, ..
        } => (*of, *at) == (path, root),
    };
    answers.iter().filter(is).collect()
}

/// All answers for a text in windows of `size` bytes. The retained bytes must suffice.
fn ask(
    text: &[u8],
    paths: &[Path],
    options: QueryOptions,
    kernel: Kernel,
    size: usize,
) -> Vec<Answer> {
    let mut query = Query::new(paths, options);
    let mut validator = Validator::new(Options::default().mode(Mode::Stream).kernel(kernel));
    let (mut answers, mut kept) = (Vec::new(), 0);
    let mut take = |query: &mut Query| {
        for answer in query.answers() {
            if let Answer::Match(one) = &answer {
                assert!(one.start >= kept, "{answer:?} was not kept: {kept}");
            }
            answers.push(answer);
        }
        assert!(query.retain_from() >= kept);
        kept = query.retain_from();
    };
    for window in text.chunks(size) {
        validator.write(window, &mut query).expect("valid text");
        take(&mut query);
    }
    validator.finish(&mut query).expect("valid text");
    query.end();
    take(&mut query);
    answers
}

/// The values of the text, if the naive evaluator supports all of them: no lone surrogates and no duplicate
/// keys.
fn documents(text: &[u8]) -> Option<Vec<Value>> {
    let documents = serde_json::Deserializer::from_slice(text).into_iter();
    let documents: Vec<Value> = documents.collect::<Result<_, _>>().ok()?;
    let members = documents.iter().map(members).sum::<usize>();
    (members == colons(text)).then_some(documents)
}

/// The number of members of all objects in a value.
fn members(value: &Value) -> usize {
    match value {
        Value::Array(elements) => elements.iter().map(members).sum(),
        Value::Object(object) => object.len() + object.values().map(members).sum::<usize>(),
        _ => 0,
    }
}

/// The number of colons outside strings.
fn colons(text: &[u8]) -> usize {
    let (mut inside, mut escaped) = (false, false);
    let mut count = 0;
    for &byte in text {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => inside = !inside,
            b':' if !inside => count += 1,
            _ => {}
        }
    }
    count
}

/// Compares the matches of a path in a document with those of the naive evaluator.
fn compare(
    text: &[u8],
    path: &Path,
    selected: &[(Location, &Value)],
    (locations, order): (bool, Order),
    answers: &[&Answer],
) {
    let shown = |place: &Location| place.display(Notation::JsonPath).to_string();
    let mut found: Vec<(Option<String>, Value)> = Vec::new();
    for answer in answers {
        if let Answer::Match(one) = answer {
            let value = value(text, one.start, one.end);
            let copies = usize::try_from(one.copies).expect("a few");
            let place = one.location.as_ref().map(shown);
            found.extend(std::iter::repeat_n((place, value), copies));
        }
    }
    let mut selected: Vec<(Option<String>, Value)> = selected
        .iter()
        .map(|(place, value)| (locations.then(|| shown(place)), (*value).clone()))
        .collect();
    let descends = path
        .segments()
        .iter()
        .any(|segment| segment.reach == Reach::Descendant);
    let in_order = match order {
        Order::Standard => true,
        Order::Written => !descends,
        Order::Document => false,
    };
    if !in_order {
        for list in [&mut found, &mut selected] {
            list.sort_by_cached_key(|(place, value)| (place.clone(), value.to_string()));
        }
    }
    assert_eq!(found, selected, "{path} {order:?}");
}

/// Checks where a path of single steps stopped: the steps before exist, and the next one does not.
fn is_missing(text: &[u8], path: &Path, document: &Value, answers: &[&Answer]) {
    let leads = |steps| {
        let first = Path::parse(&path.first(steps).to_string()).expect("a path");
        let found = oracle::select(&first, document);
        found.first().map(|(_, value)| (*value).clone())
    };
    for answer in answers {
        if let Answer::Missing { missing, .. } = answer {
            let last = value(text, missing.start, missing.end);
            assert_eq!(leads(missing.steps), Some(last), "{path} {missing:?}");
            assert_eq!(leads(missing.steps + 1), None, "{path} {missing:?}");
        }
    }
}

/// The value there, without the white space around it.
fn value(text: &[u8], start: u64, end: u64) -> Value {
    let raw = &text[start as usize..end as usize];
    assert_eq!(raw, raw.trim_ascii());
    serde_json::from_slice(raw).expect("a value")
}
