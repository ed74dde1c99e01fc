//! `cargo bench -p jsonx-benches --bench throughput -- [--only TEXT] [--kernel NAME]… [--rounds N] [--median]`

use jsonx_benches::contender;
use jsonx_benches::report::{cores, processor, today};
use jsonx_benches::rounds::{Plan, Times};
use jsonx_benches::throughput::{GENERATED_SIZE, inputs, run};
use jsonx_core::engine::Kernel;

fn main() {
    let mut plan = Plan::FULL;
    let mut kernels = vec![Kernel::best()];
    let mut only = String::new();
    let mut figure: fn(&Times) -> f64 = |times| times.best;
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || {
            arguments
                .next()
                .unwrap_or_else(|| panic!("{argument} needs a value"))
        };
        match argument.as_str() {
            "--only" => only = value(),
            "--kernel" => {
                kernels.push(Kernel::by_name(&value()).unwrap_or_else(|error| panic!("{error}")))
            }
            "--rounds" => plan.rounds = value().parse().expect("a number of rounds"),
            "--median" => figure = |times| times.median,
            // Added by `cargo bench`.
            "--bench" => {}
            other => panic!("unknown argument {other}"),
        }
    }
    let mut inputs = inputs(GENERATED_SIZE).expect("the files of JSONX_CORPORA can be read");
    inputs.retain(|input| input.name.contains(&only));
    let report = run(&mut contender::all(&kernels), &inputs, plan);
    let sonic = if cfg!(target_feature = "avx2") {
        "AVX2"
    } else {
        "SSE2 (no RUSTFLAGS=-Ctarget-cpu=native)"
    };
    println!(
        "{}, {} cores, {}; {} rounds; sonic-rs was compiled for {sonic}\n",
        processor(),
        cores(),
        today(),
        plan.rounds
    );
    print!("{}", report.markdown(figure));
}
