//! The picture in README: a terminal with the diagnostics of a broken file.

use std::fs;

use anstyle::RgbColor as Rgb;

/// The sixteen colors of the terminal: dark, with a blue that is readable on it.
const COLORS: [Rgb; 16] = [
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

/// Four mistakes of four kinds.
const BROKEN: &str = r#"{
  "name": "demo",
  "ports": [80, 8080,],
  "tls": {
    "cert": "cert.pem"
  "debug": True
}
"#;

/// The picture.
pub fn svg() -> String {
    let folder = crate::root().join("target/xtask");
    fs::create_dir_all(&folder).expect("a folder below target");
    fs::write(folder.join("config.json"), BROKEN).expect("a file below target");
    let arguments = ["validate", "--color", "always", "config.json"];
    let printed = crate::jsonx(&folder, &arguments);
    let [text, page] = [COLORS[7], COLORS[0]];
    anstyle_svg::Term::new()
        .palette(anstyle_svg::Palette(COLORS))
        .fg_color(text.into())
        .bg_color(page.into())
        .render_svg(&format!("$ jsonx validate config.json\n{printed}"))
}
