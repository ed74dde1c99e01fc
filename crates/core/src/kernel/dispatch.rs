//! Which kernel runs: chosen once, at run time, or by name.

use core::fmt;
use core::sync::atomic::{AtomicUsize, Ordering};
use std::sync::OnceLock;

#[cfg(target_arch = "aarch64")]
use super::neon::Neon;
use super::{Isa, swar::Swar};
#[cfg(target_arch = "x86_64")]
use super::{avx2::Avx2, avx512::Avx512};

/// An instruction set that this CPU has. Owning one is the proof that it was checked.
///
/// ```
/// use jsonx_core::Kernel;
///
/// assert!(Kernel::available().any(|kernel| kernel == Kernel::best()));
/// assert_eq!(Kernel::by_name("swar").unwrap(), Kernel::swar());
/// assert!(Kernel::by_name("abacus").is_err());
/// ```
#[derive(Clone, Copy)]
pub struct Kernel(Choice);

#[derive(Clone, Copy)]
enum Choice {
    Swar(Swar),
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
    #[cfg(target_arch = "aarch64")]
    Neon(Neon),
}

/// Why a kernel cannot be had by that name.
///
/// ```
/// use jsonx_core::{Kernel, KernelError};
///
/// assert_eq!(Kernel::by_name("abacus"), Err(KernelError::Unknown("abacus".to_owned())));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KernelError {
    /// There is no kernel of this name.
    Unknown(String),
    /// This CPU, or the architecture that the program was built for, lacks its instructions.
    Missing(&'static str),
}

impl fmt::Display for KernelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            KernelError::Unknown(name) => {
                write!(
                    f,
                    "there is no kernel `{}` (there are {})",
                    name.escape_debug(),
                    NAMES.join(", ")
                )
            }
            KernelError::Missing(name) => write!(
                f,
                "this CPU has not the instructions of the kernel `{name}`"
            ),
        }
    }
}

impl core::error::Error for KernelError {}

static BEST: OnceLock<Kernel> = OnceLock::new();

/// Bytes that the portable kernel checks in a third of the time that asking the CPU may take.
const SHORT: usize = 16 << 10;

/// Bytes of the texts that were checked while nobody had asked the CPU.
static SHORT_TEXTS: AtomicUsize = AtomicUsize::new(0);

/// Every kernel of every architecture, best first.
const NAMES: [&str; 4] = ["avx512", "avx2", "neon", "swar"];

impl Kernel {
    /// The fastest kernel that this CPU can run.
    ///
    /// ```
    /// use jsonx_core::Kernel;
    ///
    /// assert_eq!(Kernel::available().next(), Some(Kernel::best()));
    /// ```
    pub fn best() -> Kernel {
        *BEST.get_or_init(|| Kernel::available().next().unwrap_or(Kernel::swar()))
    }

    /// The fastest kernel for a text of `length` bytes. Asking the CPU for its instructions costs up to 50 µs in a
    /// virtual machine, where each question is an exit to its host: where nobody has asked yet, a short text is
    /// checked sooner without.
    pub(crate) fn for_text(length: usize) -> Kernel {
        match BEST.get() {
            Some(best) => *best,
            // Many short texts are a long one: those of 20,000 files of 2 KB took a sixth of the whole time.
            None if SHORT_TEXTS.fetch_add(length, Ordering::Relaxed) + length < SHORT => {
                Kernel::swar()
            }
            None => Kernel::best(),
        }
    }

    /// The portable kernel, eight bytes at a time. It runs on every CPU, and is the slowest.
    ///
    /// ```
    /// use jsonx_core::Kernel;
    ///
    /// assert_eq!(Kernel::available().last(), Some(Kernel::swar()));
    /// ```
    pub fn swar() -> Kernel {
        Kernel(Choice::Swar(Swar))
    }

    /// The kernels that this CPU can run, fastest first.
    ///
    /// ```
    /// use jsonx_core::Kernel;
    ///
    /// let names: Vec<&str> = Kernel::available().map(Kernel::name).collect();
    /// // On a recent x86 server: avx512, avx2, swar.
    /// assert!(names.contains(&"swar"));
    /// assert_eq!(names.contains(&"neon"), cfg!(target_arch = "aarch64"));
    /// ```
    pub fn available() -> impl Iterator<Item = Kernel> {
        NAMES.iter().filter_map(|name| Kernel::detect(name))
    }

    /// The kernel called `swar`, `avx2`, `avx512` or `neon`.
    ///
    /// # Errors
    ///
    /// When there is none of that name, or when this CPU cannot run it.
    ///
    /// ```
    /// use jsonx_core::{Kernel, KernelError};
    ///
    /// assert_eq!(Kernel::by_name("swar"), Ok(Kernel::swar()));
    /// // Known, but for CPUs of another kind.
    /// let foreign = if cfg!(target_arch = "aarch64") { "avx2" } else { "neon" };
    /// assert_eq!(Kernel::by_name(foreign), Err(KernelError::Missing(foreign)));
    /// assert_eq!(
    ///     Kernel::by_name("SWAR").unwrap_err().to_string(),
    ///     "there is no kernel `SWAR` (there are avx512, avx2, neon, swar)",
    /// );
    /// ```
    pub fn by_name(name: &str) -> Result<Kernel, KernelError> {
        match NAMES.iter().find(|known| **known == name) {
            None => Err(KernelError::Unknown(name.to_owned())),
            Some(known) => Kernel::detect(known).ok_or(KernelError::Missing(known)),
        }
    }

    /// Its name, as [`Kernel::by_name`] takes it.
    ///
    /// ```
    /// use jsonx_core::Kernel;
    ///
    /// assert_eq!(Kernel::swar().name(), "swar");
    /// ```
    pub fn name(self) -> &'static str {
        match self.0 {
            Choice::Swar(_) => "swar",
            #[cfg(target_arch = "x86_64")]
            Choice::Avx2(_) => "avx2",
            #[cfg(target_arch = "x86_64")]
            Choice::Avx512(_) => "avx512",
            #[cfg(target_arch = "aarch64")]
            Choice::Neon(_) => "neon",
        }
    }

    fn detect(name: &str) -> Option<Kernel> {
        match name {
            "swar" => Some(Kernel::swar()),
            #[cfg(target_arch = "x86_64")]
            "avx2" => Avx2::new().map(|avx2| Kernel(Choice::Avx2(avx2))),
            #[cfg(target_arch = "x86_64")]
            "avx512" => Avx512::new().map(|avx512| Kernel(Choice::Avx512(avx512))),
            #[cfg(target_arch = "aarch64")]
            "neon" => Neon::new().map(|neon| Kernel(Choice::Neon(neon))),
            _ => None,
        }
    }
}

impl fmt::Debug for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl PartialEq for Kernel {
    fn eq(&self, other: &Kernel) -> bool {
        self.name() == other.name()
    }
}

impl Eq for Kernel {}

/// Work on `u64` and slices that gains from being compiled for a kernel.
pub(crate) trait Task {
    /// What it returns.
    type Output;

    /// Does it. To be marked `#[inline(always)]`.
    fn run(self) -> Self::Output;
}

/// Runs a task, compiled with the CPU features of a kernel.
#[inline]
pub(crate) fn compiled_for<T: Task>(kernel: Kernel, task: T) -> T::Output {
    match kernel.0 {
        Choice::Swar(_) => task.run(),
        // SAFETY: an `Avx2` exists only where the CPU has what `run_avx2` is compiled for.
        #[cfg(target_arch = "x86_64")]
        Choice::Avx2(_) => unsafe { run_avx2(task) },
        // SAFETY: an `Avx512` exists only where the CPU has what `run_avx512` is compiled for.
        #[cfg(target_arch = "x86_64")]
        Choice::Avx512(_) => unsafe { run_avx512(task) },
        // SAFETY: a `Neon` exists only where the CPU has what `run_neon` is compiled for.
        #[cfg(target_arch = "aarch64")]
        Choice::Neon(_) => unsafe { run_neon(task) },
    }
}

/// Work on blocks that is compiled for each kernel.
pub(crate) trait BlockTask {
    /// What it returns.
    type Output;

    /// Does it. To be marked `#[inline(always)]`.
    fn run<K: Isa>(self, isa: K) -> Self::Output;
}

/// Runs a task with a kernel.
#[inline]
pub(crate) fn run_with<T: BlockTask>(kernel: Kernel, task: T) -> T::Output {
    struct With<K, T>(K, T);
    impl<K: Isa, T: BlockTask> Task for With<K, T> {
        type Output = T::Output;

        #[inline(always)]
        fn run(self) -> T::Output {
            self.1.run(self.0)
        }
    }
    match kernel.0 {
        Choice::Swar(swar) => compiled_for(kernel, With(swar, task)),
        #[cfg(target_arch = "x86_64")]
        Choice::Avx2(avx2) => compiled_for(kernel, With(avx2, task)),
        #[cfg(target_arch = "x86_64")]
        Choice::Avx512(avx512) => compiled_for(kernel, With(avx512, task)),
        #[cfg(target_arch = "aarch64")]
        Choice::Neon(neon) => compiled_for(kernel, With(neon, task)),
    }
}

/// A function with CPU features, into which a task is inlined.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
macro_rules! run_with_features {
    ($run:ident, $features:literal) => {
        #[target_feature(enable = $features)]
        fn $run<T: Task>(task: T) -> T::Output {
            task.run()
        }
    };
}

#[cfg(target_arch = "x86_64")]
run_with_features!(run_avx2, "avx2,bmi1,bmi2,lzcnt,popcnt,pclmulqdq");
#[cfg(target_arch = "x86_64")]
run_with_features!(
    run_avx512,
    "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt,pclmulqdq"
);
#[cfg(target_arch = "aarch64")]
run_with_features!(run_neon, "neon");
