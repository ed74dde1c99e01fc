//! Variables and destructuring patterns.

use crate::access::index;
use crate::env::{Bound, Env};
use crate::error::{Exception, Result, error};
use crate::machine::Machine;
use crate::term::{Binding, Node, Pattern};
use crate::value::Value;

impl<'p> Machine<'p> {
    /// Destructures a value and runs `body` with the variables bound, by the first pattern for which neither fails. Returns the
    /// last environment instead, unless another pattern would follow an error of `body`.
    pub(crate) fn bind(
        &self,
        binding: &'p Binding,
        env: &Env<'p>,
        value: Value,
        body: &mut dyn FnMut(&Env<'p>) -> Result,
    ) -> Result<Option<Env<'p>>> {
        if let [pattern] = &binding.patterns[..] {
            return self.take_apart(&[(pattern, value)], env.clone(), body);
        }
        let last = binding.patterns.len() - 1;
        for (at, pattern) in binding.patterns.iter().enumerate() {
            let mut with_all = |bound: &Env<'p>| {
                let mut inner = env.clone();
                let count = binding
                    .variables
                    .iter()
                    .filter_map(|places| places[at])
                    .max();
                let count = self.bound_by(pattern).max(count.map_or(0, |most| most + 1));
                for places in &binding.variables {
                    let value =
                        places[at].map_or(Value::Null, |place| bound.value(count - 1 - place));
                    inner = inner.with(Bound::Value(value));
                }
                body(&inner)
            };
            let result = self.take_apart(&[(pattern, value.clone())], env.clone(), &mut with_all);
            let result = result.and_then(|bound| bound.map_or(Ok(()), |bound| with_all(&bound)));
            match result {
                Err(Exception::Error(error)) if at < last && !error.is_too_deep => {}
                result => return result.map(|()| None),
            }
        }
        Ok(None)
    }

    /// The number of variables that a pattern binds.
    pub(crate) fn bound_by(&self, pattern: &Pattern) -> usize {
        match pattern {
            Pattern::Variable => 1,
            Pattern::Array(elements) => elements.iter().map(|element| self.bound_by(element)).sum(),
            Pattern::Object(members) => members
                .iter()
                .map(|(_, is_bound, value)| {
                    usize::from(*is_bound) + value.as_ref().map_or(0, |value| self.bound_by(value))
                })
                .sum(),
        }
    }

    pub(crate) fn take_apart(
        &self,
        patterns: &[(&'p Pattern, Value)],
        env: Env<'p>,
        body: &mut dyn FnMut(&Env<'p>) -> Result,
    ) -> Result<Option<Env<'p>>> {
        let Some(((pattern, value), rest)) = patterns.split_first() else {
            return Ok(Some(env));
        };
        match pattern {
            Pattern::Variable => self.take_apart(rest, env.with(Bound::Value(value.clone())), body),
            Pattern::Array(elements) => {
                let mut all = Vec::with_capacity(elements.len() + rest.len());
                for (at, element) in elements.iter().enumerate() {
                    all.push((element, index(value, &Value::from(at))?));
                }
                all.extend_from_slice(rest);
                self.take_apart(&all, env, body)
            }
            Pattern::Object(members) => self.take_members(members, value, rest, env, body),
        }
    }

    pub(crate) fn take_members(
        &self,
        members: &'p [(Node, bool, Option<Pattern>)],
        value: &Value,
        rest: &[(&'p Pattern, Value)],
        env: Env<'p>,
        body: &mut dyn FnMut(&Env<'p>) -> Result,
    ) -> Result<Option<Env<'p>>> {
        let Some(((key, is_bound, pattern), others)) = members.split_first() else {
            return self.take_apart(rest, env, body);
        };
        let with_key = |key_value: Value, body: &mut dyn FnMut(&Env<'p>) -> Result| {
            if key_value.as_str().is_none() {
                let described = crate::error::described(&key_value);
                return Err(error(format!("Cannot use {described} as object key")).at(key.span));
            }
            let member = index(value, &key_value)?;
            let inner = match is_bound {
                true => env.with(Bound::Value(member.clone())),
                false => env.clone(),
            };
            let last = match pattern {
                Some(pattern) => self.take_apart(&[(pattern, member)], inner, &mut |env| {
                    let last = self.take_members(others, value, rest, env.clone(), body)?;
                    last.map_or(Ok(()), |env| body(&env))
                })?,
                None => Some(inner),
            };
            match last {
                Some(env) => self.take_members(others, value, rest, env, body),
                None => Ok(None),
            }
        };
        let last = self.run(key, &env, value.clone(), &mut |key_value| {
            let last = with_key(key_value, body)?;
            last.map_or(Ok(()), |env| body(&env))
        })?;
        match last {
            Some(key_value) => with_key(key_value, body),
            None => Ok(None),
        }
    }
}
