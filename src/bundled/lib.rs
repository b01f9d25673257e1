//! BUNDLED PLUGINS: the serving side of the plugin protocol and the plugins that ship in the binary.
