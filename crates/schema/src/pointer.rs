//! JSON Pointers in schemas (RFC 6901), read leniently: an invalid pointer has no target.

use jsonx_core::{Kind, Node};

/// The keys and indices of a pointer, unescaped.
pub fn tokens(pointer: &str) -> impl Iterator<Item = String> {
    pointer.split('/').skip(1).map(unescaped)
}

/// Unescapes a token of a pointer.
pub fn unescaped(token: &str) -> String {
    token.replace("~1", "/").replace("~0", "~")
}

/// Escapes a key as a token of a pointer.
pub fn escaped(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

/// The member with this key, or the element with this index.
pub fn child<'d, 't>(node: Node<'d, 't>, name: &str) -> Option<Node<'d, 't>> {
    match node.kind() {
        Kind::Array => node.get(name.parse::<usize>().ok()?),
        _ => node.get(name),
    }
}

/// The target of a pointer.
pub fn target<'d, 't>(root: Node<'d, 't>, pointer: &str) -> Option<Node<'d, 't>> {
    tokens(pointer).try_fold(root, |node, name| child(node, &name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_undone() {
        for key in ["a", "", "a/b", "~", "~1", "~01", "/~/"] {
            assert_eq!(unescaped(&escaped(key)), key);
            let pointer = format!("/{}/0", escaped(key));
            assert_eq!(tokens(&pointer).collect::<Vec<_>>(), [key, "0"]);
        }
        assert_eq!(tokens("").count(), 0);
    }
}
