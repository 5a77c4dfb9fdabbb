//! A lesson as one HTML file, with boards to play on and without a server.
//!
//! The file contains the lesson, the tables of the endgame and of all endgames it leads to, the strategy as
//! JavaScript, and the modules that draw boards and play. The modules are `data:` URLs in an import map,
//! because a page opened from a disk may not load other files.

use super::about::teacher;
use super::knowledge::PlayerInEndgame;
use super::lesson::{self, LessonResponse};
use super::practice_position::PracticePosition;
use super::random::positions;
use super::{ApiError, PageState, Result};
use base64::prelude::{BASE64_STANDARD, Engine};
use flate2::Compression;
use flate2::write::DeflateEncoder;
use lucena_base::svg::escape;
use lucena_chess::{Material, Position, Side, Square};
use lucena_codegen::{Language, emit};
use lucena_explain::lesson::LessonPage;
use lucena_proof::policy::{EndgameModel, Policy};
use lucena_tablebase::{Outcome, Tablebase};
use rayon::prelude::*;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::Write;

/// Looks up the files that all lessons share, by name: the code and styles of the boards.
pub type PartLookup<'p> = &'p dyn Fn(&str) -> Option<&'static str>;

/// The modules of the file, each with its name among the parts.
const MODULES: [(&str, &str); 9] = [
    ("board.js", "page/board.js"),
    ("aims.js", "page/aims.js"),
    ("drawing.js", "page/drawing.js"),
    ("fen.js", "page/fen.js"),
    ("pieces.js", "page/pieces.js"),
    ("sketch.js", "page/sketch.js"),
    ("rules.js", "lesson/rules.js"),
    ("table.js", "lesson/table.js"),
    ("lesson.js", "lesson/lesson.js"),
];

/// The styles of the file.
const STYLES: [&str; 3] = ["page/palette.css", "page/board.css", "lesson/lesson.css"];

/// The data for the modules.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Data {
    title: String,
    player: String,
    material: String,
    lesson: LessonResponse,
    practice: Vec<PracticePosition>,
    has_strategy: bool,
    /// The men in the order in which the strategy's code takes their squares, as letters of a FEN.
    strategy_men: Vec<char>,
    tables: BTreeMap<String, TableData>,
}

/// The table of an endgame: a byte for each placement.
#[derive(Serialize)]
struct TableData {
    /// The men in the order of the index, as letters of a FEN; the strong side is White.
    men: Vec<char>,
    pawns: bool,
    /// With the strong side to move: deflated, in Base64.
    strong: String,
    /// With the weak side to move.
    weak: String,
}

/// The byte of a draw; others are plies to mate.
const DRAW: u8 = 254;
/// The byte of a placement that is illegal or that the strong side loses.
const NONE: u8 = 255;

/// A lesson as one HTML file: that of a player, or, if none is named, the endgame's stages and its lesson made from rules, if
/// it has any, and below them the lesson of the player that usually teaches it, if there is one. A lesson made from rules
/// alone has no practice.
///
/// # Errors
/// If the player has no lesson, the endgame's mates are too long for a file, or a table must be solved first.
///
/// # Panics
/// If a part is missing.
pub fn lesson_file(
    state: &PageState,
    player: Option<&str>,
    material: Option<Material>,
    parts: PartLookup<'_>,
) -> Result<String, ApiError> {
    if let Some(rules) = lesson::made_from_rules(player, material) {
        let page = rules.page(lesson::table_for(state, rules)?.as_ref());
        return Ok(page_file(&page, rules.material, parts));
    }
    let known = PlayerInEndgame::new(state, player.unwrap_or(teacher(material)), material)?;
    let material = known.material;
    let tablebase = state.tablebase(material)?;
    if tablebase.longest().is_some_and(|longest| longest >= DRAW.into()) {
        return Err(ApiError::BadRequest(format!(
            "{material} has mates too long for a lesson's file: look at it by \"lucena serve\""
        )));
    }
    // The path of the player's file is private.
    let title = super::player_title::title(known.player.name());
    let lesson = lesson::told(state, &known, player, title.clone())?;
    let (strategy, strategy_men) = match &known.model {
        EndgameModel::Strategy(policy) => {
            let code = emit(policy.strategy(), Language::JavaScript);
            let men = policy.material().slots().map(|slot| letter(material, slot));
            (Some(code.map_err(ApiError::bad_request)?), men.collect())
        }
        EndgameModel::Tree(_) | EndgameModel::Measure(_) => (None, Vec::new()),
    };
    let data = Data {
        title: lesson.title.clone(),
        player: title,
        material: material.to_string(),
        practice: positions(&tablebase),
        lesson,
        has_strategy: strategy.is_some(),
        strategy_men,
        tables: tables(state, material)?,
    };
    Ok(page(&data, strategy.as_deref(), parts))
}

/// A lesson without practice as one HTML file, such as one on a tree of outcomes.
///
/// # Panics
/// If a part is missing.
pub fn page_file(lesson: &LessonPage, material: Material, parts: PartLookup<'_>) -> String {
    let title = lesson.title.plain();
    let data = Data {
        title: title.clone(),
        player: title.clone(),
        material: material.to_string(),
        practice: Vec::new(),
        lesson: LessonResponse::new(lesson, None, material),
        has_strategy: false,
        strategy_men: Vec::new(),
        tables: BTreeMap::new(),
    };
    page(&data, None, parts)
}

/// The letter of a man in a FEN, with the strong side as White.
fn letter(material: Material, slot: lucena_chess::Slot) -> char {
    let letter = char::from(material.role(slot));
    if material.side(slot) == Side::Strong {
        letter.to_ascii_uppercase()
    } else {
        letter.to_ascii_lowercase()
    }
}

/// The tables of an endgame and of all endgames it leads to in which a mate is possible.
fn tables(state: &PageState, material: Material) -> Result<BTreeMap<String, TableData>> {
    let mut tables = BTreeMap::new();
    for material in material.with_successors() {
        let tablebase = state.tablebase(material)?;
        if material.men() > 2 && tablebase.longest().is_some() {
            tables.insert(material.to_string(), TableData::new(&tablebase));
        }
    }
    Ok(tables)
}

impl TableData {
    fn new(tablebase: &Tablebase) -> Self {
        let material = tablebase.material();
        let slots = Position::written_slots(material);
        Self {
            men: slots.map(|slot| letter(material, slot)).collect(),
            pawns: material.has_pawns(),
            strong: packed(&bytes(tablebase, Side::Strong)),
            weak: packed(&bytes(tablebase, Side::Weak)),
        }
    }
}

/// The strong king's squares in the order of the index: every board can be turned to have it on one.
fn kings(material: Material) -> Vec<Square> {
    let is_one = |square: &Square| {
        let (file, rank) = (square.file() as usize, square.rank() as usize);
        // Without pawns those below the diagonal are enough.
        file < 4 && (material.has_pawns() || rank <= file)
    };
    Square::ALL.into_iter().filter(is_one).collect()
}

/// The byte of each placement: plies to mate, [`DRAW`] or [`NONE`].
fn bytes(tablebase: &Tablebase, turn: Side) -> Vec<u8> {
    let material = tablebase.material();
    let others = 64_usize.pow(material.men() as u32 - 1);
    let byte = |(king, number): (Square, usize)| {
        let mut squares = vec![king];
        let places = (0..material.men() as u32 - 1).rev();
        squares.extend(places.map(|place| Square::index(number / 64_usize.pow(place) % 64)));
        let position = Position::new(material, turn, &squares).ok();
        match (position.and_then(|position| tablebase.probe(&position).ok()), turn) {
            (Some(Outcome::Draw), _) => DRAW,
            (Some(Outcome::Win(plies)), Side::Strong)
            | (Some(Outcome::Loss(plies)), Side::Weak) => {
                u8::try_from(plies).ok().filter(|&plies| plies < DRAW).unwrap_or(NONE)
            }
            _ => NONE,
        }
    };
    let kings = kings(material);
    let all = (0..kings.len() * others).into_par_iter();
    all.map(|at| byte((kings[at / others], at % others))).collect()
}

fn packed(bytes: &[u8]) -> String {
    let in_memory = "writing to memory does not fail";
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).expect(in_memory);
    BASE64_STANDARD.encode(encoder.finish().expect(in_memory))
}

/// The file.
fn page(data: &Data, strategy: Option<&str>, parts: PartLookup<'_>) -> String {
    let part = |name: &str| parts(name).expect("a lesson's file has all its parts");
    let modules = MODULES.iter().map(|&(name, place)| (name, part(place)));
    let modules = modules.chain(strategy.map(|code| ("strategy.js", code)));
    let imports: BTreeMap<String, String> = modules
        .map(|(name, code)| {
            // A module in a data: URL has no base for relative imports.
            let code = code.replace("\"/page/", "\"lucena/").replace("\"./", "\"lucena/");
            let address = format!("data:text/javascript;base64,{}", BASE64_STANDARD.encode(code));
            (format!("lucena/{name}"), address)
        })
        .collect();
    let styles: Vec<&str> = STYLES.iter().map(|name| part(name)).collect();
    let json = serde_json::to_string(data).expect("texts and numbers become JSON");
    let imports = serde_json::to_string(&BTreeMap::from([("imports", imports)]));
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"generator\" content=\"lucena {version}\">\n\
         <title>{title}</title>\n<style>\n{styles}</style>\n\
         <script type=\"importmap\">{imports}</script>\n</head>\n<body>\n\
         <main id=\"lesson\"><noscript>This lesson needs JavaScript to draw its boards.</noscript></main>\n\
         <script type=\"application/json\" id=\"data\">{json}</script>\n\
         <script type=\"module\">import \"lucena/lesson.js\";</script>\n</body>\n</html>\n",
        version = env!("CARGO_PKG_VERSION"),
        title = escape(&data.title),
        styles = styles.concat(),
        imports = imports.expect("texts become JSON"),
        // With `<` escaped, the text cannot end its script element.
        json = json.replace('<', "\\u003c"),
    )
}
