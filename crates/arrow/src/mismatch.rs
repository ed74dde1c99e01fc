//! Values that do not fit their field.

/// A value that does not fit its field.
#[derive(Debug)]
pub(crate) struct Mismatch {
    pub code: &'static str,
    pub message: String,
    /// The steps of its path, the innermost first.
    steps: Vec<String>,
}

impl Mismatch {
    #[cold]
    pub fn new(code: &'static str, message: String) -> Self {
        Mismatch {
            code,
            message,
            steps: Vec::new(),
        }
    }

    /// A value of another type.
    #[cold]
    pub fn expected(expected: &str, raw: &[u8]) -> Self {
        Mismatch::new(
            "type-mismatch",
            format!("expected {expected}, found {}", shown(raw)),
        )
    }

    /// A number or a string that the type cannot hold.
    #[cold]
    pub fn not_held(code: &'static str, raw: &[u8], by: &str) -> Self {
        let how = match code {
            "out-of-range" => "out of range",
            _ => "not exact",
        };
        Mismatch::new(code, format!("{} is {how} as {by}", shown(raw)))
    }

    /// Within a member or an element.
    #[cold]
    pub fn within(mut self, step: impl ToString) -> Self {
        self.steps.push(step.to_string());
        self
    }

    /// The JSON Pointer of the value.
    pub fn pointer(&self) -> String {
        let escaped = |step: &String| step.replace('~', "~0").replace('/', "~1");
        let steps = self.steps.iter().rev();
        steps.map(|step| format!("/{}", escaped(step))).collect()
    }
}

/// The start of a value, for a message.
fn shown(raw: &[u8]) -> String {
    const SHOWN: usize = 40;
    let text = String::from_utf8_lossy(&raw[..raw.len().min(4 * SHOWN)]);
    let mut shown: String = text
        .chars()
        .take(SHOWN)
        .filter(|it| !it.is_control())
        .collect();
    if shown.len() < raw.len() {
        shown.push('…');
    }
    shown
}
