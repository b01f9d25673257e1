//! Where programs are looked for, what they read, and the action.

use super::*;

fn commands() -> Commands {
    Commands::new(Some("/usr/bin:/bin".into()))
}

fn shell(script: &str) -> Object {
    let arguments = ["-c", script].map(Data::from).to_vec();
    Object::default()
        .with("command", "sh")
        .with("arguments", Data::List(arguments))
}

#[test]
fn looked_up_on_the_path() {
    assert!(commands().find("sh").is_ok());
    assert!(commands().find("/bin/sh").is_ok());
    for command in ["", "no-such-program", "/bin", "/etc/passwd", "./sh"] {
        assert!(commands().find(command).is_err(), "{command}");
    }
    assert!(Commands::new(None).find("sh").is_err());
}

#[test]
fn more_input_than_is_read() {
    let config = shell("head -c 1").with("stdin", "x".repeat(1 << 20));
    let answer = commands().read(config).unwrap();
    assert_eq!(answer.text("stdout"), Some("x"));
    let config = shell("wc -c | tr -d ' '").with("stdin", "x".repeat(1 << 20));
    assert_eq!(
        commands().read(config).unwrap().text("stdout"),
        Some("1048576\n")
    );
}

#[test]
fn the_action_prints_or_fails() {
    let variables = [("GREETING".to_owned(), Data::from("hello"))];
    let config = shell("echo $GREETING").with("environment", Data::Map(variables.into()));
    assert_eq!(commands().invoke(&config), Ok("\nhello\n\n".into()));
    assert!(commands().invoke(&shell("exit 3")).is_err());
    assert_eq!(commands().plan(&config), Ok(()));
    let unknown = Object::default().with("command", Data::Unknown);
    assert_eq!(commands().plan(&unknown), Ok(()));
    let missing = Object::default().with("command", "no-such-program");
    assert!(commands().plan(&missing).is_err());
}

#[test]
fn runs_where_it_is_told() {
    let config = shell("pwd -P").with("working_directory", "/");
    assert_eq!(commands().read(config).unwrap().text("stdout"), Some("/\n"));
    let nowhere = shell("pwd").with("working_directory", "/no/such/place");
    assert!(commands().read(nowhere).is_err());
}
