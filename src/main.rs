//! The `pravo` binary.

#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod ahead;
mod memory;

#[global_allocator]
static MEMORY: memory::Allocator = memory::Allocator;

fn main() -> std::process::ExitCode {
    memory::reserve();
    std::process::ExitCode::from(pravo_cli::main())
}
