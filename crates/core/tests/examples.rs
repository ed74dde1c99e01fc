//! The examples run, and what they assert holds.

#[path = "../examples/config.rs"]
mod config;
#[path = "../examples/edit.rs"]
mod edit;
#[path = "../examples/order_book.rs"]
mod order_book;
#[path = "../examples/sum_field.rs"]
mod sum_field;

#[test]
fn config() {
    config::main().unwrap();
}

#[test]
fn edit() {
    edit::main().unwrap();
}

#[test]
fn order_book() {
    order_book::main().unwrap();
}

#[test]
fn sum_field() {
    sum_field::main().unwrap();
}
