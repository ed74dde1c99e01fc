//! `cargo bench -p jsonx-benches --bench segments -- [--rounds N] [--median]`

use jsonx_benches::report::{cores, processor, today};
use jsonx_benches::rounds::plan_of_arguments;
use jsonx_benches::segments::{SIZE, run};

fn main() {
    let (plan, figure) = plan_of_arguments();
    println!(
        "{}, {} cores, {}; {} rounds; one thread\n",
        processor(),
        cores(),
        today(),
        plan.rounds
    );
    print!("{}", run(SIZE, plan, figure));
}
