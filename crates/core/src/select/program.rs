//! Paths compiled for one walk: the segments of all paths, and of the queries in their filters, as numbered states.

use super::filter::{Filter, Need, Slot, Term, Test};
use super::options::Order;
use crate::path::{
    Expression, FilterQuery, Literal, Matches, NodesFunction, Operand, Origin, Path, Pattern,
    Reach, Segment, Selector, Slice, ValueFunction,
};
use crate::token::Interest;

/// All paths in compiled form. Immutable during the walk.
#[derive(Clone, Debug, Default)]
pub(super) struct Program {
    pub(super) states: Vec<State>,
    pub(super) filters: Vec<Filter>,
    /// The first state of each path.
    pub(super) starts: Vec<u32>,
    /// The first states of the queries that begin at `$` inside filters.
    pub(super) absolute: Vec<u32>,
    /// The distinct keys of all paths. A key is identified by its index here.
    pub(super) keys: Vec<Box<[u8]>>,
    /// Several derivations may lead to the same value, so equivalent threads have to be merged.
    pub(super) merges: bool,
    /// A filter has a compiled pattern.
    pub(super) has_regexps: bool,
}

/// A segment to apply next, or the end of a query. Its successor is the next state of the program.
#[derive(Clone, Debug)]
pub(super) struct State {
    pub(super) descends: bool,
    pub(super) choices: Vec<Choice>,
    /// The key, if the state selects only that.
    pub(super) only_key: Option<u32>,
    /// The value itself is selected too: the bare `..` of a dot path.
    pub(super) itself: bool,
    /// The query ends here.
    pub(super) accept: Option<Accept>,
    /// For a path with at most one match: its index, and the number of segments before this one.
    pub(super) single: Option<(u32, u32)>,
    /// The matches of the path have to be sorted into the order of RFC 9535.
    pub(super) ordered: bool,
    /// This is the first segment that needs sorting.
    pub(super) disorders: bool,
    /// The slot of a query at `@` that begins with this descendant segment: its results are shared with the outer values that are
    /// tested too.
    pub(super) shared: Option<u32>,
}

/// The destination of a result of a query.
#[derive(Clone, Copy, Debug)]
pub(super) enum Accept {
    /// A match of the path.
    Path(u32),
    /// A slot of the filter that holds the query.
    Slot(u32, Need),
}

/// One selector of a segment: its effect in an object and in an array.
#[derive(Clone, Debug)]
pub(super) struct Choice {
    pub(super) member: Member,
    pub(super) element: Element,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Member {
    None,
    Key(u32),
    Any,
    Filter(u32),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Element {
    None,
    Index(u64),
    /// Index from the end: 1 is the last element.
    Last(u64),
    Slice(Slice),
    Any,
    Filter(u32),
}

impl Program {
    /// Compiles paths.
    pub(super) fn new(paths: &[Path], order: Order) -> Program {
        let mut program = Program::default();
        for (number, path) in (0..).zip(paths) {
            let start = program.query(path.segments(), Accept::Path(number));
            program.starts.push(start);
            let ordered = match order {
                Order::Document => false,
                Order::Standard => true,
                Order::Written => path.segments().iter().all(|s| s.reach == Reach::Child),
            };
            if ordered {
                program.mark_disorder(start, path.segments());
            }
            if path.is_singular() {
                for (step, state) in (0..).zip(&mut program.states[start as usize..]) {
                    state.single = state.accept.is_none().then_some((number, step));
                    if state.accept.is_some() {
                        break;
                    }
                }
            }
        }
        program
    }

    /// The streams for a walk: the offsets of all tokens, or only first bytes if it needs the offsets of few keys and values.
    pub(super) fn interest(&self) -> Interest {
        // A filter mostly tests an object, of which it needs a few keys.
        let is_key = |choice: &Choice| match choice.member {
            Member::Key(_) => choice.element == Element::None,
            Member::Filter(_) => true,
            Member::None | Member::Any => false,
        };
        let firsts = self
            .states
            .iter()
            .all(|state| !state.itself && state.choices.iter().all(is_key));
        Interest {
            firsts,
            offsets: !firsts,
            ..Interest::default()
        }
    }

    /// Adds the states of a query and returns the first. The accepting state follows that of the last segment.
    fn query(&mut self, segments: &[Segment], accept: Accept) -> u32 {
        // First, because nested filters add states of their own, and those of a query must be consecutive.
        let choices: Vec<Vec<Choice>> = segments
            .iter()
            .map(|segment| {
                segment
                    .selectors
                    .iter()
                    .map(|one| self.choice(one))
                    .collect()
            })
            .collect();
        let start = self.states.len() as u32;
        let descents = segments.iter().filter(|s| s.reach == Reach::Descendant);
        self.merges |= descents.count() > 1 || segments.iter().any(|s| s.selectors.len() > 1);
        for (segment, choices) in segments.iter().zip(choices) {
            let descends = segment.reach == Reach::Descendant;
            self.states.push(State {
                descends,
                only_key: match choices.as_slice() {
                    [
                        Choice {
                            member: Member::Key(key),
                            element: Element::None,
                        },
                    ] if !descends => Some(*key),
                    _ => None,
                },
                itself: segment.selectors.contains(&Selector::Itself),
                choices,
                accept: None,
                single: None,
                ordered: false,
                disorders: false,
                shared: None,
            });
        }
        self.states.push(State {
            descends: false,
            only_key: None,
            itself: false,
            choices: Vec::new(),
            accept: Some(accept),
            single: None,
            ordered: false,
            disorders: false,
            shared: None,
        });
        start
    }

    fn mark_disorder(&mut self, start: u32, segments: &[Segment]) {
        let in_order = |segment: &Segment| match segment.selectors.as_slice() {
            [one] => {
                segment.reach == Reach::Child
                    && one.slice().is_none_or(|slice| slice.step.unwrap_or(1) >= 0)
            }
            _ => false,
        };
        if let Some(first) = segments.iter().position(|segment| !in_order(segment)) {
            let states = &mut self.states[start as usize..];
            states[first].disorders = true;
            states[..=segments.len()]
                .iter_mut()
                .for_each(|state| state.ordered = true);
        }
    }

    fn choice(&mut self, selector: &Selector) -> Choice {
        if let Selector::Filter(filter) = selector {
            let filter = self.filter(&filter.expression);
            return Choice {
                member: Member::Filter(filter),
                element: Element::Filter(filter),
            };
        }
        if *selector == Selector::Wildcard {
            return Choice {
                member: Member::Any,
                element: Element::Any,
            };
        }
        let member = match selector.key() {
            Some(key) => Member::Key(self.key(key)),
            None => Member::None,
        };
        let element = match (selector.index(), selector.slice()) {
            (Some(index @ 0..), _) => Element::Index(index.unsigned_abs()),
            (Some(index), _) => Element::Last(index.unsigned_abs()),
            (_, Some(slice)) => Element::Slice(slice),
            _ => Element::None,
        };
        Choice { member, element }
    }

    fn key(&mut self, key: &[u8]) -> u32 {
        let known = self.keys.iter().position(|known| **known == *key);
        known.unwrap_or_else(|| {
            self.keys.push(key.into());
            self.keys.len() - 1
        }) as u32
    }

    fn filter(&mut self, expression: &Expression) -> u32 {
        let mut filter = Filter::default();
        filter.test = Some(self.test(expression, &mut filter));
        self.filters.push(filter);
        self.filters.len() as u32 - 1
    }

    // Recursion is safe: expressions nest `MAX_NESTING` levels at most.
    fn test(&mut self, expression: &Expression, filter: &mut Filter) -> Test {
        match expression {
            Expression::Or(parts) => {
                Test::Or(parts.iter().map(|part| self.test(part, filter)).collect())
            }
            Expression::And(parts) => {
                Test::And(parts.iter().map(|part| self.test(part, filter)).collect())
            }
            Expression::Not(part) => Test::Not(Box::new(self.test(part, filter))),
            Expression::Compare {
                left,
                comparison,
                right,
            } => {
                let is_query = |one: &Operand| {
                    matches!(
                        one,
                        Operand::Query(_) | Operand::OfNodes(NodesFunction::Value, _)
                    )
                };
                let need = if is_query(left) && is_query(right) {
                    Need::Text
                } else {
                    Need::Scalar
                };
                Test::Compare(
                    self.term(left, need, filter),
                    *comparison,
                    self.term(right, need, filter),
                )
            }
            Expression::Exists(query) => Test::Exists(self.slot(query, Need::Count, filter)),
            Expression::Matches(matches) => self.matches(matches, filter),
        }
    }

    fn matches(&mut self, matches: &Matches, filter: &mut Filter) -> Test {
        let subject = self.term(&matches.subject, Need::Scalar, filter);
        match &matches.pattern {
            Pattern::Constant { compiled, .. } => {
                self.has_regexps = true;
                Test::Matches(subject, compiled.as_ref().ok().cloned())
            }
            Pattern::Computed(operand) => {
                let pattern = self.term(operand, Need::Scalar, filter);
                Test::Computed(subject, pattern, matches.entire)
            }
        }
    }

    fn term(&mut self, operand: &Operand, need: Need, filter: &mut Filter) -> Term {
        match operand {
            Operand::Literal(Literal::Null) => Term::Text(b"null"[..].into()),
            Operand::Literal(Literal::Bool(true)) => Term::Text(b"true"[..].into()),
            Operand::Literal(Literal::Bool(false)) => Term::Text(b"false"[..].into()),
            Operand::Literal(Literal::Number(text)) => Term::Text(text.as_bytes().into()),
            Operand::Literal(Literal::String(text)) => Term::String(text.clone()),
            Operand::Query(query) | Operand::OfNodes(NodesFunction::Value, query) => {
                Term::Only(self.slot(query, need, filter))
            }
            Operand::OfNodes(NodesFunction::Count, query) => {
                Term::Count(self.slot(query, Need::Count, filter))
            }
            Operand::OfValue(ValueFunction::Length, of) => {
                Term::Length(Box::new(self.term(of, Need::Length, filter)))
            }
        }
    }

    /// Adds a slot for the results of a query inside a filter, and the states of that query.
    fn slot(&mut self, query: &FilterQuery, need: Need, filter: &mut Filter) -> Slot {
        let before = self.filters.len();
        let slot = match query.origin {
            Origin::Root => self.absolute.len(),
            Origin::Current => filter.queries.len(),
        } as u32;
        // The slot is reserved first: filters inside the query may use `$` too.
        match query.origin {
            Origin::Root => self.absolute.push(0),
            Origin::Current => filter.queries.push(0),
        }
        let start = self.query(&query.segments, Accept::Slot(slot, need));
        let inner = self.filters[before..].iter().map(|inner| inner.round).max();
        let absolute = query.origin == Origin::Root;
        if absolute {
            self.absolute[slot as usize] = start;
        } else {
            filter.queries[slot as usize] = start;
            let state = &mut self.states[start as usize];
            state.shared = (state.descends && !state.itself).then_some(slot);
        }
        filter.round = filter.round.max(inner.unwrap_or(0) + u32::from(absolute));
        Slot { absolute, slot }
    }
}
