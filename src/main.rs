//! The `pravo` binary.

fn main() -> std::process::ExitCode {
    std::process::ExitCode::from(pravo_cli::main())
}
