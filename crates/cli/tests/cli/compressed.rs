//! Compressed inputs: every command reads the decompressed text, and reports the position of truncation.

use std::io::Write;

use crate::{Folder, Ran, jsonx, run};

const TEXT: &str = "{\"id\": 1, \"name\": \"é\", \"tags\": [\"a\", \"b\"]}\n";
const LINES: &str = "{\"id\": 1, \"ok\": true}\n{\"id\": 2, \"ok\": false}\n";

/// The extension and the data of each compression.
fn compressed(text: &[u8]) -> [(&'static str, Vec<u8>); 4] {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    gzip.write_all(text).unwrap();
    let mut bzip2 = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::default());
    bzip2.write_all(text).unwrap();
    let options = lzma_rust2::XzOptions::with_preset(1);
    let mut xz = lzma_rust2::XzWriter::new(Vec::new(), options).unwrap();
    xz.write_all(text).unwrap();
    let mut zstd = Vec::with_capacity(zstd_safe::compress_bound(text.len()));
    zstd_safe::compress(&mut zstd, text, zstd_safe::CLEVEL_DEFAULT).unwrap();
    [
        ("gz", gzip.finish().unwrap()),
        ("zst", zstd),
        ("bz2", bzip2.finish().unwrap()),
        ("xz", xz.finish().unwrap()),
    ]
}

/// A folder with the text in `name`, and compressed in files of that name with another extension.
fn folder(name: &str, text: &[u8]) -> (Folder, Vec<String>) {
    let mut files = vec![(name.to_owned(), text.to_vec())];
    for (extension, data) in compressed(text) {
        files.push((format!("{name}.{extension}"), data));
    }
    let borrowed: Vec<(&str, &[u8])> = files
        .iter()
        .map(|(name, data)| (name.as_str(), data.as_slice()))
        .collect();
    let folder = Folder::with(&borrowed);
    let names = files[1..].iter().map(|(name, _)| name.clone()).collect();
    (folder, names)
}

#[test]
fn every_command_reads_them_as_files_and_pipes() {
    let (folder, names) = folder("a.json", TEXT.as_bytes());
    let commands: [&[&str]; 8] = [
        &["validate"],
        &["get", "-r", ".tags[*]"],
        &["fmt", "-c"],
        &["fmt", "-S"],
        &["locate", "--offset=10"],
        &["set", ".id", "2"],
        &["fix"],
        &["patch", "{\"id\": null}"],
    ];
    for command in commands {
        let of = |name: &str| folder.run(&[command, &[name]].concat());
        let expected = of("a.json");
        assert_eq!(expected.code, 0, "{command:?} {expected:?}");
        for name in &names {
            let ran = of(name);
            assert_eq!(
                (ran.code, &ran.out),
                (0, &expected.out),
                "{command:?} {name} {ran:?}"
            );
            let data = std::fs::read(folder.path(name)).unwrap();
            let mut piped = jsonx(&[command, &["-"]].concat());
            let ran = run(piped.write_stdin(data));
            assert_eq!(
                (ran.code, &ran.out),
                (0, &expected.out),
                "{command:?} {name} {ran:?}"
            );
        }
    }
    for name in &names {
        assert_eq!(folder.run(&["diff", "a.json", name]).code, 0, "{name}");
        let schema = format!("--schema={name}");
        assert_eq!(
            folder.run(&["validate", &schema, "a.json"]).code,
            0,
            "{name}"
        );
    }
}

#[test]
fn records_are_detected_by_the_name_of_the_text() {
    let (folder, names) = folder("a.jsonl", LINES.as_bytes());
    for name in &names {
        let ran = folder.run(&["get", "-c", ".id", name]);
        assert_eq!((ran.code, &*ran.out), (0, "1\n2\n"), "{name} {ran:?}");
        assert_eq!(folder.run(&["validate", name]).code, 0, "{name}");
    }
}

#[test]
fn several_members_are_one_text() {
    let (one, two) = (compressed(b"[1,"), compressed(b" 2]\n"));
    for ((extension, mut data), (_, rest)) in one.into_iter().zip(two) {
        data.extend(rest);
        let ran = crate::piped(&["fmt", "-c"], data);
        assert_eq!((ran.code, &*ran.out), (0, "[1,2]\n"), "{extension} {ran:?}");
    }
    // A skippable frame between two.
    let frame = |text: &[u8]| compressed(text)[1].1.clone();
    let skipped = b"\x50\x2a\x4d\x18\x03\0\0\0abc".to_vec();
    let data = [frame(b"[1"), skipped, frame(b"]")].concat();
    assert_eq!(crate::piped(&["fmt", "-c"], data).out, "[1]\n");
}

#[test]
fn directories_hold_them_unless_files_are_rewritten() {
    let (folder, names) = folder("a.json", b"[1 , 2]\n");
    let ran = folder.run(&["validate", "-v", "."]);
    assert_eq!(
        (ran.code, ran.err.matches(": valid").count()),
        (0, 5),
        "{ran:?}"
    );
    let ran = folder.run(&["fmt", "--check", "."]);
    assert_eq!((ran.code, ran.out.contains(".gz")), (1, false), "{ran:?}");
    for name in &names {
        let before = std::fs::read(folder.path(name)).unwrap();
        for command in [
            &["fmt", "-w"][..],
            &["set", "-w", ".[0]", "2"],
            &["fix", "-w"],
        ] {
            let ran = folder.run(&[command, &[name]].concat());
            assert_eq!(ran.code, 4, "{command:?} {ran:?}");
            assert!(ran.err.contains("decompress it first"), "{ran:?}");
        }
        assert_eq!(std::fs::read(folder.path(name)).unwrap(), before);
    }
}

#[test]
fn positions_refer_to_the_text() {
    for (extension, data) in compressed(b"{\"a\": 1,\n \"b\": tru}\n") {
        let name = format!("a.json.{extension}");
        let folder = Folder::with(&[(&*name, &data)]);
        let ran = folder.run(&["validate", &name]);
        assert_eq!(ran.code, 1, "{ran:?}");
        assert!(ran.out.contains(&format!("--> {name}:2:7")), "{ran:?}");
        assert_eq!(
            ran.err.matches("refer to the decompressed text").count(),
            1,
            "{ran:?}"
        );
    }
}

#[test]
fn data_that_ends_too_early_or_is_corrupt_is_an_error_of_reading() {
    let text = format!("[{}1]\n", "123456789, ".repeat(200_000));
    for (extension, data) in compressed(text.as_bytes()) {
        let cut = crate::piped(&["validate"], &data[..data.len() - 3]);
        assert_eq!(cut.code, 4, "{extension} {cut:?}");
        assert!(cut.err.contains("truncated after"), "{extension} {cut:?}");
        let mut changed = data.clone();
        changed[data.len() / 2] ^= 0x10;
        let Ran { code, .. } = crate::piped(&["validate"], changed);
        assert!(code == 4 || code == 1, "{extension} {code}");
    }
    let ran = crate::piped(&["validate"], b"\x1f\x8b\x08");
    assert_eq!(
        (ran.code, ran.err.contains("truncated before any text")),
        (4, true),
        "{ran:?}"
    );
}

/// An error in a text whose rest cannot be read is reported with the reason.
#[test]
fn an_error_before_the_data_is_cut_off_is_reported() {
    let text = format!("[1,\n2,]\n[{}1]\n", "123456789, ".repeat(200_000));
    for (extension, data) in compressed(text.as_bytes()) {
        let ran = crate::piped(&["validate"], &data[..data.len() - 3]);
        assert_eq!(ran.code, 4, "{extension} {ran:?}");
        // Formats with blocks may yield nothing from a truncated block.
        if ran.err.contains("truncated before any text") {
            continue;
        }
        let note = "note: the rest of the input cannot be read; only the first error is reported";
        assert!(ran.out.contains("--> <stdin>:2:3\n"), "{extension} {ran:?}");
        assert!(ran.out.contains(note), "{extension} {ran:?}");
        assert!(ran.err.contains("truncated after"), "{extension} {ran:?}");
    }
}

/// What was decoded before a tear is processed, whatever was left for other threads or for a next read.
#[test]
fn values_before_a_tear_are_printed() {
    let mut noise = 1_u64;
    let mut value = |number: u64| {
        noise = noise.wrapping_mul(6364136223846793005).wrapping_add(1);
        format!("{{\"id\":{number},\"noise\":\"{noise:x}\"}}")
    };
    let values: Vec<String> = (0..15_000).map(&mut value).collect();
    let lines = values.iter().map(|value| format!("{value}\n"));
    let spread = values.iter().map(|value| value.replace(',', ",\n") + "\n");
    for (name, text) in [
        ("a.jsonl", lines.collect::<String>()),
        ("a.txt", spread.collect()),
    ] {
        for (extension, data) in compressed(text.as_bytes()) {
            let data = &data[..data.len() * 2 / 3];
            let name = format!("{name}.{extension}");
            let folder = Folder::with(&[(name.as_str(), data)]);
            for args in [
                &["jq", "-c", "."][..],
                &["jq", "-nc", "inputs"],
                &["jq", "-c", "--threads=1", "."],
                &["get", "-c", "."],
                &["fmt", "-c", "--input=stream"],
            ] {
                let piped = crate::piped(args, data);
                let file = folder.run(&[args, &[&name]].concat());
                for ran in [piped, file] {
                    let (_, decoded) = ran.err.split_once(" truncated after ").unwrap_or_default();
                    let decoded = decoded.split(' ').next().unwrap().parse().unwrap_or(0);
                    assert!(decoded > 0 || extension != "gz", "{args:?} {}", ran.err);
                    // The length of the text of each value, up to its end.
                    let mut end = 0;
                    let lines = if text.contains(",\n") { 2 } else { 1 };
                    let ends = text.split_inclusive('\n').collect::<Vec<_>>();
                    let ends = ends.chunks(lines).map(|lines| {
                        end += lines.concat().len();
                        end - 1
                    });
                    let whole = ends.take_while(|&end| end <= decoded).count();
                    let printed = ran.out.lines().filter(|line| line.ends_with('}')).count();
                    assert_eq!(printed, whole, "{args:?} {name} {}", ran.err);
                }
            }
        }
    }
}

/// The scanner reads blocks of 64 bytes; the padding of the last one is never printed.
#[test]
fn only_bytes_of_a_truncated_text_are_printed() {
    let text = r#"{"k":["a\\\"é",12.5,{"":true}],"second":"x/y"}"#;
    let long = format!("[\"{}\",{text}]", "z".repeat(60));
    let folder = Folder::with(&[]);
    let commands: [&[&str]; 8] = [
        &["fmt", "-c"],
        &["fmt", "-c", "-S"],
        &["fmt", "-c", "-a", "--eol=lf"],
        &["fmt", "-sc"],
        &["fmt", "--canonical"],
        &["get", "-c", "..*"],
        &["get", "-cr", "..*"],
        &["fix", "--all"],
    ];
    for text in [text, &long] {
        let cuts = (0..text.len()).filter(|&cut| text.is_char_boundary(cut));
        for cut in cuts.filter(|cut| text.len() < 60 || cut % 5 == 0) {
            let cut = &text[..cut];
            let mut gzip =
                flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
            gzip.write_all(cut.as_bytes()).unwrap();
            std::fs::write(folder.path("a.json.gz"), gzip.finish().unwrap()).unwrap();
            for command in commands {
                let piped = crate::piped(command, cut);
                let file = folder.run(&[command, &["a.json.gz"]].concat());
                for ran in [piped, file] {
                    assert!(!ran.out.contains(' '), "{command:?} {cut:?}: {:?}", ran.out);
                }
            }
        }
    }
}

/// Every truncation and a sample of flipped bits: the file is unchanged, and positions are the same as for a pipe.
#[test]
fn damaged_data_is_never_rewritten() {
    let text = r#"{"a": 1, "b": [true, null, "x"], "c": "longer text, longer text"}"#;
    let mut damaged = Vec::new();
    for (extension, data) in compressed(text.as_bytes()) {
        damaged.extend((0..data.len()).map(|cut| (extension, data[..cut].to_vec())));
        damaged.extend((0..data.len() * 8).step_by(13).map(|bit| {
            let mut data = data.clone();
            data[bit / 8] ^= 1 << (bit % 8);
            (extension, data)
        }));
        // Only the name indicates compression.
        damaged.extend([text, "[1,]", "("].map(|text| (extension, text.into())));
    }
    let folder = Folder::with(&[]);
    for (extension, data) in damaged {
        let name = format!("a.json.{extension}");
        std::fs::write(folder.path(&name), &data).unwrap();
        let ran = folder.run(&["fix", "-w", "--all", &name]);
        assert_eq!(ran.code, 4, "{extension} {data:?}: {}", ran.err);
        assert!(
            std::fs::read(folder.path(&name)).unwrap() == data,
            "{extension} {data:?}"
        );
        let there = folder.run(&["locate", &format!("{name}:1:16")]);
        let piped = crate::piped(&["locate", "-:1:16"], &data);
        assert_eq!(
            (there.out, there.code),
            (piped.out, piped.code),
            "{extension} {data:?}"
        );
    }
}

#[test]
fn the_content_decides_as_of_a_file() {
    for name in [
        "app.log",
        "app.txt",
        "app.log.1",
        "app.json",
        "app.jsonl",
        "app",
    ] {
        for text in [LINES, TEXT, "{\"a\": 1}\nx\n{\"a\": 2}\n", "[1\n", "x\n"] {
            let (folder, names) = folder(name, text.as_bytes());
            for command in [&["validate"][..], &["fix", "--all"]] {
                let of = |name: &str| folder.run(&[command, &[name]].concat());
                let plain = of(name);
                for compressed in &names {
                    let ran = of(compressed);
                    assert_eq!(
                        (&ran.out, ran.code),
                        (&plain.out.replace(name, compressed), plain.code),
                        "{compressed} {text}"
                    );
                }
            }
        }
    }
}
