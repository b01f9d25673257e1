//! What single questions cost on a large value, by counters.

use super::load;
use crate::eval::context::Evaluator;
use crate::eval::label::Label;
use crate::eval::units::{UnitFill, Units};
use crate::eval::value::{Data, Val};
use std::fmt::Write;

/// Zones of ten: a network, three subnets that read it, six machines that read a subnet.
pub(super) fn estate(zones: usize) -> String {
    let mut out = String::from(
        "package p\n#R: {\n\t$kind: \"resource\"\n\t$type: \"null\"\n\t$depends_on?: [...]\n\t\
         triggers?: {[string]: string | null}\n\tid: string | null\n}\n",
    );
    for z in 0..zones {
        let _ = writeln!(out, "net_{z}: #R & {{triggers: cidr: \"{z}\"}}");
        for s in 0..3 {
            let _ = writeln!(out, "sub_{z}_{s}: #R & {{triggers: net: net_{z}.id}}");
        }
        for m in 0..6 {
            let _ = writeln!(
                out,
                "vm_{z}_{m}: #R & {{triggers: sub: sub_{z}_{}.id}}",
                m % 3
            );
        }
    }
    out
}

fn zone(e: &mut Evaluator, z: usize) -> Vec<Label> {
    let mut names = vec![format!("net_{z}")];
    names.extend((0..3).map(|s| format!("sub_{z}_{s}")));
    names.extend((0..6).map(|m| format!("vm_{z}_{m}")));
    names.iter().map(|n| e.string_label(n)).collect()
}

#[test]
fn one_path_begins_few_vertices() {
    let (mut e, p) = load(&[&estate(300)]);
    let root = e.root(p);
    let path = ["vm_150_4", "triggers", "sub"].map(|n| e.string_label(n));
    let before = e.counters().begun;
    let v = e.eval_path(root, &path).expect("the path is there");
    assert_eq!(e.compact(Val::bare(Data::Vertex(v))), "string | null");
    let begun = e.counters().begun - before;
    assert!(begun < 100, "{begun} vertices");
}

#[test]
fn a_fill_costs_what_its_readers_cost_and_leaves_nothing() {
    let (mut e, p) = load(&[&estate(300)]);
    let root = e.root(p);
    e.finalize(root);
    let first = e.counters();
    assert!(first.begun > 15_000, "{first:?}");
    assert!(first.working < 10, "{first:?}");
    let mut units = Units::default();
    let labels = zone(&mut e, 150);
    let id = e.string_label("id");
    let mut held = 0;
    for round in 0..20 {
        let before = e.counters().begun;
        let text = e.new_string(&format!("id {round}"));
        let value = e.data_scalar(text);
        let below = vec![id];
        let mut fills = vec![UnitFill { below, value }];
        for label in &labels {
            let own = std::mem::take(&mut fills);
            assert!(e.reset_unit(&mut units, root, &[*label], &own));
        }
        e.recycle();
        for label in &labels {
            let v = e.field(root, *label).expect("the field stays");
            e.finalize(v);
        }
        let counters = e.counters();
        assert!(
            (counters.begun - before) * 100 < first.begun,
            "{counters:?}"
        );
        assert!(counters.working < 10, "{counters:?}");
        if round == 1 {
            held = counters.vertices;
        }
        assert!(held == 0 || counters.vertices <= held, "{counters:?}");
    }
    let read = ["sub_150_1", "triggers", "net"].map(|n| e.string_label(n));
    let v = e.eval_path(root, &read).expect("the path is there");
    assert_eq!(e.compact(Val::bare(Data::Vertex(v))), "\"id 19\"");
}
