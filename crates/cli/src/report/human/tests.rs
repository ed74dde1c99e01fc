//! The cases of the shared suite, and what holds for every text that is shown.

use super::*;
