//! LOCAL: the plugin whose resources are files on this machine. Paths are relative to the
//! working directory of the plugin's process.

mod command;
mod digest;
mod direxists;
mod file;
mod file_data;

use crate::kit::Plugin;
use std::ffi::OsString;

/// The release whose answers the plugin gives.
pub(crate) const VERSION: &str = "2.9.1";

/// The plugin. `path` is where it looks for commands, in the form of the variable `PATH`.
pub(crate) fn plugin(path: Option<OsString>) -> Plugin {
    let commands = command::Commands::new(path);
    Plugin::new("local", VERSION)
        .resource("local_file", file::shape(), file::File)
        .resource("local_sensitive_file", file::sensitive_shape(), file::File)
        .data_source("local_file", file_data::shape(), file_data::FileData)
        .data_source(
            "local_sensitive_file",
            file_data::sensitive_shape(),
            file_data::FileData,
        )
        .data_source("local_command", command::shape(), commands.clone())
        .ephemeral("local_command", command::shape(), commands.clone())
        .action("local_command", command::action_shape(), commands)
        .function("direxists", direxists::DirExists)
}
