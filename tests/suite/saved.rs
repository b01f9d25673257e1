//! A saved evaluation changes nothing but the time: whatever happens between two plans, the plan
//! that remembers prints what a plan without memory prints.

use crate::world::{Dice, PRAVO, World, text};
use std::fmt::Write;
use std::fs;

const STEPS: usize = 24;

/// What the specification says at one moment.
struct Estate {
    seed: u64,
    names: Vec<String>,
    contents: Vec<String>,
    refresh: &'static str,
    output: bool,
}

impl Estate {
    fn text(&self) -> String {
        let mut out = String::from(
            "package estate\n\nimport (\n\t\"pravo.dev/pravo\"\n\trnd \"pravo.dev/providers/hashicorp/random\"\n\t\
             loc \"pravo.dev/providers/hashicorp/local\"\n)\n\n$random: rnd.#Provider\n$local: loc.#Provider\n\
             color: *\"red\" | string @tag(color)\n",
        );
        let _ = writeln!(
            out,
            "$settings: pravo.#Settings & {{refresh: \"{}\"}}",
            self.refresh
        );
        for (n, name) in self.names.iter().enumerate() {
            let _ = writeln!(
                out,
                "{name}: $random.#Resource.random_pet & {{length: 2, keepers: seed: \"{}\"}}\n\
                 secret_{name}: $random.#Resource.random_password & {{length: 9, keepers: of: {name}.id}}\n\
                 file_{name}: $local.#Resource.local_file & {{filename: \"{name}.txt\", content: \"\\({name}.id) {} \\(color)\"}}\n\
                 copy_{name}: $local.#Data.local_file & {{filename: file_{name}.filename}}\n\
                 third_{name}: $random.#Resource.random_pet & {{keepers: copy: copy_{name}.content}}",
                self.seed + n as u64,
                self.contents[n],
            );
        }
        if self.output {
            let first = &self.names[0];
            let _ = writeln!(
                out,
                "shown: pravo.#Output & {{value: {first}.id}}\n\
                 hidden: pravo.#Output & {{value: secret_{first}.result, sensitive: true}}"
            );
        }
        out
    }
}

/// Runs a command with the memory in this folder; the answer is all that can be seen.
fn run(world: &World, memory: &str, words: &[&str]) -> (Option<i32>, String, String) {
    let mut command = world.command(PRAVO);
    command.env("PRAVO_CACHE_DIR", world.dir.join(memory));
    let output = command.args(words).output().unwrap();
    (
        output.status.code(),
        text(&output.stdout),
        text(&output.stderr),
    )
}

fn step(world: &World, estate: &mut Estate, dice: &mut Dice) -> &'static str {
    let n = dice.index(estate.names.len());
    match dice.below(10) {
        0 => estate.contents[n] = format!("c{}", dice.below(100)),
        1 => estate.seed += 1,
        2 => {
            let _ = fs::write(world.dir.join(format!("{}.txt", estate.names[n])), "edited");
        }
        3 => {
            let _ = fs::remove_file(world.dir.join(format!("{}.txt", estate.names[n])));
        }
        4 => estate.refresh = ["1h", "always", "never"][dice.index(3)],
        5 => estate.output = !estate.output,
        6 if estate.names.len() < 4 => {
            estate.names.push(format!("pet{}", estate.names.len()));
            estate.contents.push("new".to_owned());
        }
        7 if estate.names.len() > 1 => {
            estate.names.pop();
            estate.contents.pop();
        }
        8 => return "blue",
        _ => {}
    }
    "red"
}

#[test]
fn a_plan_with_memory_prints_what_a_plan_without_prints() {
    for seed in 1..3 {
        let world = World::new("saved");
        let mut dice = Dice(seed);
        let mut estate = Estate {
            seed,
            names: vec!["pet".to_owned()],
            contents: vec!["first".to_owned()],
            refresh: "1h",
            output: true,
        };
        world.write("main.cue", estate.text());
        assert_eq!(run(&world, "memory", &["init"]).0, Some(0));
        assert_eq!(
            run(&world, "memory", &["apply", "-auto-approve"]).0,
            Some(0)
        );
        for n in 0..STEPS {
            let color = format!("color={}", step(&world, &mut estate, &mut dice));
            world.write("main.cue", estate.text());
            let words = ["plan", "--json", "-t", &color];
            // A plan keeps what it read, so both begin from the same state.
            let state = world.dir.join("pravo.state");
            let backup = world.dir.join("backup");
            let _ = fs::remove_dir_all(&backup);
            copy(&state, &backup);
            let fresh = run(&world, &format!("fresh{n}"), &words);
            let _ = fs::remove_dir_all(&state);
            copy(&backup, &state);
            let remembered = run(&world, "memory", &words);
            let (fresh, remembered) = (plain(&fresh), plain(&remembered));
            for (ours, theirs) in remembered.1.lines().zip(fresh.1.lines()) {
                assert_eq!(ours, theirs, "seed {seed}, step {n}\n{}", estate.text());
            }
            assert_eq!(
                (remembered.0, remembered.2),
                (fresh.0, fresh.2),
                "seed {seed}, step {n}\n{}",
                estate.text()
            );
            if dice.below(2) == 0 {
                let applied = run(&world, "memory", &["apply", "-auto-approve", "-t", &color]);
                // A file that is gone can be read no more.
                let (code, out, err) = applied;
                assert!(matches!(code, Some(0 | 1)), "{out}{err}");
            }
        }
    }
}

/// What was seen, without the moments and the order of what runs at once.
fn plain(seen: &(Option<i32>, String, String)) -> (Option<i32>, String, String) {
    let (code, out, err) = seen;
    let moment = regex::Regex::new(r"\d{4}-\d\d-\d\dT[\d:.]+Z").unwrap();
    let mut lines: Vec<&str> = err.lines().collect();
    lines.sort_unstable();
    let out = moment.replace_all(out, "T").into_owned();
    (*code, out, lines.join("\n"))
}

fn copy(from: &std::path::Path, to: &std::path::Path) {
    let Ok(entries) = fs::read_dir(from) else {
        return;
    };
    fs::create_dir_all(to).unwrap();
    for entry in entries {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        match entry.file_type().unwrap().is_dir() {
            true => copy(&entry.path(), &target),
            false => {
                fs::copy(entry.path(), target).unwrap();
            }
        }
    }
}
