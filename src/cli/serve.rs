use super::Failure;
use super::forms::{self, CommandTold};
use super::interrupt;
use super::shown::Shown;
use super::tables::Tables;
use super::terminal::{note, say};
use lucena::page::{Shelf, answer};
use lucena::roster::PlayerName;
use lucena::train::Trained;
use lucena_serve::{Bound, Listen, Plan, Reply, Site};
use schemars::generate::SchemaSettings;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::Write;
use std::net::{IpAddr, Ipv4Addr};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Show a page on this machine: look at positions, ask why, play, and run experiments
///
/// The address is printed; open it in a browser. The page works without any network. It answers this machine
/// alone unless --listen says otherwise.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  lucena serve
  lucena serve --port 8080
  lucena serve --players data           trees, strategies and weights from files can be chosen too
  curl 'http://127.0.0.1:8080/standard?fen=8/8/8/8/8/1k6/8/K1R5_w_-_-_0_1'")]
pub(super) struct Serve {
    /// The port; 0 for any that is free
    #[arg(long, value_name = "N", default_value_t = 7465)]
    port: u16,
    /// The address to listen on. Any other than 127.0.0.1 or ::1 lets everybody who reaches this machine ask,
    /// and start work on it
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    listen: IpAddr,
    /// Folders or files with trees, strategies and weights to choose from [default: data, where it is]
    #[arg(long, value_name = "PATH")]
    players: Vec<PathBuf>,
    #[command(flatten)]
    tables: Tables,
}

impl Serve {
    pub(super) fn run(self) -> Result<(), Failure> {
        let bound = Bound::new(Listen { address: self.listen, port: self.port })?;
        let shelf = Shelf::new(self.tables.folder());
        for name in self.found_players() {
            if let Err(error) = shelf.offer(&name) {
                note(&format!("{error}; it is left out"));
            }
        }
        let program = std::env::current_exe()?;
        let mut out = anstream::stdout();
        writeln!(out, "Open {} in a browser. Ctrl-C ends it.", bound.url())?;
        out.flush()?;
        if bound.is_open_to_others() {
            say("Everybody who reaches this machine can ask, and can start work on it.");
        }
        let desk = Desk { shelf, tables: self.tables.path() };
        bound.serve(Arc::new(desk), program, interrupt::is_requested)?;
        Ok(())
    }

    /// The players that files make.
    fn found_players(&self) -> Vec<PlayerName> {
        let usual = Path::new("data");
        let paths = match self.players.as_slice() {
            [] if usual.is_dir() => &[usual.to_owned()][..],
            paths => paths,
        };
        let mut files = Vec::new();
        for path in paths {
            collect(path, &mut files);
        }
        files.sort();
        files.iter().filter_map(|path| player_of(path)).collect()
    }
}

/// The files of a folder and those below it, or the file itself.
fn collect(path: &Path, files: &mut Vec<PathBuf>) {
    match std::fs::read_dir(path) {
        Ok(entries) => entries.flatten().for_each(|entry| collect(&entry.path(), files)),
        Err(_) => files.push(path.to_owned()),
    }
}

/// The player that a file makes, by what it holds; nothing where it makes none.
fn player_of(path: &Path) -> Option<PlayerName> {
    let bytes = std::fs::read(path).ok()?;
    if let Ok(shown) = Shown::from_json(&bytes) {
        return Some(match shown {
            Shown::Tree(_) => PlayerName::Tree(path.into()),
            Shown::Strategy(_) => PlayerName::Strategy(Some(path.into())),
        });
    }
    if Trained::from_bytes(&bytes).is_ok() {
        return Some(PlayerName::Trained { path: path.into(), plies: 1 });
    }
    let name = format!("search:depth=2,eval={}", path.display());
    lucena::evaluation::load_json(&bytes).ok().and_then(|_| name.parse().ok())
}

/// Who answers the page.
struct Desk {
    shelf: Shelf,
    /// Where tables are kept, for jobs too.
    tables: Option<PathBuf>,
}

impl Site for Desk {
    fn answer(&self, path: &str, query: &str) -> Reply {
        match path {
            "/api/lesson.html" => self.lesson_file(query),
            "/api/openapi.json" => reply(&openapi()),
            "/api/experiments" => reply(&forms::forms()),
            "/api/command" => match serde_urlencoded::from_str::<BTreeMap<String, String>>(query) {
                Ok(mut fields) => reply(&{
                    let verb = fields.remove("verb").unwrap_or_default();
                    forms::command(&verb, &fields)
                }),
                Err(_) => reply(&CommandTold::nonsense()),
            },
            _ => {
                let reply = answer(&self.shelf, path, query);
                Reply { status: reply.status, media_type: reply.media_type, body: reply.body }
            }
        }
    }

    fn plan(
        &self,
        verb: &str,
        fields: &BTreeMap<String, String>,
        folder: &Path,
    ) -> Result<Plan, String> {
        if let Some(player) = fields.get("player").filter(|player| !player.trim().is_empty()) {
            self.shelf.check(player.trim()).map_err(|refusal| refusal.to_string())?;
        }
        forms::plan(verb, fields, folder, self.tables.as_deref())
    }

    fn offer(&self, player: &str) {
        let offered = player.parse().ok().map(|name: PlayerName| self.shelf.offer(&name));
        if let Some(Err(error)) = offered {
            note(&error.to_string());
        }
    }

    fn withdraw(&self, player: &str) {
        self.shelf.withdraw(player);
    }
}

impl Desk {
    /// A lesson as a file to give away.
    fn lesson_file(&self, query: &str) -> Reply {
        let parts = |name: &str| lucena_serve::part(name);
        let reply = lucena::page::answer_with_lesson_file(&self.shelf, query, &parts);
        Reply { status: reply.status, media_type: reply.media_type, body: reply.body }
    }
}

/// What can be asked, as an OpenAPI document.
fn openapi() -> Value {
    let mut generator = SchemaSettings::openapi3().for_serialize().into_generator();
    let mut paths = lucena::page::paths(&mut generator);
    paths.extend(forms::paths(&mut generator));
    paths.extend(lucena_serve::paths(&mut generator));
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "lucena",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "What lucena knows of small chess endgames.",
            "license": { "name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0" },
        },
        "paths": paths,
        "components": { "schemas": generator.take_definitions(true) },
    })
}

fn reply(data: &impl serde::Serialize) -> Reply {
    let body = serde_json::to_vec(data).expect("texts and numbers become JSON");
    Reply { status: 200, media_type: "application/json", body }
}
