//! Where sockets are, and that nothing is left of them.

use super::*;
use std::os::unix::fs::PermissionsExt;

fn environment(directory: &str) -> Environment {
    Environment::new([("PLUGIN_UNIX_SOCKET_DIR".into(), directory.into())])
}

#[tokio::test]
async fn private_and_gone_afterwards() {
    let place = tempfile::tempdir().unwrap();
    let socket = Socket::new(&environment(place.path().to_str().unwrap())).unwrap();
    let listener = socket.listener().unwrap();
    let mode = fs::metadata(&socket.directory)
        .unwrap()
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o700);
    assert!(fs::exists(socket.path()).unwrap());
    drop((listener, socket));
    assert_eq!(fs::read_dir(place.path()).unwrap().count(), 0);
}

#[tokio::test]
async fn places_that_do_not_work() {
    for directory in ["/no/such/place", "/tmp/a|b"] {
        assert!(Socket::new(&environment(directory)).is_err(), "{directory}");
    }
    let place = tempfile::tempdir().unwrap();
    let long = place.path().join("x".repeat(120));
    fs::create_dir(&long).unwrap();
    let socket = Socket::new(&environment(long.to_str().unwrap())).unwrap();
    let error = socket.listener().unwrap_err().to_string();
    assert!(error.contains("making the socket"), "{error}");
}
