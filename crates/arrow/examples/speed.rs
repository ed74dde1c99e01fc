//! Reads a file of JSON Lines, compared with arrow-json on one thread: `cargo run --release --example speed -- FILE [FIELD...]`.
//!
//! With fields, only these are read. The schema is that of the first 1000 records. Prints the best of five interleaved runs.

use std::fs;
use std::io::Cursor;
use std::sync::Arc;
use std::time::{Duration, Instant};

use arrow_array::RecordBatch;
use arrow_schema::{ArrowError, SchemaRef};
use jsonx_arrow::{Reader, ReaderOptions, infer};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let name = arguments.next().ok_or("which file?")?;
    let columns: Vec<String> = arguments.collect();
    let text: Arc<[u8]> = fs::read(name)?.into();
    let mut schema = Arc::new(infer([&text[..text.len().min(8 << 20)]], Some(1000))?);
    if !columns.is_empty() {
        schema = Reader::project(&schema, &columns)?;
    }
    let ours = |threads: usize| {
        let source = Cursor::new(text.clone());
        let options = ReaderOptions::default().threads(threads);
        let mut reader = Reader::new(source, schema.clone(), options)?;
        let rows = rows(&mut reader)?;
        Ok((rows, reader.rejected()))
    };
    let mut best = [Duration::MAX; 3];
    for _ in 0..5 {
        for (name, best) in best.iter_mut().enumerate() {
            let start = Instant::now();
            let (rows, rejects) = match name {
                0 => ours(1)?,
                1 => ours(2)?,
                _ => (theirs(text.clone(), schema.clone())?, 0),
            };
            assert!(rows + rejects > 0);
            *best = (*best).min(start.elapsed());
        }
    }
    let (rows, rejects) = ours(1).map_err(|error: ArrowError| error)?;
    println!(
        "{rows} rows, {rejects} rejects, {} fields",
        schema.fields().len()
    );
    for (name, best) in ["jsonx-arrow", "jsonx-arrow, 2 threads", "arrow-json"]
        .iter()
        .zip(best)
    {
        let rate = text.len() as f64 / best.as_secs_f64() / 1e6;
        println!(
            "{name:>24}: {:>8.1} ms {rate:>7.0} MB/s",
            best.as_secs_f64() * 1e3
        );
    }
    Ok(())
}

fn rows(reader: impl Iterator<Item = Result<RecordBatch, ArrowError>>) -> Result<u64, ArrowError> {
    let mut rows = 0;
    for batch in reader {
        rows += batch?.num_rows() as u64;
    }
    Ok(rows)
}

fn theirs(text: Arc<[u8]>, schema: SchemaRef) -> Result<u64, ArrowError> {
    let reader = arrow_json::ReaderBuilder::new(schema).with_batch_size(8192);
    rows(reader.build(Cursor::new(text))?)
}
