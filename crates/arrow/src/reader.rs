//! The reader: yields batches in the order of the text, using any number of threads.

use std::collections::VecDeque;
use std::io::Read;
use std::sync::Arc;
use std::thread;

use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, Schema, SchemaRef};

use crate::blocks::Blocks;
use crate::decoder::{Block, Decoded, Decoder};
use crate::options::ReaderOptions;
use crate::rejects::{self, Reject};

/// Reads JSON Lines, or elements of a document, into record batches of a schema. An iterator, and a
/// [`RecordBatchReader`].
///
/// Records that are broken or do not fit the schema are left out: [`take_rejects`](Reader::take_rejects) returns them. Members
/// without a field are checked for syntax, and skipped.
///
/// Memory: a block and its batches per thread, and the rejects that were not taken.
pub struct Reader {
    schema: SchemaRef,
    options: ReaderOptions,
    blocks: Blocks,
    elements: Option<Arc<jsonx_core::Path>>,
    decoders: Vec<Decoder>,
    batches: VecDeque<RecordBatch>,
    rejects: VecDeque<Reject>,
    rejected: u64,
    cut: u64,
    /// Lines before the next block.
    lines: u64,
    is_done: bool,
    /// The error after the last batch.
    error: Option<ArrowError>,
}

impl Reader {
    /// Reads JSON Lines from memory (`text.as_bytes()`), a file or any other reader, such as a decompressor. A text that is an array
    /// of objects, `[{...}, ...]`, is read as [`elements`](Reader::elements) of its root.
    ///
    /// # Errors
    ///
    /// The schema has a type that cannot be read.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use arrow_schema::{DataType, Field, Schema};
    /// use jsonx_arrow::{Reader, ReaderOptions};
    ///
    /// let schema = Arc::new(Schema::new(vec![Field::new("a", DataType::Int64, true)]));
    /// let text: &'static [u8] = b"{\"a\": 1, \"b\": [2]}\n{}\n";
    /// let mut reader = Reader::new(text, schema, ReaderOptions::default().threads(2))?;
    /// assert_eq!(reader.next().unwrap()?.num_rows(), 2);
    /// assert!(reader.next().is_none());
    /// # Ok::<(), arrow_schema::ArrowError>(())
    /// ```
    pub fn new(
        source: impl Read + Send + 'static,
        schema: SchemaRef,
        options: ReaderOptions,
    ) -> Result<Self, ArrowError> {
        let decoders = (0..options.threads).map(|_| Decoder::new(schema.clone(), options.clone()));
        Ok(Reader {
            decoders: decoders.collect::<Result<_, _>>()?,
            blocks: Blocks::new(Box::new(source), options.block_bytes, options.max_record),
            schema,
            options,
            elements: None,
            batches: VecDeque::new(),
            rejects: VecDeque::new(),
            rejected: 0,
            cut: 0,
            lines: 0,
            is_done: false,
            error: None,
        })
    }

    /// Reads elements of one document, which is held in memory: less than 4 GB. `line` of a reject is the line at which the element
    /// begins.
    ///
    /// As in `jsonx_core::elements`, a path to one value selects the elements of that array or the values of that object; a path with
    /// a wildcard, slice, filter or descent selects its matches, in document order:
    ///
    /// | path | rows |
    /// |---|---|
    /// | `/rows`, `$.rows`, `$.rows[*]` | each element |
    /// | `$.rows[?@.price > 998]` | each element with this price |
    /// | `$.pages[*].rows[*]` | each row of each page |
    ///
    /// A path to one value must lead to an array or object; otherwise the iterator yields an error, as for an error in the text.
    /// Other paths may select nothing.
    ///
    /// # Errors
    ///
    /// As [`new`](Reader::new).
    ///
    /// ```
    /// use std::sync::Arc;
    /// use arrow_schema::{DataType, Field, Schema};
    /// use arrow_array::RecordBatchReader;
    /// use jsonx_arrow::{Reader, ReaderOptions};
    ///
    /// let schema = Arc::new(Schema::new(vec![Field::new("a", DataType::Int64, true)]));
    /// let text: &'static [u8] = br#"{"rows": [{"a": 1}, {"a": "x"}, {"a": 3}]}"#;
    /// let path = jsonx_core::Path::parse(".rows").unwrap();
    /// let mut reader = Reader::elements(text, path, schema, ReaderOptions::default())?;
    /// assert_eq!(reader.next().unwrap()?.num_rows(), 2);
    /// assert_eq!(reader.take_rejects()?.num_rows(), 1);
    ///
    /// let path = jsonx_core::Path::parse("$.rows[?@.a > 1]").unwrap();
    /// let mut reader = Reader::elements(text, path, reader.schema(), ReaderOptions::default())?;
    /// assert_eq!(reader.next().unwrap()?.num_rows(), 1);
    /// # Ok::<(), arrow_schema::ArrowError>(())
    /// ```
    pub fn elements(
        source: impl Read + Send + 'static,
        path: jsonx_core::Path,
        schema: SchemaRef,
        options: ReaderOptions,
    ) -> Result<Self, ArrowError> {
        let mut reader = Reader::new(source, schema, options.threads(1))?;
        reader.elements = Some(Arc::new(path));
        Ok(reader)
    }

    /// The fields of a schema with these names, in this order.
    ///
    /// # Errors
    ///
    /// A name that is not in the schema.
    ///
    /// ```
    /// use arrow_schema::{DataType, Field, Schema};
    /// use jsonx_arrow::Reader;
    ///
    /// let field = |name: &str| Field::new(name, DataType::Int64, true);
    /// let schema = Schema::new(vec![field("a"), field("b"), field("c")]);
    /// let two = Reader::project(&schema, &["c", "a"])?;
    /// assert_eq!((two.field(0).name().as_str(), two.fields().len()), ("c", 2));
    /// assert!(Reader::project(&schema, &["d"]).is_err());
    /// # Ok::<(), arrow_schema::ArrowError>(())
    /// ```
    pub fn project(schema: &Schema, columns: &[impl AsRef<str>]) -> Result<SchemaRef, ArrowError> {
        let indices = columns.iter().map(|name| schema.index_of(name.as_ref()));
        let indices = indices.collect::<Result<Vec<_>, _>>()?;
        Ok(Arc::new(schema.project(&indices)?))
    }

    /// The records rejected since the last call, as a batch of [`rejects_schema`](crate::rejects_schema): at least those before
    /// the last returned batch, possibly some after it. Beyond 1 GB, the rest is left for the next call.
    ///
    /// # Errors
    ///
    /// Internal errors; no input causes one.
    pub fn take_rejects(&mut self) -> Result<RecordBatch, ArrowError> {
        rejects::take(&mut self.rejects, rejects::LARGEST)
    }

    /// The number of records rejected so far.
    pub fn rejected(&self) -> u64 {
        self.rejected
    }

    /// The number of times so far that [`Coercion`](crate::Coercion) cut to the unit of their field.
    pub fn cut(&self) -> u64 {
        self.cut
    }

    /// The next block; `None` at the end.
    fn block(&mut self) -> Result<Option<Block>, ArrowError> {
        let read = match &self.elements {
            Some(_) => {
                self.is_done = true;
                Some(self.blocks.whole(Vec::new())?)
            }
            None => {
                let read = self.blocks.next()?;
                if self.blocks.is_array == Some(true) {
                    self.is_done = true;
                    self.elements = Some(Arc::new(jsonx_core::Path::root()));
                }
                read
            }
        };
        Ok(read.map(|(text, offset)| Block {
            text,
            offset,
            elements: self.elements.clone(),
        }))
    }

    /// Ends after the batches so far.
    fn fail(&mut self, error: ArrowError) {
        self.is_done = true;
        self.error = Some(error);
    }

    /// Decodes one block per thread.
    fn fill(&mut self) {
        let mut blocks = Vec::new();
        while !self.is_done && blocks.len() < self.options.threads {
            match self.block() {
                Ok(Some(block)) => blocks.push(block),
                Ok(None) => self.is_done = true,
                Err(error) => self.fail(error),
            }
        }
        let decoded: Vec<Result<Decoded, ArrowError>> = match &blocks[..] {
            [] => Vec::new(),
            [block] => vec![self.decoders[0].decode(block)],
            [first, others @ ..] => {
                let (own, decoders) = self.decoders.split_at_mut(1);
                thread::scope(|scope| {
                    let mut running = Vec::new();
                    for (block, decoder) in others.iter().zip(decoders) {
                        let work = move || decoder.decode(block);
                        running.push(thread::Builder::new().spawn_scoped(scope, work));
                    }
                    let mut decoded = vec![own[0].decode(first)];
                    decoded.extend(running.into_iter().map(|thread| match thread?.join() {
                        Ok(decoded) => decoded,
                        Err(panic) => std::panic::resume_unwind(panic),
                    }));
                    decoded
                })
            }
        };
        for decoded in decoded {
            let mut decoded = match decoded {
                Ok(decoded) => decoded,
                // It replaces a read error, which is further on.
                Err(error) => return self.fail(error),
            };
            for reject in &mut decoded.rejects {
                reject.line += self.lines;
            }
            self.lines += decoded.lines;
            self.cut += decoded.cut;
            self.rejected += decoded.rejects.len() as u64;
            self.rejects.extend(decoded.rejects);
            self.batches.extend(decoded.batches);
        }
    }
}

impl Iterator for Reader {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(batch) = self.batches.pop_front() {
                return Some(Ok(batch));
            }
            if self.is_done {
                return self.error.take().map(Err);
            }
            self.fill();
        }
    }
}

impl RecordBatchReader for Reader {
    fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }
}
