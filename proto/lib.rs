//! WIRE
