//! The open values of a walk.

use std::sync::Arc;

use super::children::ObjectKeys;
use super::pending::Pending;
use super::plan::Plan;
use crate::token::Kind;

/// An open value: the work to do at its end.
#[derive(Clone, Debug)]
pub(super) struct Opened {
    pub(super) start: u64,
    pub(super) kind: Kind,
    /// Index of its first thread.
    pub(super) threads: usize,
    /// Number of its first match.
    pub(super) first_match: u64,
    /// Number of its matches. As `captures` and `candidates`, at most the number of states.
    pub(super) matches: u32,
    pub(super) captures: u32,
    pub(super) candidates: u32,
    /// Its matches are sorted at its end.
    pub(super) sorts: bool,
    /// Its children are counted.
    pub(super) counts: bool,
}

/// A container that has threads.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    pub(super) kind: Kind,
    pub(super) plan: Arc<Plan>,
    /// Index of its first thread.
    pub(super) threads: usize,
    /// Number of members or elements begun so far.
    pub(super) children: u64,
    /// No further child can match.
    pub(super) spent: bool,
    /// Number of open containers between this one and the frame around it.
    pub(super) depth: u64,
    /// Undecided steps.
    pub(super) pending: Pending,
    /// All children are counted; the distinct keys of an object are collected in `keys`.
    pub(super) counts: bool,
    pub(super) keys: Option<Box<ObjectKeys>>,
    /// `None` for an object that has a frame only because one of its keys may be repeated.
    pub(super) opened: Option<Opened>,
}

impl Frame {
    /// The offset of its container; `None` if that does not matter.
    pub(super) fn start(&self) -> Option<u64> {
        self.opened.as_ref().map(|opened| opened.start)
    }
}
