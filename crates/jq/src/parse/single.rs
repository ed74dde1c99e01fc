//! Decides which expressions yield exactly one result.

use crate::term::{Compiled, FunctionId, Node, Pattern, Term};

/// Whether an expression yields exactly one result or an error, if its operands are decided. A definition that is being compiled is
/// assumed to; `assumed` is set then.
pub(super) fn single(term: &Term, compiled: &Compiled, assumed: &mut bool) -> bool {
    match term {
        Term::Recurse
        | Term::Iterate(_)
        | Term::Comma(..)
        | Term::Try(..)
        | Term::Foreach(..)
        | Term::Label(_)
        | Term::Break(_)
        | Term::Closure(_) => false,
        Term::Array(_) | Term::Update(..) => true,
        Term::Assign(_, _, value) => value.single.get(),
        Term::Reduce(_, _, init, _) => init.single.get(),
        Term::Special(special, _) if !special.takes_values() => special.is_single(),
        term => {
            let may_be = match term {
                Term::Bind(_, binding, _) => {
                    matches!(&binding.patterns[..], [pattern] if has_single_keys(pattern))
                }
                Term::Special(special, _) => special.is_single(),
                Term::Call(id, ..) => match compiled.function(*id) {
                    Some(function) => function.body.single.get(),
                    None => {
                        *assumed = true;
                        true
                    }
                },
                _ => true,
            };
            may_be && term.operands().iter().all(|operand| operand.single.get())
        }
    }
}

fn has_single_keys(pattern: &Pattern) -> bool {
    match pattern {
        Pattern::Variable => true,
        Pattern::Array(elements) => elements.iter().all(has_single_keys),
        Pattern::Object(members) => members
            .iter()
            .all(|(key, _, value)| key.single.get() && value.as_ref().is_none_or(has_single_keys)),
    }
}

/// Decides again for all definitions from this one, which turned out not to yield exactly one result, as was assumed.
pub(super) fn decide_again(compiled: &Compiled, from: FunctionId) {
    let mut nodes: Vec<&Node> = Vec::new();
    let bodies = compiled.functions[from..].iter().flatten();
    let mut pending: Vec<&Node> = bodies.map(|function| &function.body).collect();
    while let Some(node) = pending.pop() {
        nodes.push(node);
        pending.extend(node.term.operands());
        pending.extend(node.term.pattern_keys());
    }
    let mut has_changed = true;
    while std::mem::take(&mut has_changed) {
        // Operands come first.
        for node in nodes.iter().rev().filter(|node| node.single.get()) {
            let is_single = single(&node.term, compiled, &mut false);
            node.single.set(is_single);
            has_changed |= !is_single;
        }
    }
}
