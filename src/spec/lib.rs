//! NODES: an evaluated value to resources, data sources, providers, outputs and the edges between them.
