//! `cargo bench -p jsonx-benches --bench msgpack -- [--rounds N] [--median]`

use jsonx_benches::msgpack::{inputs, run};
use jsonx_benches::report::{cores, processor, today};
use jsonx_benches::rounds::plan_of_arguments;

fn main() -> std::io::Result<()> {
    let (plan, figure) = plan_of_arguments();
    println!(
        "{}, {} cores, {}; {} rounds\n",
        processor(),
        cores(),
        today(),
        plan.rounds
    );
    print!("{}", run(&inputs(3_000_000)?, plan, figure));
    Ok(())
}
