//! Code shared by the tests of several crates. It depends on none of them, so all can use it.
//!
//! Without default features, it has only [`mod@reference`], which the fuzz targets use.

#[cfg(feature = "default")]
pub mod allocations;
#[cfg(feature = "default")]
mod cases;
#[cfg(feature = "default")]
pub mod documents;
#[cfg(feature = "default")]
pub mod examples;
#[cfg(feature = "default")]
pub mod fragments;
#[cfg(feature = "default")]
pub mod inject;
#[cfg(feature = "default")]
pub mod records;
pub mod reference;
#[cfg(feature = "default")]
mod suites;

#[cfg(feature = "default")]
pub use cases::cases;
#[cfg(feature = "default")]
pub use suites::suite;
