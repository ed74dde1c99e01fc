//! The man pages are what the definition of the command line says. `JSONX_WRITE_MAN=1 cargo test man` writes them anew.

use std::path::Path;

/// The pages by file name, as roff.
fn pages() -> Vec<(String, Vec<u8>)> {
    let mut jsonx = jsonx_cli::command();
    jsonx.build();
    let mut commands = vec![("jsonx".to_owned(), jsonx.clone())];
    commands.extend(
        jsonx
            .get_subcommands()
            .map(|command| (format!("jsonx-{}", command.get_name()), command.clone())),
    );
    let page = |(name, command): (String, clap::Command)| {
        let mut roff = Vec::new();
        let named: &'static str = name.clone().leak();
        let page = clap_mangen::Man::new(command.name(named).display_name(named))
            .date("")
            .manual("jsonx manual");
        page.render(&mut roff).expect("memory does not run out");
        (format!("{name}.1"), roff)
    };
    commands.into_iter().map(page).collect()
}

#[test]
fn the_man_pages_say_what_the_program_does() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../man");
    let write = std::env::var_os("JSONX_WRITE_MAN").is_some();
    for (name, page) in pages() {
        let path = folder.join(&name);
        if write {
            std::fs::create_dir_all(&folder).expect("a folder for the man pages");
            std::fs::write(&path, &page).expect("a man page");
        }
        let kept = std::fs::read(&path).unwrap_or_default();
        assert!(
            kept == page,
            "man/{name} is not up to date: JSONX_WRITE_MAN=1 cargo test man"
        );
    }
    let known = pages().len();
    let there = std::fs::read_dir(&folder).expect("the man pages").count();
    assert_eq!(there, known, "a man page of no command");
}
