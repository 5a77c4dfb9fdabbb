//! Host files with every kind of fault.

use lucena_dist::{Hosts, HostsError};

fn refused(text: &str) -> String {
    Hosts::parse(text).unwrap_err().to_string()
}

#[test]
fn a_file_has_a_line_for_each_worker() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("hosts");
    let text = "# two machines\r\n\n one.example:4000  # large\nTWO.example:04001\n[2001:db8::7]:1";
    std::fs::write(&path, text).unwrap();
    let hosts = Hosts::read(&path).unwrap();
    assert_eq!(hosts.to_string(), "one.example:4000\ntwo.example:4001\n[2001:db8::7]:1\n");
    assert_eq!(Hosts::parse(&hosts.to_string()).unwrap(), hosts);
}

#[test]
fn faults_say_where_and_how_to_mend_them() {
    assert_eq!(Hosts::parse("\n# nobody\n"), Err(HostsError::Empty));
    assert_eq!(Hosts::parse(""), Err(HostsError::Empty));
    assert_eq!(Hosts::parse("a:1\nb:0"), Err(HostsError::PortZero { line: 2 }));
    for text in [
        "host",
        "host:",
        ":1",
        "host:x",
        "host:65536",
        "host:-1",
        "host:+1",
        "a b:1",
        "2001:db8::7:1",
        "[host]:1",
        "http://host:1",
        "host:1 host:2",
        "[::1:1",
        "host:1,",
        "é:1",
    ] {
        let fault = Hosts::parse(&format!("a:1\n\n{text}")).unwrap_err();
        assert_eq!(fault, HostsError::NotAnAddress { line: 3, text: text.into() }, "{text}");
    }
    assert_eq!(
        refused("a:1\nb:2\n#\nA:1"),
        "lines 1 and 4 are both a:1; give each worker its own port"
    );
    assert!(refused("host").starts_with("line 1 is not host:port: \"host\"; write for instance"));
}

#[test]
fn files_that_cannot_be_read_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("hosts");
    let refused = || Hosts::read(&path).unwrap_err().to_string();
    assert!(refused().contains("there is no such file"), "{}", refused());
    std::fs::write(&path, b"host\xff:1").unwrap();
    assert!(refused().contains("is not text in UTF-8"));
    std::fs::write(&path, "").unwrap();
    assert!(refused().contains("names no worker"));
}
