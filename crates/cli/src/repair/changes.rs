//! Lists the assumptions and removals of a repair.

use jsonx_diagnose::Applicability;
use jsonx_diagnose::repair::{Correction, Repair};

use super::Repairing;
use crate::input::Name;
use crate::report::{File, Index};

/// The number of changes of a file that are listed by default.
const LISTED: usize = 20;

/// One line for each guess and for everything that was dropped; with `-v`, for every change.
pub fn listed(repairing: &Repairing, name: &Name, text: &[u8], repair: &Repair) -> String {
    let source = repair.source.as_deref().unwrap_or(text);
    let index = Index::new(&File::new(name.bytes(), source));
    let most = match repairing.max_listed {
        Some(0) => usize::MAX,
        most => most.unwrap_or(LISTED),
    };
    let is_listed = |change: &&Correction| {
        repairing.lists_all || change.applicability == Applicability::Review || change.drops()
    };
    let mut out = String::new();
    let mut listed = 0;
    for change in repair.changes.iter().filter(is_listed).take(most) {
        let place = index.position(change.span.start);
        let (line, column) = (place.line, place.column);
        out += &format!(
            "{name}:{line}:{column}: {}: {} [{}]\n",
            described(change),
            change.message,
            change.code
        );
        listed += 1;
    }
    let described = repair.changes.iter().filter(is_listed).count();
    let omitted = (repair.safe + repair.guesses).saturating_sub(repair.changes.len() as u64);
    let rest = (described - listed) as u64 + omitted;
    if rest > 0 {
        let s = if rest == 1 { "" } else { "s" };
        out += &format!("jsonx: {name}: {rest} more change{s} (--max-errors 0 lists all)\n");
    }
    out
}

/// The description of a change.
fn described(change: &Correction) -> String {
    let word = match change.applicability {
        Applicability::Safe => "fixed",
        Applicability::Review => "assumed",
    };
    let places = match change.places {
        0 | 1 => String::new(),
        places => format!(" (in {places} places)"),
    };
    match (change.removed.as_str(), change.inserted.as_str()) {
        ("", "") => word.to_owned(),
        (removed, "") => format!("{word}, dropped `{removed}`{places}"),
        ("", inserted) => format!("{word}, inserted `{inserted}`{places}"),
        (removed, inserted) => format!("{word}, `{removed}` is now `{inserted}`{places}"),
    }
}

/// The advice for truncated values.
pub fn incomplete(name: &Name, repair: &Repair) -> String {
    if repair.changes.iter().any(Correction::is_incomplete) {
        format!("jsonx: {name}: --partial drops values that may be incomplete\n")
    } else {
        String::new()
    }
}

/// The advice for the remaining errors.
pub fn hint(repairing: &Repairing, name: &Name, repair: &Repair) -> String {
    if repairing.with == Applicability::Safe && repair.offered > 0 {
        let errors = match repair.offered {
            1 => "one of these errors".to_owned(),
            count => format!("{count} of these errors"),
        };
        return format!("jsonx: {name}: `jsonx fix --all` guesses how to fix {errors}\n");
    }
    if repairing.partial || repair.is_foreign() {
        String::new()
    } else {
        format!("jsonx: {name}: not fully repaired; --partial prints the partial result\n")
    }
}
