use proptest::prelude::*;
use serde_json::Value;

use super::*;
use crate::agreement::valid_text;
use crate::diff::tests::{add, changed, remove};
use crate::path::Notation;
use jsonx_testing::cases;

/// The merged text, and the conflicts.
fn merged(base: &str, ours: &str, theirs: &str) -> (Value, Vec<String>) {
    let documents = [base, ours, theirs].map(|text| Document::parse(text.as_bytes()).unwrap());
    let merge = merge(&documents[0], &documents[1], &documents[2]);
    let mut result: Value = serde_json::from_str(ours).unwrap();
    for change in &merge.changes {
        let path = change.path.display(Notation::Pointer).to_string();
        let value = change
            .value
            .map(|node| serde_json::from_slice(node.raw()).unwrap());
        match (change.kind, value) {
            (ChangeKind::Added, Some(value)) => add(&mut result, &path, value),
            (ChangeKind::Removed, None) => drop(remove(&mut result, &path)),
            (_, value) => *result.pointer_mut(&path).unwrap() = value.unwrap(),
        }
    }
    let shown = |nodes: &[Node<'_, '_>]| {
        let texts = nodes.iter().map(|node| String::from_utf8_lossy(node.raw()));
        texts.collect::<Vec<_>>().join(" ")
    };
    let conflict = |conflict: &Conflict<'_, '_>| {
        let path = conflict.path.display(Notation::Dot);
        format!(
            "{path}: {} | {}",
            shown(&conflict.ours),
            shown(&conflict.theirs)
        )
    };
    (result, merge.conflicts.iter().map(conflict).collect())
}

#[test]
fn changes_and_conflicts() {
    for (base, ours, theirs, expected, conflicts) in [
        // Of different values, and the same change.
        (
            r#"{"a":1,"b":2,"c":3}"#,
            r#"{"a":9,"b":2,"d":4}"#,
            r#"{"b":8,"e":5}"#,
            r#"{"a":9,"b":8,"d":4,"e":5}"#,
            &[".a: 9 | "][..],
        ),
        (
            r#"{"a":1,"c":[2]}"#,
            r#"{"a":2.0,"n":[1],"c":[]}"#,
            r#"{"a":2,"n":[1],"c":[]}"#,
            r#"{"a":2.0,"n":[1],"c":[]}"#,
            &[],
        ),
        (
            r#"{"a":1}"#,
            r#"{"a":2,"n":1}"#,
            r#"{"a":3,"n":[]}"#,
            r#"{"a":2,"n":1}"#,
            &[".a: 2 | 3", ".n: 1 | []"],
        ),
        // Objects for one new key.
        (
            "{}",
            r#"{"n":{"a":1,"same":[2],"o":{"x":1}}}"#,
            r#"{"n":{"same":[2],"a":3,"o":{"y":2,"x":1},"b":0}}"#,
            r#"{"n":{"a":1,"same":[2],"o":{"x":1,"y":2},"b":0}}"#,
            &[".n.a: 1 | 3"],
        ),
        // Inside a value that the other replaces or removes: once.
        (
            r#"{"a":{"b":1,"c":2}}"#,
            r#"{"a":0}"#,
            r#"{"a":{"b":2}}"#,
            r#"{"a":0}"#,
            &[r#".a: 0 | {"b":2}"#],
        ),
        (
            r#"{"a":{"b":1}}"#,
            r#"{"a":{"b":2}}"#,
            "{}",
            r#"{"a":{"b":2}}"#,
            &[r#".a: {"b":2} | "#],
        ),
        ("1", "2", "[]", "2", &[".: 2 | []"]),
        // Elements are followed.
        ("[1,2,3]", "[0,1,2,3]", "[1,2,4,3]", "[0,1,2,4,3]", &[]),
        ("[1,2,3]", "[2,3]", "[1,2,9]", "[2,9]", &[]),
        ("[1,2,3,4]", "[1,3,4]", "[0,1,2,3]", "[0,1,3]", &[]),
        // Adjacent elements, as adjacent lines: the removed one, and the changed one.
        (
            r#"[{"a":1},5,{"b":1}]"#,
            r#"[7,{"a":1},{"b":1}]"#,
            r#"[{"a":1},5,{"b":1,"c":2},6]"#,
            r#"[7,{"a":1},{"b":1}]"#,
            &[r#".[2]: {"b":1} | 5 {"b":1,"c":2} 6"#],
        ),
        // Inside the only element between two common ones, if it is the same one.
        (
            r#"[0,{"id":1,"a":1,"b":[1]},2]"#,
            r#"[0,{"id":1,"a":2,"b":[1]},2]"#,
            r#"[0,{"id":1,"a":1,"b":[1,2],"c":3},2]"#,
            r#"[0,{"id":1,"a":2,"b":[1,2],"c":3},2]"#,
            &[],
        ),
        (
            r#"[{"id":1,"a":1}]"#,
            r#"[{"id":2,"a":1}]"#,
            r#"[{"id":1,"a":1,"c":3}]"#,
            r#"[{"id":2,"a":1}]"#,
            &[r#".[0]: {"id":2,"a":1} | {"id":1,"a":1,"c":3}"#],
        ),
        // An element that one version moves and the other one removes, changes, or moves elsewhere.
        ("[1,2,3]", "[3,1,2]", "[1,2]", "[3,1,2]", &[".[0]: 3 | "]),
        (
            r#"[1,2,{"a":3}]"#,
            r#"[{"a":3},1,2]"#,
            r#"[1,2,{"a":4}]"#,
            r#"[{"a":3},1,2]"#,
            &[r#".[0]: {"a":3} | "#, r#".[3]:  | {"a":4}"#],
        ),
        (
            "[1,2,3]",
            "[3,1,2]",
            "[1,3,2]",
            "[3,1,2]",
            &[".[0]: 3 | ", ".[2]: 2 | 3 2"],
        ),
        ("[1,2,3]", "[3,1,2]", "[3,1,2]", "[3,1,2]", &[]),
        // A record that one version moves and changes, known by its name: the other one removes it, changes it, or leaves it.
        (
            r#"[{"id":1,"v":1},{"id":2}]"#,
            r#"[{"id":2},{"id":1,"v":9}]"#,
            r#"[{"id":2}]"#,
            r#"[{"id":2},{"id":1,"v":9}]"#,
            &[r#".[1]: {"id":1,"v":9} | "#],
        ),
        (
            r#"[{"id":1,"v":1},{"id":2}]"#,
            r#"[{"id":2},{"id":1,"v":9}]"#,
            r#"[{"id":1,"v":1},{"id":2},3]"#,
            r#"[{"id":2},{"id":1,"v":9}]"#,
            &[r#".[1]: {"id":1,"v":9} | 3"#],
        ),
        // Records with one name that both add.
        (
            r#"[1,2]"#,
            r#"[{"a":[],"name":"x"},1,2]"#,
            r#"[1,{"name":"x"},2]"#,
            r#"[{"a":[],"name":"x"},1,2]"#,
            &[
                r#".[0]: {"a":[],"name":"x"} | "#,
                r#".[2]:  | {"name":"x"}"#,
            ],
        ),
        (
            r#"[1,2]"#,
            r#"[{"name":"x"},1,2,{"name":"y"}]"#,
            r#"[1,{"name":"z"},2]"#,
            r#"[{"name":"x"},1,{"name":"z"},2,{"name":"y"}]"#,
            &[],
        ),
        // An element that both add, at one place and at different ones.
        ("[1,2]", "[9,1,2]", "[9,1,2]", "[9,1,2]", &[]),
        ("[1,2]", "[9,1,2]", "[1,2,9]", "[9,1,2,9]", &[]),
        // Different elements at one position, after other changes; the same ones.
        (
            "[1,2]",
            "[1,2,3]",
            "[0,1,2,4,5]",
            "[0,1,2,3]",
            &[".[3]: 3 | 4 5"],
        ),
        ("[1]", "[1,2,3]", "[1,2,3]", "[1,2,3]", &[]),
    ] {
        let (result, found) = merged(base, ours, theirs);
        let expected: Value = serde_json::from_str(expected).unwrap();
        assert_eq!(
            (result, &found[..]),
            (
                expected,
                &conflicts
                    .iter()
                    .map(ToString::to_string)
                    .collect::<Vec<_>>()[..]
            ),
            "{base} {ours} {theirs}"
        );
    }
}

/// A change that a version makes to a record: nothing, or a member with a new value.
type Edit = Option<(usize, u8)>;

/// What a version does to records that have ids: for each one of the base, whether it stays and how it changes; the records that are
/// added, with their places and values; and the record that moves to another place.
#[derive(Clone, Debug)]
struct Side {
    records: Vec<(bool, Edit)>,
    added: Vec<(usize, u8)>,
    moved: Option<(usize, usize)>,
}

fn side() -> impl Strategy<Value = Side> {
    let edit = prop::option::weighted(0.3, (0usize..4, 10u8..13));
    let records = prop::collection::vec((prop::bool::weighted(0.8), edit), 6);
    let added = prop::collection::vec((0usize..6, 0u8..3), 0..2);
    let moved = prop::option::weighted(0.2, (0usize..6, 0usize..6));
    let sides = (records, added, moved);
    sides.prop_map(|(records, added, moved)| Side {
        records,
        added,
        moved,
    })
}

/// A record: its id stands first, or after other members.
fn record(id: &str, name_at: usize, values: [Option<u8>; 3]) -> Value {
    let mut members = serde_json::Map::new();
    for (at, value) in values.iter().enumerate() {
        if at == name_at {
            members.insert("id".to_owned(), id.into());
        }
        if let Some(value) = value {
            members.insert(["v", "w", "x"][at].to_owned(), (*value).into());
        }
    }
    Value::Object(members)
}

impl Side {
    fn of(&self, base: &[Value], version: &str) -> Vec<Value> {
        let mut all: Vec<Value> = base.to_vec();
        for (record, (_, edit)) in all.iter_mut().zip(&self.records) {
            if let Some((at, value)) = edit {
                record[["v", "w", "x", "y"][*at]] = (*value).into();
            }
        }
        let mut stays = self.records.iter().map(|record| record.0);
        all.retain(|_| stays.next().unwrap_or(true));
        if let Some((from, to)) = self.moved
            && from < all.len()
        {
            let record = all.remove(from);
            all.insert(to % (all.len() + 1), record);
        }
        for (count, (at, number)) in self.added.iter().enumerate() {
            // Sometimes both versions add a record with one id, equal or not.
            let id = match (count, number) {
                (0, 0 | 1) => "both".to_owned(),
                _ => format!("{version}{count}"),
            };
            all.insert(
                at % (all.len() + 1),
                record(&id, 0, [Some(*number), None, None]),
            );
        }
        all
    }
}

fn ids(records: &[Value]) -> Vec<&str> {
    records
        .iter()
        .map(|record| record["id"].as_str().unwrap())
        .collect()
}

/// The order that a version gave to the records that both have, if it changed it.
fn reordered(base: &[Value], side: &[Value]) -> bool {
    let (base, side) = (ids(base), ids(side));
    let common: Vec<&str> = base
        .iter()
        .copied()
        .filter(|id| side.contains(id))
        .collect();
    let kept: Vec<&str> = side
        .iter()
        .copied()
        .filter(|id| base.contains(id))
        .collect();
    common != kept
}

proptest! {
    #![proptest_config(cases(4000))]

    /// Law: a merge of records without a conflict has each record as a merge by id gives it, in an order that agrees with both.
    #[test]
    fn records_are_never_mixed_lost_or_revived(
        values in prop::collection::vec(prop::array::uniform3(prop::option::weighted(0.8, 0u8..3)), 1..6),
        name_at in 0usize..3,
        ours in side(),
        theirs in side(),
    ) {
        let base: Vec<Value> = values.iter().enumerate().map(|(at, &values)| record(&format!("r{at}"), name_at, values)).collect();
        let (mine, other) = (ours.of(&base, "ours"), theirs.of(&base, "theirs"));
        let text = |records: &[Value]| serde_json::to_string(records).unwrap();
        let (result, conflicts) = merged(&text(&base), &text(&mine), &text(&other));
        if !conflicts.is_empty() {
            return Ok(());
        }
        let result = result.as_array().unwrap();
        let of = |records: &[Value], id: &str| records.iter().find(|record| record["id"] == id).cloned();
        for id in base.iter().chain(&mine).chain(&other).map(|record| record["id"].as_str().unwrap()) {
            let [b, o, t] = [&base, &mine, &other].map(|records| of(records, id));
            let texts = [&b, &o, &t].map(|record| record.as_ref().map_or_else(|| "{}".to_owned(), Value::to_string));
            let expected = match (&b, &o, &t) {
                (Some(_), Some(_), Some(_)) => {
                    let (record, conflicts) = merged(&texts[0], &texts[1], &texts[2]);
                    prop_assert!(conflicts.is_empty(), "{} should be a conflict", id);
                    Some(record)
                }
                (Some(b), Some(rest), None) | (Some(b), None, Some(rest)) => {
                    prop_assert_eq!(b, rest, "{} should be a conflict: {} {} {}", id, text(&base), text(&mine), text(&other));
                    None
                }
                (Some(_), None, None) => None,
                (None, o, t) => {
                    prop_assert!(o.is_none() || t.is_none() || o == t, "{} should be a conflict", id);
                    o.clone().or(t.clone())
                }
            };
            prop_assert_eq!(of(result, id), expected, "{}: {:?}", id, result);
            prop_assert!(ids(result).iter().filter(|other| **other == id).count() < 2, "{} twice", id);
        }
        let agree = |side: &[Value]| -> bool {
            let (result, side) = (ids(result), ids(side));
            let a: Vec<&str> = result.iter().copied().filter(|id| side.contains(id)).collect();
            let b: Vec<&str> = side.iter().copied().filter(|id| result.contains(id)).collect();
            a == b
        };
        prop_assert!(reordered(&base, &other) || agree(&mine), "{:?}", result);
        prop_assert!(reordered(&base, &mine) || agree(&other), "{:?}", result);
    }
}

proptest! {
    #![proptest_config(cases(3000))]

    /// Law: an element that both add at one place is added once, and a further one at another place as well, as diff3 does it.
    #[test]
    fn equal_elements_added_at_one_place_are_one(
        length in 0usize..6,
        shared in any::<prop::sample::Index>(),
        other in any::<prop::sample::Index>(),
        is_ours in any::<bool>(),
        value in prop::sample::select(&["x", "y"][..]),
    ) {
        let base: Vec<String> = (0..length).map(|at| at.to_string()).collect();
        let (shared, other) = (shared.index(length + 1), other.index(length + 1));
        let mut both = base.clone();
        both.insert(shared, "x".to_owned());
        prop_assume!(shared != other);
        let mut more = both.clone();
        more.insert(other + usize::from(other > shared), value.to_owned());
        let [base, both, more] = [base, both, more].map(|it| Value::from(it).to_string());
        let (ours, theirs) = if is_ours { (&more, &both) } else { (&both, &more) };
        let (result, conflicts) = merged(&base, ours, theirs);
        prop_assert_eq!((result.to_string(), conflicts), (more.clone(), vec![]));
    }

    /// Laws: what only one version changes is taken, and without conflicts, the order of the versions does not matter.
    #[test]
    fn merging_is_symmetric(
        choices in prop::collection::vec(any::<u32>(), 0..150),
        first in prop::collection::vec(any::<u32>(), 0..150),
        second in prop::collection::vec(any::<u32>(), 0..150),
    ) {
        let Ok(base) = serde_json::from_slice::<Value>(&valid_text(&choices)) else {
            return Ok(());
        };
        let ours = changed(&base, &mut first.iter().copied()).to_string();
        let theirs = changed(&base, &mut second.iter().copied()).to_string();
        let base = base.to_string();
        let equal = |a: &Value, b: &str| crate::diff::tests::equal(a, &serde_json::from_str(b).unwrap());
        for (mine, other, result) in [(&base, &theirs, &theirs), (&ours, &base, &ours), (&ours, &ours, &ours)] {
            let (merged, conflicts) = merged(&base, mine, other);
            prop_assert!(equal(&merged, result) && conflicts.is_empty(), "{} {:?}", merged, conflicts);
        }
        let (one, conflicts) = merged(&base, &ours, &theirs);
        let (two, same) = merged(&base, &theirs, &ours);
        prop_assert_eq!(conflicts.len(), same.len());
        prop_assert!(!conflicts.is_empty() || equal(&one, &two.to_string()), "{} {}", one, two);
    }
}
