//! Access control.
//!
//! A foreign page could make a browser send requests to a server on this machine, either directly or by giving this
//! machine's address to a host name of its own (DNS rebinding). So the host name in a request must be one of this
//! machine, and a request that names the page it comes from must come from this page.

use axum::http::header::{HOST, ORIGIN};
use axum::http::{HeaderMap, HeaderName};
use std::net::{IpAddr, SocketAddr};

/// Returns true for paths that front ends of other projects may use; they reveal nothing private.
pub(crate) fn is_open_to_all(path: &str) -> bool {
    matches!(path, "/standard" | "/standard/mainline")
}

/// Checks that a request is allowed; the error is a sentence for the reader.
pub(crate) fn check(path: &str, headers: &HeaderMap, bound: SocketAddr) -> Result<(), String> {
    let host = text(headers, &HOST).unwrap_or_default();
    if !is_ours(host, bound) {
        return Err(format!("this server does not answer to the name {host:?}: {}", hint(bound)));
    }
    // Images and scripts of another page send no Origin header, but browsers send Sec-Fetch-Site.
    let site = text(headers, &HeaderName::from_static("sec-fetch-site"));
    let is_foreign = matches!(site, Some("cross-site" | "same-site"));
    if is_foreign && path.starts_with("/api/") {
        return Err(format!("a page of another site may not use this server: open http://{host}"));
    }
    match text(headers, &ORIGIN) {
        Some(origin) if !is_open_to_all(path) && origin != format!("http://{host}") => {
            Err(format!("a page from {origin:?} may not use this server: open http://{host}"))
        }
        _ => Ok(()),
    }
}

fn text<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<&'h str> {
    headers.get(name).map(|value| value.to_str().unwrap_or("?"))
}

/// Returns true if a host name, with its port, is one of this machine.
fn is_ours(host: &str, bound: SocketAddr) -> bool {
    let (name, port) = match host.rsplit_once(':') {
        Some((name, port)) if !port.contains(']') => (name, port.parse().ok()),
        _ => (host, Some(80)),
    };
    if port != Some(bound.port()) {
        return false;
    }
    let address = name.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
    match address {
        // An IP address as the host name cannot be rebound to another machine.
        Ok(address) => address.is_loopback() || !bound.ip().is_loopback(),
        Err(_) => name.eq_ignore_ascii_case("localhost"),
    }
}

/// The end of an error message: how to reach the server.
fn hint(bound: SocketAddr) -> String {
    if bound.ip().is_unspecified() {
        format!("use the IP address of its machine, with port {}", bound.port())
    } else {
        format!("open http://{bound}")
    }
}

/// The headers of every response: the page only loads its own files and may not be framed, and browsers may
/// not guess types.
pub(crate) const HEADERS: [(&str, &str); 5] = [
    (
        "content-security-policy",
        "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
    ),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-opener-policy", "same-origin"),
    ("x-frame-options", "DENY"),
];

/// The header that determines which pages may read a response.
pub(crate) fn sharing_header(path: &str) -> (&'static str, &'static str) {
    if is_open_to_all(path) {
        ("access-control-allow-origin", "*")
    } else {
        ("cross-origin-resource-policy", "same-origin")
    }
}

#[cfg(test)]
mod tests {
    use super::is_ours;

    #[test]
    fn names_of_this_machine_are_ours_and_no_others() {
        let bound = "127.0.0.1:7000".parse().unwrap();
        for host in
            ["127.0.0.1:7000", "localhost:7000", "LocalHost:7000", "[::1]:7000", "127.9.9.9:7000"]
        {
            assert!(is_ours(host, bound), "{host}");
        }
        for host in [
            "",
            "localhost",
            "localhost:7001",
            "evil.example:7000",
            "127.0.0.1.evil.example:7000",
            "10.0.0.1:7000",
            "localhost:7000:7000",
            "[::1]",
            "localhost:x",
        ] {
            assert!(!is_ours(host, bound), "{host}");
        }
        let open = "0.0.0.0:7000".parse().unwrap();
        assert!(is_ours("192.168.1.7:7000", open));
        assert!(!is_ours("rebound.example:7000", open));
    }
}
