use super::file_kind::load_book;
use super::forms::{self, Offer};
use super::number::number;
use super::output::ProgressDisplay;
use super::syzygy::SyzygyArgs;
use super::tables::TableArgs;
use super::terminal::{note, say};
use super::{Failure, Result, interrupt};
use etcetera::BaseStrategy;
use lucena::engine::{Engine, EngineError, EngineSpec, ParseEngineError};
use lucena::model::ModelKind;
use lucena::page::{PageState, answer, answer_with_lesson_file};
use lucena::roster::{EvaluationName, PlayerName, SearchName};
use lucena::search::{Limit, SearchParams};
use lucena_files::ReadError;
use lucena_serve::{BoundServer, JobPlan, Reply, ResultsFolder, Site};
use schemars::generate::SchemaSettings;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::Write;
use std::net::{IpAddr, Ipv4Addr};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::UNIX_EPOCH;

/// Serve a web page for looking at positions, explaining moves, playing and experiments
///
/// Open the printed address in a browser. The page needs no internet connection. The server answers
/// only this machine, unless --listen is given.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  lucena serve
  lucena serve --port 8080
  lucena serve --players data           trees, strategies and weights from files can be chosen too
  lucena serve --engine cmd=stockfish   learners can play against this program
  lucena serve --results results        experiments and their files are kept in this folder
  curl 'http://127.0.0.1:8080/standard?fen=8/8/8/8/8/1k6/8/K1R5_w_-_-_0_1'")]
pub(super) struct Serve {
    /// The port; 0 for any that is free
    #[arg(long, value_name = "N", default_value_t = 7465, value_parser = number::<u16>(..))]
    port: u16,
    /// The address to listen on. With any other than 127.0.0.1 or ::1, everybody who can reach this machine
    /// can use the page, start work on it and delete its results
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST), value_parser = parse_address)]
    listen: IpAddr,
    /// Folders or files with trees, strategies and weights to choose from [default: data, if it exists]
    #[arg(long, value_name = "PATH")]
    players: Vec<PathBuf>,
    /// The folder in which experiments, their files and saved players are kept [default: the platform's folder for
    /// data]
    #[arg(long, value_name = "DIR")]
    results: Option<PathBuf>,
    /// A program that speaks UCI, such as cmd=stockfish, against which learners on the page may play; see
    /// "lucena help players"
    #[arg(long = "engine", value_name = "ENGINE", value_parser = checked_engine)]
    engines: Vec<String>,
    /// A Polyglot book from which players on the page play the opening
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,
    #[command(flatten)]
    syzygy: SyzygyArgs,
    #[command(flatten)]
    tables: TableArgs,
}

/// Parses an address to listen on.
fn parse_address(text: &str) -> Result<IpAddr, String> {
    text.parse().map_err(|_| "write an IP address, such as 127.0.0.1 or 0.0.0.0".into())
}

/// The text of an engine, if it is valid.
fn checked_engine(text: &str) -> Result<String, ParseEngineError> {
    text.parse::<EngineSpec>().map(|_| text.into())
}

/// A name for this build of the program: its version, with the size of its file and the time at which that was written.
fn build_name(program: &Path) -> String {
    let file = program.metadata().ok();
    let written = file.as_ref().and_then(|file| file.modified().ok());
    let written = written.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    let seconds = written.map_or(0, |time| time.as_secs());
    let bytes = file.map_or(0, |file| file.len());
    format!("{}-{bytes:x}-{seconds:x}", env!("CARGO_PKG_VERSION"))
}

impl Serve {
    pub(super) fn run(self) -> Result<()> {
        self.check_engines()?;
        let results = ResultsFolder::open(self.results()?)?;
        let bound = BoundServer::new((self.listen, self.port).into());
        let bound = bound.map_err(|error| Failure::InputOutput(error.into()))?;
        let book = self.book.as_deref().map(load_book).transpose()?;
        let program = std::env::current_exe()?;
        let state = PageState::new(self.tables.folder()).with_answer_folder(&build_name(&program));
        let state = state.with_syzygy(self.syzygy.open()?).with_book(book);
        self.offer_players(&state)?;
        let mut out = anstream::stdout();
        writeln!(out, "Open {} in a browser. Ctrl-C ends it.", bound.url())?;
        out.flush()?;
        if bound.is_open_to_others() {
            say(
                "Everybody who can reach this machine can use the page, start work on it and delete its results.",
            );
        }
        let site = PageSite { state, tables: self.tables.path(), engines: self.engines };
        say(&format!("Results are kept in {}.", results.path().display()));
        // Its jobs may take longer to stop than other work.
        interrupt::report_when_stopped();
        bound.serve(Arc::new(site), program, results, interrupt::is_requested)?;
        if interrupt::is_requested() { Err(Failure::Stopped) } else { Ok(()) }
    }

    /// Starts and ends each engine, so that a wrong one is refused now and not by the experiments that choose it.
    fn check_engines(&self) -> Result<()> {
        for text in &self.engines {
            let spec: EngineSpec = text
                .parse()
                .map_err(|error: ParseEngineError| Failure::usage(error.to_string()))?;
            match Engine::new(spec, Engine::PATIENCE, &ProgressDisplay::quiet()) {
                Ok(_) => {}
                Err(EngineError::Stopped(stopped)) => return Err(stopped.into()),
                Err(error) => return Err(Failure::usage(format!("--engine {text}: {error}"))),
            }
        }
        Ok(())
    }

    /// The folder of results.
    fn results(&self) -> Result<PathBuf> {
        let platforms =
            || Some(etcetera::choose_base_strategy().ok()?.data_dir().join("lucena/results"));
        let folder = self.results.clone().or_else(platforms);
        folder.ok_or_else(|| {
            Failure::usage(
                "there is no home directory to keep results in: name a folder by --results",
            )
        })
    }

    /// Offers the players that files hold. A file that is named must exist and hold a player; other files
    /// in folders are ignored.
    fn offer_players(&self, state: &PageState) -> Result<()> {
        let mut files = Vec::new();
        for path in &self.players {
            let about = std::fs::metadata(path)
                .map_err(|source| ReadError { path: path.clone(), source })?;
            if about.is_dir() {
                collect(path, &mut files);
            } else if !offer(state, path) {
                let none = "holds neither a tree, nor a strategy, nor a measure, nor weights: name another file";
                let none = format!("{} {none}", path.display());
                return Err(Failure::InputOutput(none.into()));
            }
        }
        if self.players.is_empty() {
            collect(Path::new("data"), &mut files);
        }
        for path in files {
            offer(state, &path);
        }
        Ok(())
    }
}

/// The longest file, in bytes, that is tried as a player.
const MAX_FILE: u64 = 64 << 20;

/// Collects the files in a folder and below it that may hold players.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        match entry.metadata() {
            Ok(about) if about.is_dir() => collect(&path, files),
            Ok(about) if about.is_file() && about.len() <= MAX_FILE => files.push(path),
            _ => {}
        }
    }
}

/// Offers the player in a file, of any kind; returns true if there is one.
fn offer(state: &PageState, path: &Path) -> bool {
    let params = SearchParams { limit: Limit::depth(2), ..SearchParams::default() };
    let evaluation = EvaluationName::File(path.into());
    let models = ModelKind::ALL.map(|kind| PlayerName::ModelFile(kind, path.into()));
    let others = [
        PlayerName::Trained { path: path.into(), plies: None },
        PlayerName::Search(SearchName { params, evaluation }),
    ];
    models.iter().chain(&others).any(|name| state.offer(name).is_ok())
}

/// Answers the page's requests.
struct PageSite {
    state: PageState,
    /// The folder of tables, for jobs too.
    tables: Option<PathBuf>,
    /// The programs against which learners may play.
    engines: Vec<String>,
}

impl Offer for PageSite {
    fn check_player(&self, player: &str) -> Result<(), String> {
        self.state.check(player).map_err(|refusal| refusal.to_string())
    }

    fn engines(&self) -> &[String] {
        &self.engines
    }
}

impl Site for PageSite {
    fn answer(&self, path: &str, query: &str) -> Reply {
        match path {
            "/api/lesson.html" => {
                // A lesson as a file to download.
                into_server_reply(answer_with_lesson_file(&self.state, query, &lucena_serve::part))
            }
            "/api/openapi.json" => reply(&openapi()),
            "/api/experiments" => reply(&forms::forms(self)),
            "/api/command" => reply(&forms::command(query, self)),
            _ => into_server_reply(answer(&self.state, path, query)),
        }
    }

    fn plan(
        &self,
        verb: &str,
        fields: &BTreeMap<String, String>,
        folder: &Path,
    ) -> Result<JobPlan, String> {
        forms::plan(verb, fields, self, folder, self.tables.as_deref())
    }

    fn offer(&self, player: &str, title: &str) {
        let offer = |name: PlayerName| self.state.offer_as(&name, title.into());
        if let Some(Err(error)) = player.parse().ok().map(offer) {
            note(&error.to_string());
        }
    }

    fn withdraw(&self, player: &str) {
        self.state.withdraw(player);
    }

    fn warn(&self, what: &str) {
        note(what);
    }
}

/// Describes the whole API as an OpenAPI document.
fn openapi() -> Value {
    // OpenAPI 3.1 takes JSON Schema as it is; the settings for OpenAPI 3.0 would mark null in a way of its own.
    let settings = SchemaSettings::draft2020_12().for_serialize();
    let settings =
        settings.with(|settings| settings.definitions_path = "/components/schemas".into());
    let mut generator = settings.into_generator();
    let mut paths = lucena::page::paths(&mut generator);
    paths.extend(forms::paths(&mut generator));
    // It takes the query of the lesson itself; without a player, the endgame's stages come first.
    let mut lesson = paths["/api/lesson"].clone();
    for parameter in lesson["get"]["parameters"].as_array_mut().into_iter().flatten() {
        parameter["required"] = false.into();
    }
    lesson["get"]["summary"] = "A lesson as one HTML file, with boards to play on.".into();
    lesson["get"]["responses"]["200"]["content"] =
        json!({ "text/html": { "schema": { "type": "string" } } });
    paths.insert("/api/lesson.html".into(), lesson);
    paths.extend(lucena_serve::paths(&mut generator));
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "lucena",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Small chess endgames, solved exactly and explained. A query below /api/ that is too long for an address is sent as a form with POST.",
            "license": { "name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0" },
        },
        "paths": paths,
        "components": { "schemas": generator.take_definitions(true) },
    })
}

/// Converts an answer to the server's type.
fn into_server_reply(reply: lucena::page::HttpReply) -> Reply {
    Reply { status: reply.status, media_type: reply.media_type, body: reply.body }
}

fn reply(data: &impl serde::Serialize) -> Reply {
    into_server_reply(lucena::page::HttpReply::json(200, data))
}
