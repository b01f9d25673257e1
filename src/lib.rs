//! pravo: plans and applies infrastructure from a CUE specification, as a graph.
//!
//! The rooms, in the order a change flows through them: `cue` (language), `load` (files), `spec`
//! (nodes), `plan` (decisions), `actors` (motion), `provider` and `bundled` (plugins), `store`
//! (bytes), `cli` (words). `state` holds the nouns they share, `proto` the wire.
