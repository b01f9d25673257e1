//! Command lines: one dash or two, what is recorded, what is refused.

use super::*;

fn take(line: &str) -> Result<Parsed, String> {
    let arguments: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
    parse(&arguments).map_err(|refusal| match refusal {
        Refusal::Help(text) => format!("help: {text}"),
        Refusal::Usage(text) => text,
    })
}

#[test]
fn long_flags_take_one_dash_or_two_and_are_recorded_with_two() {
    for (line, want) in [
        ("apply -auto-approve", "pravo apply --auto-approve"),
        (
            "apply --auto-approve --actor ci --reason example",
            "pravo apply --auto-approve --actor ci --reason example",
        ),
        (
            "-C zones plan -parallelism=3",
            "pravo -C zones plan --parallelism 3",
        ),
        ("plan -tenv=prod -t=x=y", "pravo plan -t env=prod -t x=y"),
        (
            "plan --inject env=prod -T",
            "pravo plan --inject env=prod -T",
        ),
        ("plan -vv", "pravo plan -vv"),
        ("state log -n 3", "pravo state log -n 3"),
        (
            "state list -type null_resource",
            "pravo state list --type null_resource",
        ),
    ] {
        assert_eq!(take(line).unwrap().recorded, want, "{line}");
    }
}

#[test]
fn arguments_are_quoted_as_a_shell_needs() {
    let arguments = ["state", "show", "a[\"b c\"]'"].map(str::to_owned);
    assert_eq!(
        parse(&arguments).unwrap().recorded,
        "pravo state show 'a[\"b c\"]'\\'''"
    );
}

#[test]
fn global_flags_stand_before_or_after_the_command() {
    for line in ["-C zones -t env=prod plan", "plan -C zones -t env=prod"] {
        let cli = take(line).unwrap().cli;
        assert_eq!(cli.global.root, PathBuf::from("zones"));
        assert_eq!(cli.global.tags, ["env=prod"]);
        assert_eq!(cli.global.parallelism, 10);
    }
}

#[test]
fn what_this_version_does_not_do_is_refused_by_name() {
    for (line, name) in [
        ("plan -refresh=all", "plan --refresh"),
        ("plan --out x", "plan --out"),
        ("apply c.plan", "c.plan"),
        ("apply -only a,b", "apply --only"),
        ("destroy -json", "destroy --json"),
        ("why x", "pravo why"),
        ("plan list", "pravo plan list"),
        ("state rm x", "pravo state rm"),
    ] {
        let text = take(line).unwrap_err();
        assert!(
            text.contains(name) && text.contains("not part of this version"),
            "{line}: {text}"
        );
    }
}

#[test]
fn what_nobody_knows_is_refused_in_one_sentence() {
    for (line, part) in [
        ("plan -target=x", "unknown flag -target"),
        ("plan -var-file x", "unknown flag -var-file"),
        ("plan --nonsense", "--nonsense"),
        ("plan -z", "-z"),
        ("plan -parallelism 0", "0"),
        ("nonsense", "nonsense"),
        ("", "a command is missing"),
        ("state", "a command is missing"),
    ] {
        let text = take(line).unwrap_err();
        assert!(
            text.contains(part) && !text.contains("Usage"),
            "{line}: {text}"
        );
    }
}

#[test]
fn every_command_has_help() {
    for line in [
        "--help",
        "plan -help",
        "state show --help",
        "plugin serve -h",
    ] {
        assert!(take(line).unwrap_err().starts_with("help: "), "{line}");
    }
}

#[test]
fn the_arguments_of_cue_are_taken_as_they_are() {
    let cli = take("cue export -e x --out yaml a.cue").unwrap().cli;
    let Command::Cue(cue) = cli.command else {
        panic!("not cue")
    };
    assert_eq!(
        cue.arguments,
        ["export", "-e", "x", "--out", "yaml", "a.cue"]
    );
}
