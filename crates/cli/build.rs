//! Links the unwinder into the program, where the C compiler has it as an archive.
//!
//! The shared libgcc is one more file to open, map and initialise at every start: on a file of 100 bytes the whole run
//! takes 1.37 ms of processor time with it and 1.25 ms without it (`true` takes 0.83 ms).

use std::path::PathBuf;
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let target = |part: &str| std::env::var(format!("CARGO_CFG_TARGET_{part}")).unwrap_or_default();
    let native = std::env::var("HOST") == std::env::var("TARGET");
    if !(native && target("OS") == "linux" && target("ENV") == "gnu") {
        return;
    }
    let archive = Command::new("cc")
        .arg("-print-file-name=libgcc_eh.a")
        .output();
    let Ok(output) = archive else { return };
    // The compiler prints the bare name when it has no such file.
    let path = PathBuf::from(String::from_utf8_lossy(&output.stdout).trim());
    if let Some(folder) = path
        .parent()
        .filter(|_| path.is_absolute() && path.exists())
    {
        println!("cargo:rustc-link-search=native={}", folder.display());
        println!("cargo:rustc-link-lib=static:-bundle=gcc_eh");
    }
}
