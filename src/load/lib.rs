//! FILES: packages, modules, imports and tags from disk, handed to the language as texts.
