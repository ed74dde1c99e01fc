//! Prints the values that a JSONPath selects in a file, each with its own path and line.
//!
//!     cargo run -p jsonx-core --example query -- PATH FILE

use std::fs::File;
use std::io::{self, Read, Write};

use jsonx_core::OwnedDocument;
use jsonx_core::path::Notation;
use jsonx_core::position::locate;

fn query(file: impl Read, path: &str, mut out: impl Write) -> io::Result<()> {
    let document = OwnedDocument::from_reader(file)?;
    for node in document.query(path)? {
        let line = locate(document.text(), node.span().start).line;
        writeln!(
            out,
            "{line}: {} = {node}",
            node.path().display(Notation::Dot)
        )?;
    }
    Ok(())
}

fn main() -> io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments
        .next()
        .unwrap_or("$.items[?@.price < 10].name".to_owned());
    let file = File::open(arguments.next().unwrap_or("items.json".to_owned()))?;
    query(file, &path, io::stdout().lock())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_their_places() {
        let text = "{\"items\": [\n  {\"price\": 5, \"name\": {\"en\": \"a\" }},\n  {\"price\": 999},\n  {\"price\": 7, \"name\": \"b\"}\n]}";
        let mut out = Vec::new();
        query(text.as_bytes(), "$.items[?@.price < 10].name", &mut out).unwrap();
        let expected = "2: .items[0].name = {\"en\":\"a\"}\n4: .items[2].name = \"b\"\n";
        assert_eq!(String::from_utf8(out).unwrap(), expected);
        assert!(query(text.as_bytes(), "items", Vec::new()).is_err());
    }
}
