//! Measures the rate of a stream, and decides whether it is fast enough to be divided into blocks.

use std::num::NonZeroUsize;
use std::time::Duration;

/// When and how a stream is divided into blocks.
#[derive(Clone, Copy)]
pub(super) struct Cut {
    /// The number of bytes over which speed is measured, and the maximum time for them in a fast stream.
    pub(super) judged: (usize, Duration),
    /// Length of a block in bytes.
    pub(super) length: usize,
    /// If filling a block takes longer, several threads gain nothing.
    pub(super) patience: Duration,
    /// The number of threads, in tests.
    pub(super) threads: Option<NonZeroUsize>,
}

impl Cut {
    /// 100 MB/s: a tenth of the speed at which one thread lints. Of block sizes from 0.25 to 2 MiB, this one gains the most.
    pub(super) const FAST: Cut = Cut {
        judged: (4 << 20, Duration::from_millis(40)),
        length: 1 << 20,
        patience: Duration::from_millis(10),
        threads: None,
    };
}

/// Measures the speed of a stream.
#[derive(Default)]
pub(super) struct Pace {
    /// Number of bytes since the last measurement.
    bytes: usize,
    /// Time spent waiting for them.
    waited: Duration,
    is_fast: bool,
}

impl Pace {
    /// Whether the last measurement was fast.
    pub(super) fn is_fast(&self) -> bool {
        self.is_fast
    }

    /// Records a read.
    pub(super) fn note(&mut self, cut: &Cut, bytes: usize, waited: Duration) {
        self.bytes += bytes;
        self.waited += waited;
        let (judged, time) = cut.judged;
        if self.bytes >= judged {
            *self = Pace {
                is_fast: self.waited <= time,
                ..Pace::default()
            };
        }
    }

    /// Restarts the measurement.
    pub(super) fn restart(&mut self) {
        *self = Pace::default();
    }
}
