//! Requests of the web page: any request is answered or refused, and none causes a panic.

#![no_main]

use libfuzzer_sys::fuzz_target;
use lucena::page::{PageState, ROUTES, answer};
use lucena::tablebase::TableFolder;
use std::sync::LazyLock;

static STATE: LazyLock<PageState> = LazyLock::new(|| PageState::new(TableFolder::in_memory()));

fuzz_target!(|input: (u8, &str)| {
    let (route, query) = input;
    let route = &ROUTES[usize::from(route) % ROUTES.len()];
    let reply = answer(&STATE, route.path, query);
    assert!(
        [200, 202, 400, 404].contains(&reply.status),
        "{} {query}: {}",
        route.path,
        reply.status
    );
});
