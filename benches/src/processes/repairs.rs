//! Repairing broken JSON, and reading JSON with comments.

use super::job::{Entry, Expect, Job};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Maximum length of a text to repair: the rivals take seconds for it.
const BROKEN: u64 = 5_000_000;

/// The inputs of these jobs.
pub struct Inputs {
    /// A list of objects, one per line.
    sound: PathBuf,
    /// The list with one comma missing in the middle.
    comma: PathBuf,
    /// The list with several mistakes in every line.
    rows: PathBuf,
    /// A document indented by two spaces, and the same document with a comment on every eighth line.
    plain: PathBuf,
    commented: PathBuf,
}

impl Inputs {
    /// Creates the files in a folder, the last one from `pretty`.
    pub fn make(folder: &Path, pretty: &Path, large: u64) -> Result<Inputs, String> {
        let length = large.min(BROKEN) as usize;
        let path = |name: &str| folder.join(format!("repair-{length}-{name}.json"));
        let inputs = Inputs {
            sound: path("sound"),
            comma: path("comma"),
            rows: path("rows"),
            plain: pretty.to_owned(),
            commented: pretty.with_extension("jsonc"),
        };
        inputs.write(length).map_err(|error| error.to_string())?;
        Ok(inputs)
    }

    fn write(&self, length: usize) -> io::Result<()> {
        if self.commented.is_file() && self.sound.is_file() {
            return Ok(());
        }
        let (mut sound, mut rows) = (String::from("[\n"), String::from("[\n"));
        let mut middle = 0;
        let mut number = 0;
        while sound.len() < length {
            if middle == 0 && sound.len() > length / 2 {
                middle = sound.len() - 2;
            }
            sound += &format!(
                "  {{\"id\": {number}, \"name\": \"user {number}\", \"active\": true, \"score\": 0.5}},\n"
            );
            rows += &format!(
                "  {{'id': {number}, name: \"user {number}\", active: True, score: .5,}}, // row\n"
            );
            number += 1;
        }
        for text in [&mut sound, &mut rows] {
            *text += "  {\"id\": -1}\n]\n";
        }
        let mut comma = sound.clone().into_bytes();
        comma.remove(middle);
        fs::write(&self.comma, comma)?;
        fs::write(&self.rows, rows)?;
        let mut out = io::BufWriter::new(fs::File::create(&self.commented)?);
        for (number, line) in fs::read(&self.plain)?
            .split_inclusive(|&byte| byte == b'\n')
            .enumerate()
        {
            if number % 8 == 0 {
                out.write_all(b"// what the line below is for\n")?;
            }
            out.write_all(line)?;
        }
        out.flush()?;
        fs::write(&self.sound, sound)
    }

    /// The jobs.
    pub fn jobs(&self, jsonx: &str) -> Vec<Job> {
        let text = |path: &Path| path.to_string_lossy().into_owned();
        let (comma, rows, sound) = (&*text(&self.comma), &*text(&self.rows), &*text(&self.sound));
        let (plain, commented) = (&*text(&self.plain), &*text(&self.commented));
        let size = |path: &Path| fs::metadata(path).map_or(0, |file| file.len());
        let same = || Expect::SameAsFirst {
            through: Some(
                [jsonx, "fmt", "--canonical", "-"]
                    .map(str::to_owned)
                    .to_vec(),
            ),
        };
        let repair = |file: &str| {
            vec![
                Entry::new(
                    "jsonx",
                    &[jsonx, "fix", "--all", "-q", file],
                    Expect::Exit(0),
                ),
                // The original values.
                Entry::new("jsonx, sound", &[jsonx, "fix", "-q", sound], same()),
                Entry::new("jsonrepair", &["jsonrepair", file], same()),
                Entry::new("json_repair", &["json_repair", file], same()),
            ]
        };
        vec![
            Job {
                name: "repair, one comma is missing",
                remark: "5 MB. `npm install -g jsonrepair` and `pip install json_repair`; both must come to the same values.",
                bytes: size(&self.comma),
                entries: repair(comma),
                repeats: 1,
            },
            Job {
                name: "repair, mistakes in every line",
                remark: "5 MB with seven mistakes in every line.",
                bytes: size(&self.rows),
                entries: repair(rows),
                repeats: 1,
            },
            Job {
                name: "validate JSON with comments",
                remark: "One text as JSON, as JSONC, and with a comment on every eighth line.",
                bytes: size(&self.plain),
                entries: vec![
                    Entry::new(
                        "jsonx",
                        &[jsonx, "validate", "--allow=all", plain],
                        Expect::Exit(0),
                    ),
                    Entry::new(
                        "jsonx, as JSONC",
                        &[jsonx, "validate", "--allow=all", "--input", "jsonc", plain],
                        Expect::Exit(0),
                    ),
                    Entry::new(
                        "jsonx, with comments",
                        &[jsonx, "validate", "--allow=all", commented],
                        Expect::Exit(0),
                    ),
                ],
                repeats: 1,
            },
        ]
    }
}
