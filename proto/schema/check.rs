//! The rules that a schema keeps. Source: the internal checks that other clients make before they
//! use a plugin.

use pravo_state::{Attribute, AttributeKind, Block, NestedBlock, Nesting, Schema};
use std::collections::HashSet;

/// Checks a schema; the error names the attribute or block.
pub(crate) fn schema(schema: &Schema) -> Result<(), String> {
    if schema.version < 0 {
        return Err(format!("its version is {}", schema.version));
    }
    block(&schema.block)
}

fn block(block: &Block) -> Result<(), String> {
    attributes(&block.attributes)?;
    let mut names: HashSet<&str> = block.attributes.iter().map(|a| a.name.as_str()).collect();
    for nested in &block.blocks {
        if !names.insert(&nested.name) {
            return Err(format!("{} is there twice", nested.name));
        }
        nested_block(nested).map_err(|problem| format!("block {}: {problem}", nested.name))?;
    }
    Ok(())
}

fn attributes(attributes: &[Attribute]) -> Result<(), String> {
    let mut names = HashSet::new();
    for attribute in attributes {
        if !names.insert(&attribute.name) {
            return Err(format!("{} is there twice", attribute.name));
        }
        one(attribute).map_err(|problem| format!("{}: {problem}", attribute.name))?;
    }
    Ok(())
}

fn one(attribute: &Attribute) -> Result<(), String> {
    let flags = (attribute.required, attribute.optional, attribute.computed);
    match flags {
        (false, false, false) => return Err("neither required, optional nor computed".into()),
        (true, true, _) => return Err("both required and optional".into()),
        (true, _, true) => return Err("both required and computed".into()),
        _ => {}
    }
    let AttributeKind::Nested(nesting, nested) = &attribute.kind else {
        return Ok(());
    };
    if *nesting == Nesting::Set && attribute.kind.implied_type().has_dynamic() {
        return Err("a set of values of any type".into());
    }
    attributes(nested)
}

fn nested_block(nested: &NestedBlock) -> Result<(), String> {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    if nested.name.is_empty() || !nested.name.chars().all(plain) {
        return Err("its name holds other characters than a-z, 0-9 and _".into());
    }
    let (min, max) = (nested.min_items, nested.max_items);
    let counts = match nested.nesting {
        Nesting::Single => min == max && max <= 1,
        Nesting::Group | Nesting::Map => min == 0 && max == 0,
        Nesting::List | Nesting::Set => max == 0 || min <= max,
    };
    if !counts {
        return Err(format!("it occurs at least {min} and at most {max} times"));
    }
    if nested.nesting == Nesting::Set && nested.block.implied_type().has_dynamic() {
        return Err("a set of values of any type".into());
    }
    block(&nested.block)
}
