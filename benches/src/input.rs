//! The inputs of the contenders.

use jsonx_corpora::{DEFAULT_SEED, Shape, generate};
use std::io;
use std::path::Path;

/// A text to check, in memory.
#[derive(Clone, Debug)]
pub struct Input {
    /// Its name in the table: the name of the file or of the generated shape.
    pub name: String,
    /// The text.
    pub bytes: Vec<u8>,
    /// Whether it is JSON Lines rather than one document.
    pub lines: bool,
}

impl Input {
    /// A generated document of at most `size` bytes.
    ///
    /// ```
    /// use jsonx_benches::input::Input;
    /// use jsonx_corpora::Shape;
    ///
    /// let input = Input::generated(Shape::OrderBook, 10_000);
    /// assert_eq!(input.name, "generated order-book");
    /// assert!(input.lines);
    /// ```
    pub fn generated(shape: Shape, size: u64) -> Input {
        let mut bytes = Vec::new();
        // Writing to a `Vec` cannot fail.
        generate(shape, size, DEFAULT_SEED, &mut bytes).expect("writing to memory");
        Input {
            name: format!("generated {shape}"),
            bytes,
            lines: shape.is_lines(),
        }
    }

    /// Every `.json`, `.jsonl` and `.ndjson` file of `folder`, by name; errors of reading.
    ///
    /// ```
    /// use jsonx_benches::input::Input;
    ///
    /// let samples = concat!(env!("CARGO_MANIFEST_DIR"), "/../corpora/samples");
    /// let inputs = Input::all_of(samples.as_ref())?;
    /// assert!(inputs.iter().any(|input| input.name == "tweets.json" && !input.lines));
    /// assert!(inputs.iter().any(|input| input.name == "order-book.jsonl" && input.lines));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn all_of(folder: &Path) -> io::Result<Vec<Input>> {
        let mut inputs = Vec::new();
        for entry in std::fs::read_dir(folder)? {
            let path = entry?.path();
            let extension = path.extension().and_then(|extension| extension.to_str());
            let lines = match extension {
                Some("json") => false,
                Some("jsonl" | "ndjson") => true,
                _ => continue,
            };
            let name = path
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            inputs.push(Input {
                name,
                bytes: std::fs::read(&path)?,
                lines,
            });
        }
        inputs.sort_by(|one, other| one.name.cmp(&other.name));
        Ok(inputs)
    }

    /// Invalid variants of the text: truncated, and with trailing text. A contender that accepts either does not validate.
    ///
    /// ```
    /// use jsonx_benches::input::Input;
    ///
    /// let input = Input { name: "pair".into(), bytes: b"[1,2]\n".to_vec(), lines: false };
    /// let broken: Vec<_> = input.broken().into_iter().map(|input| input.bytes).collect();
    /// assert_eq!(broken, [b"[1,2".to_vec(), b"[1,2]]".to_vec()]);
    /// ```
    pub fn broken(&self) -> [Input; 2] {
        let text = self.bytes.trim_ascii_end();
        let cut = text[..text.len().saturating_sub(1)].to_vec();
        let mut continued = text.to_vec();
        continued.push(b']');
        [("cut short", cut), ("continued", continued)].map(|(what, bytes)| Input {
            name: format!("{}, {what}", self.name),
            bytes,
            lines: self.lines,
        })
    }
}
