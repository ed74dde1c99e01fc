//! Fair timing: contenders take turns, many times.
//!
//! The speed of a machine changes while a benchmark runs (clock frequency, neighbors, other programs). So the contenders take
//! turns, in a different order each round, and compared figures are measured within the same second.

use std::time::Duration;

/// The amount of measurement.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// The number of turns of each contender.
    pub rounds: u32,
    /// The minimum duration of a turn; short checks are repeated within it.
    pub turn: Duration,
}

impl Plan {
    /// Enough for reproducible figures.
    pub const FULL: Plan = Plan {
        rounds: 21,
        turn: Duration::from_millis(4),
    };

    /// One turn each, for tests, which check results and not times.
    pub const ONCE: Plan = Plan {
        rounds: 1,
        turn: Duration::ZERO,
    };
}

/// The plan and the figure requested by the arguments of a bench: `--rounds N`, and `--median` instead of the best turn.
///
/// # Panics
/// On other arguments, except the `--bench` that cargo adds.
#[must_use]
pub fn plan_of_arguments() -> (Plan, fn(&Times) -> f64) {
    let mut plan = Plan::FULL;
    let mut figure: fn(&Times) -> f64 = |times| times.best;
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--rounds" => {
                let value = arguments.next().expect("--rounds needs a value");
                plan.rounds = value.parse().expect("a number of rounds");
            }
            "--median" => figure = |times| times.median,
            "--bench" => {}
            other => panic!("unknown argument {other}"),
        }
    }
    (plan, figure)
}

/// The times of one contender for one check.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Times {
    /// The best turn, in seconds.
    pub best: f64,
    /// The median turn, in seconds.
    pub median: f64,
}

/// Something to time: receives a number of repetitions and returns the time they took.
pub type Timed<'a> = Box<dyn FnMut(u32) -> Duration + 'a>;

/// Times all `contenders` in turns, and returns the times of each for one repetition.
///
/// ```
/// use jsonx_benches::rounds::{Plan, Timed, interleave};
/// use std::time::Duration;
///
/// let slow: Timed = Box::new(|times| times * Duration::from_millis(20));
/// let fast: Timed = Box::new(|times| times * Duration::from_millis(10));
/// let times = interleave(&mut [slow, fast], Plan { rounds: 3, turn: Duration::from_millis(100) });
/// assert_eq!(times[0].best, 0.02);
/// assert_eq!(times[1].median, 0.01);
/// ```
pub fn interleave(contenders: &mut [Timed], plan: Plan) -> Vec<Times> {
    let repetitions: Vec<u32> = contenders
        .iter_mut()
        .map(|run| {
            let once = run(1).max(Duration::from_nanos(1));
            plan.turn
                .as_nanos()
                .div_ceil(once.as_nanos())
                .clamp(1, 1_000_000) as u32
        })
        .collect();
    let mut samples = vec![Vec::new(); contenders.len()];
    for round in 0..plan.rounds as usize {
        for turn in 0..contenders.len() {
            let at = (round + turn) % contenders.len();
            // The previous turn filled the caches with its own data; one untimed run brings this contender's data back.
            contenders[at](1);
            let time = contenders[at](repetitions[at]);
            samples[at].push(time.as_secs_f64() / f64::from(repetitions[at]));
        }
    }
    samples
        .into_iter()
        .map(|samples| summarize(&samples))
        .collect()
}

/// The best and the median of `samples`, which must not be empty.
///
/// ```
/// use jsonx_benches::rounds::summarize;
/// let times = summarize(&[3.0, 1.0, 8.0]);
/// assert_eq!((times.best, times.median), (1.0, 3.0));
/// ```
pub fn summarize(samples: &[f64]) -> Times {
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    Times {
        best: sorted[0],
        median: sorted[sorted.len() / 2],
    }
}
