//! How much an evaluator has done and holds.

use super::context::Evaluator;

/// Figures of an evaluator since it was made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counters {
    /// How often what a vertex consists of was looked at; one that is copied, or starts anew,
    /// counts again.
    pub begun: u64,
    /// Vertices that are held.
    pub vertices: usize,
    /// Frames that are held.
    pub frames: usize,
    /// Working states in use: those of vertices under evaluation.
    pub working: usize,
    /// The most working states that were in use at once.
    pub most_working: usize,
    /// Steps that count towards the limit.
    pub steps: u64,
    /// Bytes that count towards the limit now.
    pub bytes: u64,
}

impl Evaluator {
    /// What was done so far, and what is held.
    pub fn counters(&self) -> Counters {
        Counters {
            begun: self.begun,
            vertices: self.v.len() - self.free_vertices.len(),
            frames: self.envs.len(),
            working: self.nodes.len() - self.free_nodes.len(),
            most_working: self.nodes.len(),
            steps: self.spent.steps,
            bytes: self.bytes_held(),
        }
    }
}
