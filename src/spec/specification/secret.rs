//! Whether a path into a node leads to something sensitive or write-only.

use pravo_state::{Attribute, AttributeKind, Block};

/// Whether reading a path of a node reads something sensitive: the path of an attribute that is, of
/// something inside it, or of something that holds one.
pub(super) fn reads_sensitive(block: &Block, path: &[&str]) -> bool {
    in_block(block, path, &|attribute| attribute.sensitive)
}

/// Whether a path of a node leads to an attribute that is write-only.
pub(super) fn reads_write_only(block: &Block, path: &[&str]) -> bool {
    let first = path.first().and_then(|name| block.attribute(name));
    first.is_some_and(|attribute| attribute.write_only)
}

fn in_block(block: &Block, path: &[&str], test: &dyn Fn(&Attribute) -> bool) -> bool {
    let [name, rest @ ..] = path else {
        let nested = block.blocks.iter().any(|b| in_block(&b.block, &[], test));
        return nested || any(&block.attributes, test);
    };
    if let Some(nested) = block.nested(name) {
        // A step may be the key or index of one of several.
        return in_block(&nested.block, rest, test)
            || rest
                .first()
                .is_some_and(|_| in_block(&nested.block, &rest[1..], test));
    }
    in_attributes(&block.attributes, path, test)
}

fn in_attributes(
    attributes: &[Attribute],
    path: &[&str],
    test: &dyn Fn(&Attribute) -> bool,
) -> bool {
    let [name, rest @ ..] = path else {
        return any(attributes, test);
    };
    let Some(attribute) = attributes.iter().find(|a| a.name == *name) else {
        return false;
    };
    match &attribute.kind {
        _ if test(attribute) => true,
        AttributeKind::Nested(_, inner) => {
            in_attributes(inner, rest, test)
                || rest
                    .first()
                    .is_some_and(|_| in_attributes(inner, &rest[1..], test))
        }
        AttributeKind::Value(_) => false,
    }
}

fn any(attributes: &[Attribute], test: &dyn Fn(&Attribute) -> bool) -> bool {
    attributes.iter().any(|attribute| match &attribute.kind {
        _ if test(attribute) => true,
        AttributeKind::Nested(_, inner) => any(inner, test),
        AttributeKind::Value(_) => false,
    })
}
