//! Each bench once, for its results: what it asserts before it times anything. No time is looked at.

use jsonx_benches::contender;
use jsonx_benches::rounds::Plan;
use jsonx_benches::throughput;
use jsonx_core::Kernel;

#[test]
fn throughput_of_every_kernel_and_peer() {
    let kernels: Vec<Kernel> = Kernel::available().collect();
    let mut contenders = contender::all(&kernels);
    let inputs = throughput::inputs(100_000).unwrap();
    let report = throughput::run(&mut contenders, &inputs, Plan::ONCE).markdown(|times| times.best);
    for input in &inputs {
        assert_eq!(report.matches(&input.name).count(), 2, "{report}");
    }
    for name in ["jsonx swar / best Rust", "serde_json", "simd-json", "sonic-rs", "jiter", "geometric mean"] {
        assert!(report.contains(name), "{report}");
    }
}
