//! Where the repository is, as a CI service tells the programs that it runs.

use std::path::PathBuf;

use crate::report::Repository;

/// The repository around the working directory. Known where GitHub Actions or GitLab CI runs us; elsewhere names stay
/// relative to the working directory.
pub fn repository() -> Repository {
    let root = ["GITHUB_WORKSPACE", "CI_PROJECT_DIR"]
        .iter()
        .find_map(|name| std::env::var_os(name).filter(|value| !value.is_empty()));
    let (Some(root), Ok(working)) = (root, std::env::current_dir()) else {
        return Repository::default();
    };
    // The working directory comes with its links resolved.
    let root = PathBuf::from(root);
    let root = root.canonicalize().unwrap_or(root);
    Repository::new(
        root.as_os_str().as_encoded_bytes(),
        working.as_os_str().as_encoded_bytes(),
    )
}
