//! `cargo bench -p jsonx-benches --bench segments -- [--rounds N] [--median]`

use jsonx_benches::report::{cores, processor, today};
use jsonx_benches::rounds::{Plan, Times};
use jsonx_benches::segments::{SIZE, run};

fn main() {
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
            // What cargo bench adds by itself.
            "--bench" => {}
            other => panic!("unknown argument {other}"),
        }
    }
    println!(
        "{}, {} cores, {}; {} rounds; one thread\n",
        processor(),
        cores(),
        today(),
        plan.rounds
    );
    print!("{}", run(SIZE, plan, figure));
}
