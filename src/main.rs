//! The `pravo` binary.

mod memory;

#[global_allocator]
static MEMORY: memory::Allocator = memory::Allocator;

fn main() -> std::process::ExitCode {
    memory::reserve();
    std::process::ExitCode::from(pravo_cli::main())
}
