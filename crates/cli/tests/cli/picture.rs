//! The picture in README is what the program prints. `JSONX_WRITE_PICTURE=1 cargo test -p jsonx-cli --test cli picture`
//! draws it anew.

use std::path::Path;

use anstyle::RgbColor as Rgb;

use crate::Folder;

/// The sixteen colours of the terminal in the picture: dark, with a blue that can be read on it.
const COLOURS: [Rgb; 16] = [
    Rgb(0x0d, 0x11, 0x17),
    Rgb(0xff, 0x7b, 0x72),
    Rgb(0x7e, 0xe7, 0x87),
    Rgb(0xe3, 0xb3, 0x41),
    Rgb(0x79, 0xc0, 0xff),
    Rgb(0xd2, 0xa8, 0xff),
    Rgb(0x56, 0xd4, 0xdd),
    Rgb(0xe6, 0xed, 0xf3),
    Rgb(0x8b, 0x94, 0x9e),
    Rgb(0xff, 0xa1, 0x98),
    Rgb(0x9b, 0xf0, 0xa1),
    Rgb(0xf2, 0xcc, 0x60),
    Rgb(0xa5, 0xd6, 0xff),
    Rgb(0xe2, 0xc5, 0xff),
    Rgb(0xb3, 0xf0, 0xff),
    Rgb(0xff, 0xff, 0xff),
];

#[test]
fn the_picture_shows_what_the_program_prints() {
    let folder = Folder::with(&[(
        "config.json",
        b"{\n  \"name\": \"demo\",\n  \"ports\": [80, 8080,],\n  \"tls\": {\n    \"cert\": \"cert.pem\"\n  \"debug\": True\n}\n",
    )]);
    let ran = folder.run(&["validate", "--color", "always", "config.json"]);
    assert_eq!(ran.code, 1);
    let shown = format!("$ jsonx validate config.json\n{}", ran.out);
    let [text, page] = [COLOURS[7], COLOURS[0]];
    let picture = anstyle_svg::Term::new()
        .palette(anstyle_svg::Palette(COLOURS))
        .fg_color(text.into())
        .bg_color(page.into())
        .render_svg(&shown);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/diagnostic.svg");
    if std::env::var_os("JSONX_WRITE_PICTURE").is_some() {
        std::fs::write(&path, &picture).expect("the picture");
    }
    assert!(
        std::fs::read_to_string(&path).unwrap_or_default() == picture,
        "docs/diagnostic.svg is not up to date: JSONX_WRITE_PICTURE=1 cargo test -p jsonx-cli --test cli picture"
    );
}
