//! fake
fn main() {}
