//! The members of two objects, by key.

use std::cmp::Ordering;

use crate::document::{Fingerprints, Node, Rules};
use crate::string::decode_key;

/// A member; the last one of duplicate keys.
#[derive(Clone, Copy)]
struct Member<'d, 't> {
    fingerprint: u64,
    key: Node<'d, 't>,
    value: Node<'d, 't>,
}

/// A pair of members, in the order of the old object, then of the new one.
pub(super) enum Pair<'d, 't> {
    Both(Node<'d, 't>, Node<'d, 't>),
    Old(Node<'d, 't>),
    New(Node<'d, 't>),
}

/// One of the two objects, with the fingerprints of its document.
#[derive(Clone, Copy)]
pub(super) struct Side<'a, 'd, 't> {
    pub(super) fingerprints: &'a Fingerprints,
    pub(super) rules: &'a Rules,
    pub(super) node: Node<'d, 't>,
}

/// Calls `pair` with every pair whose values may differ; without an old object, all members are new. Takes time linear in the number of members, or n log n if the
/// order of keys differs.
pub(super) fn pairs<'d, 't>(
    old: Option<Side<'_, 'd, 't>>,
    new: Side<'_, 'd, 't>,
    mut pair: impl FnMut(Pair<'d, 't>),
) {
    let (olds, news) = (old.map(members).unwrap_or_default(), members(new));
    let is_ignored = |side: Option<Side<'_, 'd, 't>>, member: &Member<'d, 't>| {
        side.is_some_and(|side| side.rules.is_ignored(member.value))
    };
    let new = Some(new);
    let mut both = |a: &Member<'d, 't>, b: &Member<'d, 't>| {
        if !is_ignored(old, a) && !is_ignored(new, b) {
            pair(Pair::Both(a.value, b.value));
        }
    };
    // Usually the keys are the same, in the same order.
    let same = olds
        .iter()
        .zip(&news)
        .take_while(|(a, b)| compare(a, b).is_eq())
        .inspect(|(a, b)| both(a, b))
        .count();
    let (olds, news) = (&olds[same..], &news[same..]);
    let mut by_key: Vec<usize> = (0..news.len()).collect();
    by_key.sort_unstable_by(|&a, &b| compare(&news[a], &news[b]));
    let mut is_paired = vec![false; news.len()];
    let mut gone = Vec::new();
    for a in olds {
        match by_key.binary_search_by(|&place| compare(&news[place], a)) {
            Ok(found) => {
                is_paired[by_key[found]] = true;
                both(a, &news[by_key[found]]);
            }
            Err(_) => gone.push(a),
        }
    }
    let gone = gone.into_iter().filter(|member| !is_ignored(old, member));
    gone.for_each(|member| pair(Pair::Old(member.value)));
    let added = news.iter().zip(is_paired);
    added
        .filter(|(member, is_paired)| !is_paired && !is_ignored(new, member))
        .for_each(|(member, _)| pair(Pair::New(member.value)));
}

/// By fingerprint, then by the text of the key, so that only equal keys compare as `Equal`.
fn compare(a: &Member<'_, '_>, b: &Member<'_, '_>) -> Ordering {
    a.fingerprint.cmp(&b.fingerprint).then_with(|| {
        let (a, b) = (
            a.key.string_content().unwrap_or_default(),
            b.key.string_content().unwrap_or_default(),
        );
        if a == b {
            Ordering::Equal
        } else {
            decode_key(a).cmp(&decode_key(b))
        }
    })
}

fn members<'d, 't>(side: Side<'_, 'd, 't>) -> Vec<Member<'d, 't>> {
    let member = |(key, value)| Member {
        fingerprint: side.fingerprints.get(key),
        key,
        value,
    };
    let mut members: Vec<Member<'d, 't>> = side.node.members().map(member).collect();
    if side.fingerprints.has_duplicates(side.node) {
        let last = |member: &Member<'_, '_>| std::cmp::Reverse(member.value.word());
        members.sort_by(|a, b| compare(a, b).then(last(a).cmp(&last(b))));
        members.dedup_by(|earlier, last| compare(earlier, last).is_eq());
        members.sort_unstable_by_key(|member| member.value.word());
    }
    members
}
