//! Pretty text from minified text: the fast path, for everything except streams of small values.
//!
//! White space is inserted only next to structural bytes, so the loop copies whole runs of minified text between insertions:
//! half as many copies as tokens.
//!
//! ```text
//! minified   {"a":[1,{}],"b":2}
//! structural ^   ^^ ^^^^^   ^ ^
//! runs       { "a": [ 1, {} ], "b": 2 }        a space after `:`, a line feed after `{ [ ,` and before `} ]`, nothing in `{}`
//! ```

use super::buffer::CAPACITY;
use super::{CLASSES, Class, Formatter, Output};
use crate::kernel::{BlockTask, Isa, run_with};
use crate::token::Chunk;

/// Number of bytes copied at once. Longer runs and deeper lines take the slow path.
const WIDE: usize = 64;

impl<O: Output> Formatter<O> {
    /// Formats a chunk in which no second value begins at the root. `before` is the class of the token before it.
    pub(super) fn pretty(
        &mut self,
        chunk: &Chunk<'_>,
        mut before: Class,
        fill: u8,
        step: usize,
    ) -> Result<(), O::Error> {
        let text = chunk.minified;
        let (Some(&first), Some(&last)) = (text.first(), text.last()) else {
            return Ok(());
        };
        let mut structurals = chunk.structurals;
        let mut run = 0;
        // White space before the chunk, or right after its first byte, depends on the chunk before.
        let begins = match (before, CLASSES[first as usize]) {
            (Class::Open | Class::Comma | Class::Colon, class) => Some(class),
            (_, Class::Close) if structurals.first() == Some(&0) => Some(Class::Close),
            _ => None,
        };
        if let Some(class) = begins {
            self.gap(before, class, fill, step)?;
            if class == Class::Close && structurals.first() == Some(&0) {
                structurals = &structurals[1..];
            }
        }
        // The byte after the last one is not known yet.
        let ends = match structurals.split_last() {
            Some((&index, others)) if index as usize == text.len() - 1 => {
                structurals = others;
                true
            }
            _ => false,
        };

        let mut gaps = [[b' '; WIDE], [fill; WIDE]];
        gaps[1][0] = b'\n';
        while !structurals.is_empty() {
            let room = (4 * WIDE + 4 * text.len()).min(CAPACITY / 2);
            self.buffer.ensure(room, &mut self.output)?;
            let fast = Runs {
                text: chunk.minified_wide,
                structurals,
                run,
                gaps: &gaps,
                step,
                depth: self.depth,
                out: self.buffer.room(),
            };
            let done = run_with(chunk.kernel, fast);
            self.buffer.fill(done.written);
            self.depth = done.depth;
            (structurals, run) = (&structurals[done.structurals..], done.run);
            if done.slow
                && let Some((&index, others)) = structurals.split_first()
            {
                self.slow(text, index as usize, &mut run, fill, step)?;
                structurals = others;
            }
        }

        before = Class::Value;
        if ends {
            let class = CLASSES[last as usize];
            let end = text.len() - 1;
            if class == Class::Close {
                let opened =
                    end.checked_sub(1).map(|at| CLASSES[text[at] as usize]) == Some(Class::Open);
                self.buffer.append(&text[run..end], &mut self.output)?;
                run = end;
                let inner = if opened { Class::Open } else { Class::Value };
                self.gap(inner, class, fill, step)?;
            }
            self.depth += usize::from(class == Class::Open);
            before = class;
        }
        self.before = Some(before);
        self.buffer.append(&text[run..], &mut self.output)
    }

    /// Writes the white space between tokens of these classes.
    fn gap(&mut self, before: Class, class: Class, fill: u8, step: usize) -> Result<(), O::Error> {
        self.depth -= usize::from(class == Class::Close);
        match (before, class) {
            (Class::Open, Class::Close) => Ok(()),
            (Class::Colon, _) => self.buffer.append(b" ", &mut self.output),
            _ => {
                let length = 1 + self.depth * step;
                self.reach(length, fill);
                self.buffer.append(&self.line[..length], &mut self.output)
            }
        }
    }

    /// Extends the prepared line to at least `length` bytes.
    fn reach(&mut self, length: usize, fill: u8) {
        if self.line.len() < length {
            self.line.resize(length, fill);
        }
    }

    /// Handles one structural byte whose run or line is long.
    #[cold]
    fn slow(
        &mut self,
        text: &[u8],
        index: usize,
        run: &mut usize,
        fill: u8,
        step: usize,
    ) -> Result<(), O::Error> {
        let class = CLASSES[text[index] as usize];
        let end = index + usize::from(class != Class::Close);
        self.buffer.append(&text[*run..end], &mut self.output)?;
        *run = end;
        let next = CLASSES[text[index + 1] as usize];
        match class {
            Class::Open => {
                self.depth += 1;
                if next == Class::Close {
                    return Ok(());
                }
            }
            Class::Close => {
                let before = CLASSES[text[index - 1] as usize];
                return self.gap(before, Class::Close, fill, step);
            }
            _ => {}
        }
        self.gap(class, Class::Value, fill, step)
    }
}

/// The inner loop: copies runs and the white space between them, 64 bytes at a time.
struct Runs<'a> {
    /// The minified text, followed by 64 arbitrary bytes.
    text: &'a [u8],
    structurals: &'a [u32],
    /// The start of the current run.
    run: usize,
    /// A space and a line feed with its indentation.
    gaps: &'a [[u8; WIDE]; 2],
    step: usize,
    depth: usize,
    out: &'a mut [u8],
}

/// The state in which the inner loop stopped.
struct Done {
    /// The number of structural bytes it handled.
    structurals: usize,
    run: usize,
    depth: usize,
    written: usize,
    /// The next structural byte needs the slow path.
    slow: bool,
}

impl BlockTask for Runs<'_> {
    type Output = Done;

    #[inline(always)]
    fn run<K: Isa>(self, _: K) -> Done {
        let Runs {
            text,
            structurals,
            mut run,
            gaps,
            step,
            mut depth,
            out,
        } = self;
        let mut written = 0;
        let mut done = 0;
        // The slow path may have handled the structural byte before the first one.
        let mut opened = match structurals {
            [index, ..] if *index > 0 => {
                let rule = |at: u32| text.get(at as usize).map(|&byte| &RULES[byte as usize]);
                rule(index - 1).map_or(0, |rule| rule.opens)
                    & rule(*index).map_or(0, |rule| rule.closes)
            }
            _ => 0,
        };
        let mut slow = false;
        for &index in structurals {
            let index = index as usize;
            let Some(&[byte, after]) = text.get(index..).and_then(|text| text.first_chunk()) else {
                break;
            };
            let rule = &RULES[byte as usize];
            // An empty container is recognized at its opening byte by the next byte, at its closing byte by the previous
            // structural byte.
            let empty = rule.opens & RULES[after as usize].closes;
            let next_depth = depth.wrapping_add(rule.deeper);
            let end = index.wrapping_add(rule.takes);
            let length = end.wrapping_sub(run);
            let width = (next_depth.wrapping_mul(step) & rule.lines).wrapping_add(1)
                & (empty | opened).wrapping_sub(1);
            let (Some(from), Some(to)) =
                (wide(text, run), out.get_mut(written..written + 2 * WIDE))
            else {
                break;
            };
            // True whenever one of them is at least `WIDE`, which is a power of two.
            if length | width >= WIDE {
                slow = true;
                break;
            }
            to[..WIDE].copy_from_slice(from);
            to[length..length + WIDE].copy_from_slice(&gaps[rule.lines & 1]);
            written += length + width;
            run = end;
            depth = next_depth;
            opened = empty;
            done += 1;
        }
        Done {
            structurals: done,
            run,
            depth,
            written,
            slow,
        }
    }
}

/// The white space around a structural byte.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Rule {
    /// 1 for an opening byte.
    opens: usize,
    /// 1 for a closing one.
    closes: usize,
    /// The change of depth, wrapping.
    deeper: usize,
    /// 1 when the gap is after the byte, 0 when it is before it.
    takes: usize,
    /// All ones when the gap is a line, 0 when it is a space.
    lines: usize,
}

const RULES: [Rule; 256] = {
    let mut rules = [Rule {
        opens: 0,
        closes: 0,
        deeper: 0,
        takes: 1,
        lines: usize::MAX,
    }; 256];
    let mut byte = 0;
    while byte < 256 {
        match CLASSES[byte] {
            Class::Open => (rules[byte].opens, rules[byte].deeper) = (1, 1),
            Class::Close => {
                rules[byte].closes = 1;
                rules[byte].deeper = usize::MAX;
                rules[byte].takes = 0;
            }
            Class::Colon => rules[byte].lines = 0,
            _ => {}
        }
        byte += 1;
    }
    rules
};

#[inline(always)]
fn wide(text: &[u8], at: usize) -> Option<&[u8; WIDE]> {
    text.get(at..)?.first_chunk()
}
