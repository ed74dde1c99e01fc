//! `cargo bench -p jsonx-benches --bench strings -- [--rounds N] [--median]`

use jsonx_benches::report::{cores, processor, today};
use jsonx_benches::rounds::plan_of_arguments;
use jsonx_benches::strings::run;

fn main() {
    let (plan, figure) = plan_of_arguments();
    println!(
        "{}, {} cores, {}; {} rounds\n",
        processor(),
        cores(),
        today(),
        plan.rounds
    );
    print!("{}", run(plan, figure));
}
