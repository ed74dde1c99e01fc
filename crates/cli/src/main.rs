//! The jsonx binary.
fn main() {}
