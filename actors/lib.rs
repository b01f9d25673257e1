//! MOTION: the actors of a run, and `run`, which starts them.
