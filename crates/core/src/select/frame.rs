//! Values that are open while a query walks.

use std::sync::Arc;

use super::children::Keys;
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
    /// Number of its matches. A value has at most as many of each as the paths have states.
    pub(super) matches: u32,
    pub(super) captures: u32,
    pub(super) candidates: u32,
    pub(super) gathers: bool,
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
    /// No later child can match.
    pub(super) spent: bool,
    /// Number of open containers between this one and the frame around it.
    pub(super) depth: u64,
    /// Undecided steps.
    pub(super) pending: Pending,
    /// All children are counted, the members of an object by their keys here.
    pub(super) counts: bool,
    pub(super) keys: Option<Box<Keys>>,
    /// None for an object that has a frame only because one of its keys may be repeated.
    pub(super) opened: Option<Opened>,
}

impl Frame {
    /// The offset of its container; `None` if that does not matter.
    pub(super) fn start(&self) -> Option<u64> {
        self.opened.as_ref().map(|opened| opened.start)
    }
}
