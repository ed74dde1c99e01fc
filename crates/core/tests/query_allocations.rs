//! Allocations of queries: a filter decides a record without any.

use jsonx_core::engine::{Mode, Options, Validator};
use jsonx_core::path::{Filter, Path};
use jsonx_core::query::{Query, QueryOptions};
use jsonx_testing::allocations::{Counting, calls};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn filters_add_no_allocations_to_those_of_paths() {
    let record = r#"{"level": "error", "status": 500, "user": {"name": "a"}, "text": "x"}"#;
    let text = format!("{record}\n").repeat(1000);
    let counted = |path: &str, filters: &[&str]| {
        let path = [Path::parse(path).unwrap()];
        let filters: Vec<Filter> = filters
            .iter()
            .map(|text| Filter::parse(text).unwrap())
            .collect();
        calls(|| {
            let mut query = Query::filtered(&path, &filters, QueryOptions::default());
            let stream = Validator::new(Options::default().mode(Mode::Stream));
            stream.check(text.as_bytes(), &mut query).unwrap();
            query.end();
            query.answers().for_each(drop);
        })
    };
    let field = counted(".status", &[]);
    let filtered = counted(".", &[".status == 7"]);
    assert!(filtered < field + 500, "{filtered} and {field}");
}
