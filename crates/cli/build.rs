//! Names the folder of the guides, and links the program statically on Linux with glibc, where the C compiler has the archives.
//!
//! The dynamic loader takes longer than everything else that the program does with a small file (benches/record). Cargo's
//! configuration cannot ask for this: `-Ctarget-feature=+crt-static` is for all crates or none, procedural macros among
//! them, unless there is a `--target`, which moves the program to another folder.
//!
//! rustc names the shared libraries that std needs (`-lc`, `-lgcc_s` and others) and adds the arguments of build scripts
//! after them. So this one writes linker scripts with the names of these libraries, which refer to the archives, into a
//! folder that is searched first.

use std::env::{self, VarError};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fs, io};

/// The libraries that std names on these targets.
const SHARED: [&str; 7] = [
    "libgcc_s.so",
    "libutil.so",
    "librt.so",
    "libpthread.so",
    "libm.so",
    "libdl.so",
    "libc.so",
];

/// Where their contents are.
const ARCHIVES: [&str; 4] = ["libm.a", "libc.a", "libgcc_eh.a", "libgcc.a"];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let guides = guides();
    println!("cargo::rustc-env=JSONX_GUIDES={}", guides.display());
    println!("cargo::rerun-if-env-changed=RUSTC_LINKER");
    if !is_wanted() {
        return;
    }
    let linker = env::var("RUSTC_LINKER").unwrap_or_else(|_| "cc".to_owned());
    let archives: Option<Vec<PathBuf>> = ARCHIVES.iter().map(|name| find(&linker, name)).collect();
    let folder = env::var_os("OUT_DIR").map(PathBuf::from);
    let (Some(archives), Some(folder)) = (archives, folder) else {
        return;
    };
    match write_scripts(&folder, &archives) {
        Ok(()) => {
            println!("cargo::rustc-link-arg-bins=-L{}", folder.display());
            println!("cargo::rustc-link-arg-bins=-static");
            println!("cargo::rustc-link-arg-bins=-no-pie");
        }
        Err(error) => println!("cargo::warning=linked dynamically: {error}"),
    }
}

/// The folder of the guides, which the program prints. In the repository, `docs` of this crate is a link, which not every checkout
/// on Windows follows; a package holds a copy.
fn guides() -> PathBuf {
    let crate_folder = env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let crate_folder = crate_folder.unwrap_or_default();
    let inside = crate_folder.join("docs");
    if inside.is_dir() {
        return inside;
    }
    crate_folder.join("../../docs")
}

/// Whether the target is the machine's own Linux with glibc, the feature `static` is on, and neither the target's features
/// nor a sanitizer have a say in how to link.
fn is_wanted() -> bool {
    let is = |name: &str, value: &str| env::var(name).as_deref() == Ok(value);
    let features = env::var("CARGO_CFG_TARGET_FEATURE").unwrap_or_default();
    let flags = env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default();
    env::var("CARGO_FEATURE_STATIC") != Err(VarError::NotPresent)
        && is("CARGO_CFG_TARGET_OS", "linux")
        && is("CARGO_CFG_TARGET_ENV", "gnu")
        && env::var("HOST") == env::var("TARGET")
        && !features.split(',').any(|feature| feature == "crt-static")
        && !flags.contains("sanitizer")
}

/// The file that the C compiler links for a name. For one that it does not have, it prints the name.
fn find(linker: &str, name: &str) -> Option<PathBuf> {
    let output = Command::new(linker)
        .arg(format!("-print-file-name={name}"))
        .output()
        .ok()?;
    let path = PathBuf::from(str::from_utf8(&output.stdout).ok()?.trim());
    (path.is_absolute() && path.exists()).then_some(path)
}

/// Writes a linker script for each shared library, which refers to all archives: each needs some of the others.
fn write_scripts(folder: &Path, archives: &[PathBuf]) -> io::Result<()> {
    let archives: Vec<String> = archives
        .iter()
        .map(|path| format!("\"{}\"", path.display()))
        .collect();
    let script = format!("GROUP ( {} )\n", archives.join(" "));
    SHARED
        .iter()
        .try_for_each(|name| fs::write(folder.join(name), &script))
}
