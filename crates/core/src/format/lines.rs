//! Pretty text out of squeezed text: the fast way, for everything but streams of small values.
//!
//! Squeezed text is what is wanted but for the white space, and that goes in at structural bytes only. So what is
//! copied is whole runs, from one place where something goes in to the next, and not tokens: half as many copies.
//!
//! ```text
//! squeezed   {"a":[1,{}],"b":2}
//! places     ^   ^^ ^^^^^   ^ ^
//! runs       { "a": [ 1, {} ], "b": 2 }        a space after `:`, a line after `{ [ ,` and before `} ]`, none in `{}`
//! ```

use super::page::PAGE;
use super::{CLASSES, Class, Formatter, Output};
use crate::kernel::{self, Task};
use crate::token::Chunk;

/// Bytes that are copied at once. Longer runs and deeper lines take the slow road.
const WIDE: usize = 64;

impl<O: Output> Formatter<O> {
    /// Formats a chunk in which no further value begins at the root.
    pub(super) fn lines(
        &mut self,
        chunk: &Chunk<'_>,
        fill: u8,
        step: usize,
    ) -> Result<(), O::Error> {
        let text = chunk.squeezed;
        let (Some(&first), Some(&last)) = (text.first(), text.last()) else {
            return Ok(());
        };
        let mut places = chunk.places;
        let mut run = 0;
        // What goes in before the chunk, or right after its first byte, depends on the chunk before.
        let begins = match (self.before, CLASSES[first as usize]) {
            (Class::Open | Class::Comma | Class::Colon, class) => Some(class),
            (_, Class::Close) if places.first() == Some(&0) => Some(Class::Close),
            _ => None,
        };
        if let Some(class) = begins {
            self.before_token(class, fill, step)?;
            if class == Class::Close && places.first() == Some(&0) {
                places = &places[1..];
                self.before = Class::Close;
            }
        }
        // Nor is it known what comes after the last byte.
        let ends = match places.split_last() {
            Some((&place, others)) if place as usize == text.len() - 1 => {
                places = others;
                true
            }
            _ => false,
        };

        while !places.is_empty() {
            let room = (4 * WIDE + 4 * text.len()).min(PAGE / 2);
            self.page.ensure(room, &mut self.output)?;
            self.reach(WIDE, fill);
            let fast = Runs {
                text: chunk.squeezed_wide,
                places,
                run,
                newline: &self.line,
                step,
                depth: self.depth,
                out: self.page.room(),
            };
            let done = kernel::compiled_for(chunk.kernel, fast);
            self.page.fill(done.written);
            self.depth = done.depth;
            (places, run) = (&places[done.places..], done.run);
            if done.slow
                && let Some((&place, others)) = places.split_first()
            {
                self.slow(text, place as usize, &mut run, fill, step)?;
                places = others;
            }
        }

        self.before = Class::Value;
        if ends {
            let class = CLASSES[last as usize];
            let end = text.len() - 1;
            if class == Class::Close {
                let opened =
                    end.checked_sub(1).map(|at| CLASSES[text[at] as usize]) == Some(Class::Open);
                self.page.append(&text[run..end], &mut self.output)?;
                run = end;
                self.before = if opened { Class::Open } else { Class::Value };
                self.before_token(class, fill, step)?;
            }
            self.depth += usize::from(class == Class::Open);
            self.before = class;
        }
        self.page.append(&text[run..], &mut self.output)
    }

    /// White space before a token of this class, after what was before.
    fn before_token(&mut self, class: Class, fill: u8, step: usize) -> Result<(), O::Error> {
        self.depth -= usize::from(class == Class::Close);
        match (self.before, class) {
            (Class::Open, Class::Close) => Ok(()),
            (Class::Colon, _) => self.page.append(b" ", &mut self.output),
            _ => {
                let length = 1 + self.depth * step;
                self.reach(length, fill);
                self.page.append(&self.line[..length], &mut self.output)
            }
        }
    }

    /// Makes the prepared line at least `length` bytes long.
    fn reach(&mut self, length: usize, fill: u8) {
        if self.line.len() < length {
            self.line.resize(length, fill);
        }
    }

    /// One structural byte whose run or line is long.
    #[cold]
    fn slow(
        &mut self,
        text: &[u8],
        place: usize,
        run: &mut usize,
        fill: u8,
        step: usize,
    ) -> Result<(), O::Error> {
        let class = CLASSES[text[place] as usize];
        let end = place + usize::from(class != Class::Close);
        self.page.append(&text[*run..end], &mut self.output)?;
        *run = end;
        let next = CLASSES[text[place + 1] as usize];
        match class {
            Class::Open => {
                self.depth += 1;
                if next == Class::Close {
                    return Ok(());
                }
            }
            Class::Close => {
                self.before = CLASSES[text[place - 1] as usize];
                return self.before_token(Class::Close, fill, step);
            }
            _ => {}
        }
        self.before = class;
        self.before_token(Class::Value, fill, step)
    }
}

/// The inner loop: runs and what goes in between, copied 64 bytes wide.
struct Runs<'a> {
    /// The squeezed text and 64 bytes more.
    text: &'a [u8],
    places: &'a [u32],
    /// Where the run at hand begins.
    run: usize,
    /// A line feed and at least 63 bytes of indentation.
    newline: &'a [u8],
    step: usize,
    depth: usize,
    out: &'a mut [u8],
}

/// How far the inner loop came.
struct Done {
    /// Places that have been dealt with.
    places: usize,
    run: usize,
    depth: usize,
    written: usize,
    /// The next place needs the slow road.
    slow: bool,
}

impl Task for Runs<'_> {
    type Output = Done;

    #[inline(always)]
    fn run(self) -> Done {
        let Runs {
            text,
            places,
            mut run,
            newline,
            step,
            mut depth,
            out,
        } = self;
        const SPACE: &[u8; WIDE] = &[b' '; WIDE];
        let mut done = Done {
            places: 0,
            run,
            depth,
            written: 0,
            slow: false,
        };
        let Some(newline) = newline.first_chunk::<WIDE>() else {
            return done;
        };
        let mut written = 0;
        for &place in places {
            let place = place as usize;
            // The bytes before and after decide whether a container is empty. A closing one is never at 0 here.
            let (Some(&before), Some(&[byte, after])) = (
                text.get(place.saturating_sub(1)),
                text.get(place..).and_then(|text| text.first_chunk()),
            ) else {
                break;
            };
            let (class, before, after) = (
                CLASSES[byte as usize],
                CLASSES[before as usize],
                CLASSES[after as usize],
            );
            let opens = class == Class::Open;
            let closes = class == Class::Close;
            let empty = opens & (after == Class::Close) | closes & (before == Class::Open);
            let next_depth = depth + usize::from(opens) - usize::from(closes);
            let end = place + usize::from(!closes);
            let length = end - run;
            let (gap, mut width) = if class == Class::Colon {
                (SPACE, 1)
            } else {
                (newline, 1 + next_depth * step)
            };
            if empty {
                width = 0;
            }
            let (Some(from), Some(to)) =
                (wide(text, run), out.get_mut(written..written + 2 * WIDE))
            else {
                break;
            };
            if length > WIDE || width > WIDE {
                done.slow = true;
                break;
            }
            to[..WIDE].copy_from_slice(from);
            to[length..length + WIDE].copy_from_slice(gap);
            written += length + width;
            run = end;
            depth = next_depth;
            done.places += 1;
        }
        Done {
            run,
            depth,
            written,
            ..done
        }
    }
}

#[inline(always)]
fn wide(text: &[u8], at: usize) -> Option<&[u8; WIDE]> {
    text.get(at..)?.first_chunk()
}
