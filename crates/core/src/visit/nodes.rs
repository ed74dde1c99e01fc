//! Events from a value of a document.

use super::Visitor;
use crate::document::Node;
use crate::token::Kind;

impl Node<'_, '_> {
    /// Passes the value and its contents to a visitor, in document order. Unlike with [`visit`](crate::visit::visit()), the
    /// length of every container is known, and the whole text has been verified.
    ///
    /// Takes time proportional to the length of the value, and 8 bytes per open container.
    ///
    /// # Errors
    ///
    /// The error of the visitor, which stops the visit.
    ///
    /// ```
    /// use jsonx_core::visit::Visitor;
    /// use jsonx_core::Document;
    ///
    /// struct Count(u64);
    ///
    /// impl Visitor for Count {
    ///     type Error = std::convert::Infallible;
    ///
    ///     fn begin_array(&mut self, len: Option<u64>) -> Result<(), Self::Error> {
    ///         self.0 += len.unwrap();
    ///         Ok(())
    ///     }
    /// }
    ///
    /// let document = Document::parse(b"{\"a\": [0], \"b\": [[1, 2], 3]}")?;
    /// let mut count = Count(0);
    /// document.find(".b").unwrap().visit(&mut count).unwrap();
    /// assert_eq!(count.0, 4);
    /// # Ok::<(), jsonx_core::Error>(())
    /// ```
    pub fn visit<V: Visitor>(self, visitor: &mut V) -> Result<(), V::Error> {
        // For each open container, twice the index of the word after it, plus 1 for an object.
        let mut open: Vec<usize> = Vec::new();
        let end = self.end_word();
        let mut at = self.word();
        let mut is_value = true;
        loop {
            while let Some(&innermost) = open.last()
                && innermost >> 1 == at
            {
                open.pop();
                match innermost & 1 {
                    1 => visitor.end_object()?,
                    _ => visitor.end_array()?,
                }
            }
            if at >= end {
                return Ok(());
            }
            let in_object = open.last().is_some_and(|innermost| innermost & 1 == 1);
            // In objects, keys and values alternate.
            is_value = !in_object || !is_value;
            let node = self.at_word(at);
            let kind = node.kind();
            at += 1;
            match kind {
                Kind::Null => visitor.null()?,
                Kind::Boolean => visitor.boolean(node.raw().starts_with(b"t"))?,
                Kind::Number => {
                    if let Some(number) = node.number() {
                        visitor.number(number)?;
                    }
                }
                Kind::String => {
                    let text = node.as_str().unwrap_or_default();
                    if is_value {
                        visitor.string(&text)?
                    } else {
                        visitor.key(&text)?
                    }
                }
                Kind::Array => {
                    open.push(node.end_word() << 1);
                    at += 1;
                    visitor.begin_array(Some(node.len() as u64))?;
                }
                Kind::Object => {
                    open.push(node.end_word() << 1 | 1);
                    at += 1;
                    visitor.begin_object(Some(node.len() as u64))?;
                }
            }
        }
    }
}
