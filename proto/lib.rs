//! WIRE: the plugin protocol's messages, and the codec between plain data and the wire.
