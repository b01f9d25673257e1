//! PLUGINS: talks to one provider process over the plugin protocol.
