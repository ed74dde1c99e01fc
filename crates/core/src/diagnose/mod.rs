//! The cold path: what exactly is wrong, and where.

pub(crate) mod machine;
