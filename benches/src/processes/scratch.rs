//! The input files of the jobs.

use super::Plan;
use super::repairs::Inputs;
use jsonx_corpora::{DEFAULT_SEED, Shape, generate};
use std::fs::{self, File};
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// The last member of [`Scratch::large`], as `get` and `rq` print it.
pub const LAST: &str = "42";

pub struct Scratch {
    /// `{"data": an API answer, "last": {"answer": 42}}`.
    pub large: PathBuf,
    /// A catalog without white space.
    pub minified: PathBuf,
    /// A catalog indented by two spaces.
    pub pretty: PathBuf,
    /// `minified` with the wrong bracket at its end.
    pub broken: PathBuf,
    /// A hundred bytes.
    pub small: PathBuf,
    /// A response of a search API on each line.
    pub lines: PathBuf,
    /// 200 directories with 100 small files in each.
    pub tree: PathBuf,
    /// Broken files, and files with comments.
    pub repairs: Inputs,
}

/// Numbers of directories in [`Scratch::tree`] and of files in each, and the approximate length of a file.
const DIRECTORIES: usize = 200;
const FILES: usize = 100;
const LENGTH: u64 = 2_000;

impl Scratch {
    /// Creates missing files. The size is part of the name of a file, which is renamed to it when complete.
    pub fn make(plan: &Plan) -> Result<Scratch, String> {
        let folder = &plan.scratch;
        fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        let (large, medium) = (plan.large, plan.medium);
        let pretty = file(folder, &format!("pretty-{medium}.json"), |out| {
            generate(Shape::Pretty, medium, DEFAULT_SEED, out).map(drop)
        })?;
        let repairs = Inputs::make(folder, &pretty, large)?;
        Ok(Scratch {
            large: file(folder, &format!("large-{large}.json"), |out| {
                out.write_all(b"{\"data\":")?;
                generate(Shape::Tweets, large.saturating_sub(34), DEFAULT_SEED, out)?;
                write!(out, ",\"last\":{{\"answer\":{LAST}}}}}")
            })?,
            minified: file(folder, &format!("minified-{medium}.json"), |out| {
                generate(Shape::Minified, medium, DEFAULT_SEED, out).map(drop)
            })?,
            pretty,
            repairs,
            broken: file(folder, &format!("broken-{medium}.json"), |out| {
                generate(Shape::Minified, medium, DEFAULT_SEED, out)?;
                out.seek(SeekFrom::End(-1))?;
                out.write_all(b"}")
            })?,
            small: file(folder, "small.json", |out| {
                let text = br#"{"name":"jsonx","kind":"a document of one hundred bytes","numbers":[1,2.5,-3e2],"ok":true,"no":null}"#;
                out.write_all(text)
            })?,
            lines: file(folder, &format!("answers-{medium}.jsonl"), |out| {
                let block = lines()?;
                let mut written = 0;
                while written < medium {
                    out.write_all(&block)?;
                    written += block.len() as u64;
                }
                Ok(())
            })?,
            tree: tree(folder)?,
        })
    }
}

/// Some thousand lines, each an object of 3,000 to 6,000 bytes with at least one status.
fn lines() -> io::Result<Vec<u8>> {
    let mut block = Vec::new();
    for number in 0..4000 {
        let mut line = io::Cursor::new(Vec::new());
        generate(
            Shape::Tweets,
            3000 + number * 37 % 3000,
            DEFAULT_SEED + number,
            &mut line,
        )?;
        block.extend_from_slice(line.get_ref().trim_ascii_end());
        block.push(b'\n');
    }
    Ok(block)
}

/// A directory of many small files, renamed when it is complete.
fn tree(folder: &Path) -> Result<PathBuf, String> {
    let path = folder.join("tree");
    if path.is_dir() {
        return Ok(path);
    }
    eprintln!("making {}", path.display());
    let unfinished = folder.join("tree.part");
    let make = || {
        for directory in 0..DIRECTORIES {
            let directory = unfinished.join(format!("{directory:03}"));
            fs::create_dir_all(&directory)?;
            for number in 0..FILES {
                let mut out =
                    BufWriter::new(File::create(directory.join(format!("{number:03}.json")))?);
                let length = LENGTH / 4 * (1 + number as u64 % 7);
                generate(
                    Shape::Pretty,
                    length,
                    DEFAULT_SEED + number as u64,
                    &mut out,
                )?;
                out.into_inner()?;
            }
        }
        fs::rename(&unfinished, &path)
    };
    make().map_err(|error: io::Error| format!("{}: {error}", path.display()))?;
    Ok(path)
}

fn file(
    folder: &Path,
    name: &str,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> Result<PathBuf, String> {
    let path = folder.join(name);
    if path.is_file() {
        return Ok(path);
    }
    eprintln!("making {}", path.display());
    let unfinished = folder.join(format!("{name}.part"));
    let make = || {
        let mut out = BufWriter::new(File::create(&unfinished)?);
        write(&mut out)?;
        out.into_inner()?;
        fs::rename(&unfinished, &path)
    };
    make().map_err(|error: io::Error| format!("{}: {error}", path.display()))?;
    Ok(path)
}
