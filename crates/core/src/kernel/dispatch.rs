//! Selects a kernel: once, at run time, or by name.

use core::fmt;
use core::sync::atomic::{AtomicUsize, Ordering};
use std::sync::OnceLock;

use super::{Compiled, Isa, Task};

/// An instruction set that this CPU has. Owning one is the proof that it was checked.
///
/// ```
/// use jsonx_core::engine::Kernel;
///
/// assert!(Kernel::available().any(|kernel| kernel == Kernel::best()));
/// assert_eq!(Kernel::by_name("swar").unwrap(), Kernel::swar());
/// assert!(Kernel::by_name("abacus").is_err());
/// ```
#[derive(Clone, Copy)]
pub struct Kernel(Choice);

/// From the list of kernels: an enum with a variant for each, and every `match` on it.
macro_rules! kernels {
    ($($name:literal: $module:ident::$Type:ident if $cfg:meta;)+) => {
        #[derive(Clone, Copy)]
        enum Choice {
            $(#[cfg($cfg)] $Type(super::$module::$Type),)+
        }

        /// Every kernel of every architecture, fastest first.
        const NAMES: &[&str] = &[$($name),+];

        impl Choice {
            fn detect(name: &str) -> Option<Choice> {
                match name {
                    $(#[cfg($cfg)] $name => Compiled::detect().map(Choice::$Type),)+
                    _ => None,
                }
            }

            fn name(self) -> &'static str {
                match self {
                    $(#[cfg($cfg)] Choice::$Type(_) => $name,)+
                }
            }

            #[inline]
            fn run_with<T: BlockTask>(self, task: T) -> T::Output {
                match self {
                    $(#[cfg($cfg)] Choice::$Type(kernel) => kernel.run(With(kernel, task)),)+
                }
            }
        }

        /// The test of each kernel. `.ci/run` asserts that those of the CPU ran.
        #[cfg(test)]
        mod battery {
            $(#[test] fn $module() {
                super::super::tests::battery_of($name);
            })+
        }
    };
}

// Fastest first.
kernels! {
    "avx512": avx512::Avx512 if target_arch = "x86_64";
    "avx2": avx2::Avx2 if target_arch = "x86_64";
    "neon": neon::Neon if all(target_arch = "aarch64", target_endian = "little");
    "swar": swar::Swar if all();
}

/// The reason why a kernel is not available.
///
/// ```
/// use jsonx_core::engine::{Kernel, KernelError};
///
/// assert_eq!(Kernel::by_name("abacus"), Err(KernelError::Unknown("abacus".to_owned())));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
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
                    "unknown kernel `{}` (known: {})",
                    name.escape_debug(),
                    NAMES.join(", ")
                )
            }
            KernelError::Missing(name) => {
                write!(f, "this CPU lacks the instructions of the kernel `{name}`")
            }
        }
    }
}

impl core::error::Error for KernelError {}

static BEST: OnceLock<Kernel> = OnceLock::new();

/// The portable kernel checks this many bytes in a third of the time that the detection may take.
const SHORT: usize = 16 << 10;

/// Total length of the texts that were checked before the CPU features were detected.
static SHORT_TEXTS: AtomicUsize = AtomicUsize::new(0);

impl Kernel {
    /// The fastest kernel that this CPU can run.
    ///
    /// ```
    /// use jsonx_core::engine::Kernel;
    ///
    /// assert_eq!(Kernel::available().next(), Some(Kernel::best()));
    /// ```
    pub fn best() -> Kernel {
        *BEST.get_or_init(|| Kernel::available().next().unwrap_or(Kernel::swar()))
    }

    /// Makes this the default kernel, as if it were the fastest of this CPU: for measurements. Returns `false` if the default has
    /// already been used.
    #[doc(hidden)]
    pub fn make_default(self) -> bool {
        BEST.set(self).is_ok()
    }

    /// The fastest kernel for a text of `length` bytes. Detecting the CPU features costs up to 50 µs in a virtual machine, where
    /// each CPUID is an exit to the host: until they are known, a short text is checked faster without them.
    pub(crate) fn for_text(length: usize) -> Kernel {
        match BEST.get() {
            Some(best) => *best,
            // Their total counts: with the portable kernel for each of 20,000 files of 2 KB, it took a sixth of the whole time.
            None if SHORT_TEXTS.fetch_add(length, Ordering::Relaxed) + length < SHORT => {
                Kernel::swar()
            }
            None => Kernel::best(),
        }
    }

    /// The portable kernel, eight bytes at a time. It runs on every CPU and is the slowest.
    ///
    /// ```
    /// use jsonx_core::engine::Kernel;
    ///
    /// assert_eq!(Kernel::available().last(), Some(Kernel::swar()));
    /// ```
    pub fn swar() -> Kernel {
        Kernel(Choice::Swar(super::swar::Swar))
    }

    /// The kernels that this CPU can run, fastest first.
    ///
    /// ```
    /// use jsonx_core::engine::Kernel;
    ///
    /// let names: Vec<&str> = Kernel::available().map(Kernel::name).collect();
    /// // On a recent x86 server: avx512, avx2, swar.
    /// assert!(names.contains(&"swar"));
    /// assert_eq!(names.contains(&"neon"), cfg!(target_arch = "aarch64"));
    /// ```
    pub fn available() -> impl Iterator<Item = Kernel> {
        NAMES
            .iter()
            .filter_map(|name| Choice::detect(name).map(Kernel))
    }

    /// The kernel named `swar`, `avx2`, `avx512` or `neon`.
    ///
    /// # Errors
    ///
    /// No kernel has this name, or this CPU cannot run it.
    ///
    /// ```
    /// use jsonx_core::engine::{Kernel, KernelError};
    ///
    /// assert_eq!(Kernel::by_name("swar"), Ok(Kernel::swar()));
    /// // Known, but for another architecture.
    /// let foreign = if cfg!(target_arch = "aarch64") { "avx2" } else { "neon" };
    /// assert_eq!(Kernel::by_name(foreign), Err(KernelError::Missing(foreign)));
    /// assert_eq!(
    ///     Kernel::by_name("SWAR").unwrap_err().to_string(),
    ///     "unknown kernel `SWAR` (known: avx512, avx2, neon, swar)",
    /// );
    /// ```
    pub fn by_name(name: &str) -> Result<Kernel, KernelError> {
        match NAMES.iter().find(|known| **known == name) {
            None => Err(KernelError::Unknown(name.to_owned())),
            Some(known) => Choice::detect(known)
                .map(Kernel)
                .ok_or(KernelError::Missing(known)),
        }
    }

    /// Its name, as [`Kernel::by_name`] takes it.
    ///
    /// ```
    /// use jsonx_core::engine::Kernel;
    ///
    /// assert_eq!(Kernel::swar().name(), "swar");
    /// ```
    pub fn name(self) -> &'static str {
        self.0.name()
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

/// Code on blocks that is compiled once per kernel.
pub trait BlockTask {
    /// The result.
    type Output;

    /// Runs it. Implementations must be `#[inline(always)]`, or the CPU features do not reach them.
    fn run<K: Isa>(self, isa: K) -> Self::Output;
}

/// Runs a block task with a kernel.
#[inline]
pub fn run_with<T: BlockTask>(kernel: Kernel, task: T) -> T::Output {
    kernel.0.run_with(task)
}

/// A task with its kernel.
struct With<K, T>(K, T);

impl<K: Isa, T: BlockTask> Task for With<K, T> {
    type Output = T::Output;

    #[inline(always)]
    fn run(self) -> T::Output {
        self.1.run(self.0)
    }
}
