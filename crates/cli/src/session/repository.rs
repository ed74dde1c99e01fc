//! The root of the repository, from the environment of a CI service.

use std::path::PathBuf;

use crate::report::Repository;

/// The repository, known in GitHub Actions and GitLab CI. Elsewhere, names stay relative to the working directory.
pub fn repository() -> Repository {
    let root = ["GITHUB_WORKSPACE", "CI_PROJECT_DIR"]
        .iter()
        .find_map(|name| std::env::var_os(name).filter(|value| !value.is_empty()));
    let (Some(root), Ok(working)) = (root, std::env::current_dir()) else {
        return Repository::default();
    };
    // `current_dir` returns a path with symbolic links resolved.
    let root = PathBuf::from(root);
    let root = root.canonicalize().unwrap_or(root);
    Repository::new(
        root.as_os_str().as_encoded_bytes(),
        working.as_os_str().as_encoded_bytes(),
    )
}
