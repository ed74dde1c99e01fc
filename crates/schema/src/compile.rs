//! From the text of a schema to its validator.

use std::collections::BTreeMap;
use std::mem::ManuallyDrop;
use std::sync::{Arc, Mutex, OnceLock};

use jsonschema::{Draft, PatternOptions, Validator};
use jsonx_diagnose::Diagnostic;
use referencing::SPECIFICATIONS;
use serde_json::{Value, json};

use crate::Unusable;
use crate::backtracking::{BACKTRACKS, Pattern};
use crate::findings::{self, Context, Known};
use crate::instance::{Instances, View, ViewOptions};
use crate::limits;
use crate::own;
use crate::patterns::Patterns;
use crate::reach::Dead;
use crate::references;
use crate::store::{Finder, SchemaText, Store, id_of, lock, path_of, to_value};

/// A compiled schema.
pub struct Schema {
    /// Never dropped: dropping recurses, and the process ends anyway.
    pub(super) validator: ManuallyDrop<Validator<Instances>>,
    /// The patterns for property names that may need backtracking.
    pub(super) names: Vec<Arc<Pattern>>,
    pub(super) store: Arc<Store>,
    pub(super) known: Known,
    /// Whether it may mark values as deprecated.
    pub(super) deprecates: bool,
    /// Its source, if that is a file.
    pub(super) origin: Option<Origin>,
}

/// The source of a schema.
pub struct Origin {
    pub(super) text: &'static SchemaText,
    fragment: Option<String>,
    draft: Option<Draft>,
    knows_all_drafts: bool,
}

/// The drafts: value of `--draft`, URL for `$schema`.
const DRAFTS: [(&str, &str, Draft); 5] = [
    ("4", crate::DRAFT_URIS[4], Draft::Draft4),
    ("6", crate::DRAFT_URIS[3], Draft::Draft6),
    ("7", crate::DRAFT_URIS[2], Draft::Draft7),
    ("2019-09", crate::DRAFT_URIS[1], Draft::Draft201909),
    ("2020-12", crate::DRAFT_URIS[0], Draft::Draft202012),
];

/// The draft with this value of `--draft`.
pub fn draft_named(name: &str) -> Option<Draft> {
    let known = DRAFTS.iter().find(|(known, ..)| *known == name);
    known.map(|(_, _, draft)| *draft)
}

/// The value of `--draft` for a draft.
pub fn draft_name(draft: Draft) -> Option<&'static str> {
    let known = DRAFTS.iter().find(|(.., known)| *known == draft);
    known.map(|(name, ..)| *name)
}

/// The draft whose meta-schema has this URL.
pub fn draft_of_uri(uri: &str) -> Option<Draft> {
    Some(Draft::from_schema_uri(uri)).filter(|draft| *draft != Draft::Unknown)
}

impl Schema {
    /// Compiles a schema that was read, or the subschema at `fragment`.
    ///
    /// # Errors
    /// It cannot be used.
    pub fn of_text(
        store: &Arc<Store>,
        text: &'static SchemaText,
        fragment: Option<&str>,
    ) -> Result<Schema, Unusable> {
        let compile = || compile(store, text, fragment);
        // Recurses over the schema, and along its references.
        limits::on_large_stack(compile).unwrap_or_else(compile)
    }

    /// The meta-schema of a draft.
    pub fn of_draft(store: &Arc<Store>, draft: Draft) -> Option<Schema> {
        let number = DRAFTS.iter().position(|(_, _, other)| *other == draft)?;
        let options = jsonschema::options_for::<Instances>()
            .with_draft(draft)
            .should_validate_formats(store.settings.asserts_formats);
        let validator = options.build(&json!({"$ref": DRAFTS[number].1})).ok()?;
        Some(Schema {
            validator: ManuallyDrop::new(validator),
            names: Vec::new(),
            store: store.clone(),
            known: Known::default(),
            deprecates: false,
            origin: None,
        })
    }
}

fn compile(
    store: &Arc<Store>,
    text: &'static SchemaText,
    fragment: Option<&str>,
) -> Result<Schema, Unusable> {
    let wrong = |findings| references::wrong(text, findings);
    let draft = draft_of(store, text).map_err(|finding| wrong(vec![*finding]))?;
    let known = draft.unwrap_or_default();
    // The validator checks a whole schema on compilation, in a tenth of the time of this search for findings.
    if fragment.is_some() {
        without_mistakes(text, known)?;
    }
    if let Some(finding) = references::unbounded(text.document.root()) {
        return Err(wrong(vec![finding]));
    }
    let patterns = Arc::new(Patterns::default());
    let mut origin = Origin {
        text,
        fragment: fragment.map(str::to_owned),
        draft,
        knows_all_drafts: false,
    };
    let (absent, used) = (Arc::default(), Arc::default());
    let extras = Extras {
        patterns: Some(&patterns),
        absent: Some(&absent),
        used: Some(&used),
    };
    let mut built = build(store, &origin, extras);
    // By default, the validator knows only the meta-schemas of the root's draft.
    if built.as_ref().is_err_and(references::lacks_draft) {
        origin.knows_all_drafts = true;
        built = build(store, &origin, extras);
    }
    let absent = references::reached(store, text, fragment, &lock(&absent));
    if !absent.is_empty() {
        without_mistakes(text, known)?;
        return Err(references::absent(store, text, &absent));
    }
    let mut texts = vec![text];
    for &other in lock(&used).iter() {
        if !texts.iter().any(|known| std::ptr::eq(*known, other)) {
            texts.push(other);
        }
    }
    if let Some(unusable) = references::repeated(&texts) {
        return Err(unusable);
    }
    match built {
        Ok(validator) => {
            let roots = texts.iter().map(|text| text.document.root());
            Ok(Schema {
                validator: ManuallyDrop::new(validator),
                names: patterns.costly_names(roots),
                store: store.clone(),
                deprecates: texts.iter().any(|text| {
                    memchr::memmem::find(&text.source.text, b"\"deprecated\"").is_some()
                }),
                known: Known::of(texts),
                origin: Some(origin),
            })
        }
        Err(error_before) => {
            without_mistakes(text, known)?;
            // The validator's own keyword reports the place of an invalid pattern.
            let error = build(store, &origin, Extras::default()).err();
            let error = error.unwrap_or(error_before);
            Err(references::explain(store, text, fragment, &error))
        }
    }
}

/// What a schema is compiled with, besides its text.
#[derive(Clone, Copy, Default)]
struct Extras<'a> {
    /// Collects its patterns; without this, the validator's own keyword matches them.
    patterns: Option<&'a Arc<Patterns>>,
    /// Collects the URLs without a schema.
    absent: Option<&'a Arc<Mutex<BTreeMap<String, Dead>>>>,
    /// Collects the schemas retrieved.
    used: Option<&'a Arc<Mutex<Vec<&'static SchemaText>>>>,
}

fn build(
    store: &Arc<Store>,
    origin: &Origin,
    extras: Extras<'_>,
) -> Result<Validator<Instances>, jsonschema::ValidationError<'static>> {
    let Origin { text, draft, .. } = *origin;
    let mut options = jsonschema::options_for::<Instances>()
        .should_validate_formats(store.settings.asserts_formats)
        .with_pattern_options(PatternOptions::fancy_regex().backtrack_limit(BACKTRACKS))
        .with_retriever(Finder {
            store: store.clone(),
            root: text,
            absent: extras.absent.cloned().unwrap_or_default(),
            used: extras.used.cloned().unwrap_or_default(),
        });
    if let Some(draft) = draft {
        options = options.with_draft(draft);
    }
    if origin.knows_all_drafts {
        options = options.with_registry(&SPECIFICATIONS);
    }
    for keyword in own::replaced(draft, store.settings.asserts_formats) {
        options = options.with_keyword(keyword, move |parent, value, _| {
            own::keyword(keyword, parent, value)
        });
    }
    if draft.is_some()
        && let Some(patterns) = extras.patterns
    {
        let patterns = patterns.clone();
        options = options.with_keyword("pattern", move |_, value, _| patterns.keyword(value));
    }
    // Never dropped, like the validator.
    let root = ManuallyDrop::new(to_value(text));
    match &origin.fragment {
        None => options.with_base_uri(text.uri.clone()).build(&root),
        Some(fragment) => {
            let uri = id_of(text.document.root(), &text.uri);
            let uri = uri.as_ref().unwrap_or(&text.uri);
            let mut part = json!({"$ref": format!("{uri}#{fragment}")});
            if let (Some(schema), Value::Object(part)) = (root.get("$schema"), &mut part) {
                part.insert("$schema".to_owned(), schema.clone());
            }
            options.build(&part)
        }
    }
}

/// The draft of a schema; `None` if `$schema` names a custom meta-schema, which is in a file.
fn draft_of(store: &Store, schema: &SchemaText) -> Result<Option<Draft>, Box<Diagnostic>> {
    if let Some(draft) = store.settings.draft {
        return Ok(Some(draft));
    }
    let Some(named) = schema.document.root().get("$schema") else {
        return Ok(Some(Draft::default()));
    };
    let Some(uri) = named.as_str() else {
        // Reported by the meta-schema.
        return Ok(Some(Draft::default()));
    };
    match Draft::from_schema_uri(&uri) {
        Draft::Unknown
            if store
                .find(&uri, schema.document.root(), &schema.uri)
                .is_some_and(|path| store.is_there(&path, path_of(&schema.uri).as_deref())) =>
        {
            Ok(None)
        }
        Draft::Unknown => {
            let mut finding = findings::at("schema/$schema", named);
            finding.message = format!("unknown draft {}", findings::shown(named));
            finding.label = match jsonx_core::string::nearest::nearest(
                uri.as_bytes(),
                DRAFTS.iter().map(|(_, uri, _)| uri.as_bytes()),
            ) {
                Some(near) => format!("did you mean \"{}\"?", String::from_utf8_lossy(near)),
                None => "not the URL of a draft".to_owned(),
            };
            let known: Vec<&str> = DRAFTS.iter().map(|(name, ..)| *name).collect();
            finding.help.push(format!(
                "the drafts are {}: `--draft 2020-12` checks the schema by that draft whatever `$schema` says",
                known.join(", ")
            ));
            if store.settings.dir.is_none() {
                finding.help.push(
                    "a custom meta-schema is looked up in the directory given by --schema-dir"
                        .to_owned(),
                );
            }
            Err(Box::new(finding))
        }
        draft => Ok(Some(draft)),
    }
}

/// Checks a schema with the meta-schema of its draft.
///
/// # Errors
/// All findings in it.
fn without_mistakes(schema: &SchemaText, draft: Draft) -> Result<(), Unusable> {
    let Some(meta) = meta_schema(draft) else {
        return Ok(());
    };
    let root = schema.document.root();
    let options = ViewOptions {
        may_repeat: true,
        names: &[],
    };
    let view = View::new(root, &options);
    if meta.is_valid(view) {
        return Ok(());
    }
    let known = Known::default();
    let context = Context::new(None, &known, root, "the schema");
    let findings = findings::diagnostics(&context, meta.iter_errors(view).take(100).collect());
    if findings.is_empty() {
        Ok(())
    } else {
        Err(references::wrong(schema, findings))
    }
}

/// The validator of the meta-schema of a draft.
fn meta_schema(draft: Draft) -> Option<&'static Validator<Instances>> {
    static BUILT: [OnceLock<Option<Validator<Instances>>>; 5] = [const { OnceLock::new() }; 5];
    let number = DRAFTS.iter().position(|(_, _, other)| *other == draft)?;
    let build = || {
        let options = jsonschema::options_for::<Instances>()
            .with_draft(draft)
            .should_validate_formats(false);
        options.build(&json!({"$ref": DRAFTS[number].1})).ok()
    };
    BUILT[number].get_or_init(build).as_ref()
}
