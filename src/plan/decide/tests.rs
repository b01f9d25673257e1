//! Which action follows from which objects.

use super::{decide, differing, forcing_paths};
use crate::schema_for_tests::{block, list, object, text};
use crate::{Action, Path, PathStep};
use pravo_state::Data;
use pravo_state::schema::Block;

fn schema() -> Block {
    block(
        vec![text("a", "o"), text("b", "o"), text("secret", "ow")],
        vec![],
    )
}

fn state(a: Data) -> Data {
    object(&[("a", a), ("b", "same".into()), ("secret", Data::Null)])
}

fn paths(names: &[&str]) -> Vec<Path> {
    names.iter().map(|n| Path::attribute(*n)).collect()
}

#[test]
fn only_listed_paths_that_differ_force_a_replacement() {
    let (was, will) = (state("1".into()), state("2".into()));
    let kept = forcing_paths(&schema(), &was, &will, &paths(&["a", "b"])).unwrap();
    assert_eq!(kept, paths(&["a"]));
    assert_eq!(decide(&was, &will, &kept, false), Action::Replace);
    let kept = forcing_paths(&schema(), &was, &will, &paths(&["b"])).unwrap();
    assert!(kept.is_empty());
    assert_eq!(decide(&was, &will, &kept, false), Action::Update);
}

#[test]
fn an_unknown_value_and_a_write_only_path_force_it_too() {
    let (was, will) = (state("1".into()), state(Data::Unknown));
    assert_eq!(
        forcing_paths(&schema(), &was, &will, &paths(&["a"])).unwrap(),
        paths(&["a"])
    );
    let same = state("1".into());
    let kept = forcing_paths(&schema(), &same, &same, &paths(&["secret"])).unwrap();
    assert_eq!(kept, paths(&["secret"]));
}

#[test]
fn a_path_in_neither_object_is_the_providers_fault_and_without_prior_none_counts() {
    let wrong = paths(&["nowhere"]);
    let (was, will) = (state("1".into()), state("2".into()));
    assert_eq!(
        forcing_paths(&schema(), &was, &will, &wrong),
        Err(wrong[0].clone())
    );
    assert_eq!(
        forcing_paths(&schema(), &Data::Null, &will, &wrong),
        Ok(vec![])
    );
}

#[test]
fn a_path_into_a_list_counts_a_missing_element_as_null() {
    let at = Path(vec![PathStep::Attribute("a".into()), PathStep::Index(1)]);
    let was = state(list(&["x".into()]));
    let will = state(list(&["x".into(), "y".into()]));
    assert_eq!(
        forcing_paths(&schema(), &was, &will, std::slice::from_ref(&at)),
        Ok(vec![at])
    );
}

#[test]
fn the_remaining_actions() {
    let same = state("1".into());
    assert_eq!(decide(&Data::Null, &same, &[], false), Action::Create);
    assert_eq!(decide(&same, &same, &[], false), Action::NoOp);
    assert_eq!(decide(&same, &same, &[], true), Action::Replace);
    let unknown = state(Data::Unknown);
    assert_eq!(decide(&unknown, &unknown, &[], false), Action::Update);
    assert_eq!(differing(&same, &state("2".into())), ["a"]);
}
