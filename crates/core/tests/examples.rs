//! The guide begins with the first five examples, which have their own tests.

#[path = "../examples/order_book.rs"]
mod order_book;

const GUIDE: &str = include_str!("../../../docs/library.md");

#[test]
fn programs_are_in_the_guide() {
    for example in [
        include_str!("../examples/config.rs"),
        include_str!("../examples/json_lines.rs"),
        include_str!("../examples/elements.rs"),
        include_str!("../examples/edit.rs"),
        include_str!("../examples/query.rs"),
    ] {
        let (_, program) = example.split_once("\n\n").unwrap();
        let (program, _) = program.split_once("\n#[cfg(test)]\n").unwrap();
        assert!(
            GUIDE.contains(&format!("```rust,no_run\n{program}```\n")),
            "{program}"
        );
    }
}

#[test]
fn order_book() {
    order_book::main().unwrap();
}
