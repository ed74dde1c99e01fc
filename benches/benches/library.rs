//! `cargo bench -p jsonx-benches --bench library -- [--only TEXT] [--rounds N] [--median] [--kernel NAME]`
//!
//! Other libraries select instructions at compile time: with `--kernel avx2`, compile for `-C target-cpu=x86-64-v3`.

use jsonx_core::engine::Kernel;

use jsonx_benches::library::run;
use jsonx_benches::report::{cores, processor, today};
use jsonx_benches::rounds::{Plan, Times};
use jsonx_benches::throughput::GENERATED_SIZE;

/// The same allocator for every contender.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    let mut plan = Plan::FULL;
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
            "--rounds" => plan.rounds = value().parse().expect("a number of rounds"),
            "--kernel" => {
                let chosen = Kernel::by_name(&value()).expect("a kernel of this CPU");
                assert!(chosen.make_default());
            }
            "--median" => figure = |times| times.median,
            // Added by `cargo bench`.
            "--bench" => {}
            other => panic!("unknown argument {other}"),
        }
    }
    let report = run(GENERATED_SIZE, &only, plan).expect("the files of JSONX_CORPORA can be read");
    let compiled = match (
        cfg!(target_feature = "avx512f"),
        cfg!(target_feature = "avx2"),
    ) {
        (true, _) => "compiled for AVX-512",
        (_, true) => "compiled for AVX2",
        _ => "no target-cpu",
    };
    println!(
        "{}, {} cores, {}; {} rounds; {compiled}, kernel {:?}, mimalloc\n",
        processor(),
        cores(),
        today(),
        plan.rounds,
        Kernel::best()
    );
    print!("{}", report.markdown(figure));
}
