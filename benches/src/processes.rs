//! Processes: jsonx against other programs for the same jobs.
//!
//! ```text
//! scratch (files, made once) ──► jobs (who does what) ──► check (exit codes, outputs)
//!                                      └──► measure (peak memory; time, in turns) ──► record
//! ```

mod check;
mod job;
mod jobs;
mod measure;
mod record;
mod repairs;
mod scratch;

pub use record::Record;

use job::Job;
use jobs::jobs;
use measure::Measured;
use scratch::Scratch;
use std::path::PathBuf;

/// The jobs to run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The size of the large file (validate, get), in bytes.
    pub large: u64,
    /// The size of the others (fmt, the error at the end), in bytes.
    pub medium: u64,
    /// The number of times each command is timed. One that takes longer than [`Plan::SLOW`] runs once.
    pub rounds: u32,
    /// The jsonx to measure.
    pub jsonx: PathBuf,
    /// The folder for the generated inputs, which are kept there for the next run.
    pub scratch: PathBuf,
    /// A word in the names of the jobs to run; empty for all.
    pub only: String,
}

impl Plan {
    /// A command that takes longer than this, in seconds, is not run again.
    pub const SLOW: f64 = 10.0;
}

/// A job, and the measurements of each program in the order of its entries.
struct Done {
    job: Job,
    measured: Vec<Measured>,
}

/// Runs all jobs of `plan`: each command once to assert its result and measure its memory, then the timing.
///
/// # Errors
///
/// If hyperfine is missing, a scratch file cannot be made, or jsonx fails at a job. A rival that fails at a job is excluded
/// from it, and the record says so.
pub fn run(plan: &Plan) -> Result<Record, String> {
    measure::require_hyperfine()?;
    let scratch = Scratch::make(plan)?;
    let mut record = Record::new(plan);
    for mut job in jobs(plan, &scratch) {
        if !job.name.contains(&plan.only) {
            continue;
        }
        eprintln!("{}", job.name);
        record.note(check::keep_those_that_work(&mut job)?);
        let measured = measure::measure(&job, plan.rounds)?;
        record.add(Done { job, measured });
    }
    Ok(record)
}
