//! Certificates: their content, that no change in them goes unnoticed, and that their lines are
//! replayed by the rules.

use lucena_base::progress::NoObserver;
use lucena_chess::symmetry::Group;
use lucena_chess::{Move, Position, Side};
use lucena_model::Measure;
use lucena_proof::certificate::{Certificate, Difference, ParseCertificateError};
use lucena_proof::measure::Score;
use lucena_proof::policy::{
    Decision, MeasurePolicy, PlayedModel, Policy, TablebasePlayer, TreePolicy,
};
use lucena_proof::{Proof, ProvedGame, Reason, Verdict, prove};
use lucena_test_support::cases::{cases, repository};
use lucena_test_support::proofs::generated_player;
use lucena_test_support::proofs::{FnPolicy, first_or_best};
use lucena_test_support::reference_rules;
use lucena_test_support::reference_rules::{ROOK, ROOK_SOLVED};
use lucena_test_support::tables::{KQVK, KRVK, material};
use lucena_test_support::trees::{EXACT, TREE};
use serde_json::{Value, json};
use std::sync::LazyLock;

/// Stalemates if it can, and otherwise plays the best move.
fn stalemating() -> FnPolicy<impl Fn(&Position) -> Option<Move> + Sync> {
    FnPolicy {
        material: material("KRvK"),
        symmetries: Group::Square,
        choose: |position: &Position| {
            first_or_best(position, |_, after| ROOK.end(after) == Some(false))
        },
    }
}

fn read(json: &str) -> Result<Certificate, ParseCertificateError> {
    Certificate::from_json(json.as_bytes())
}

fn value(certificate: &Certificate) -> Value {
    serde_json::from_str(&certificate.to_json()).expect("JSON")
}

fn said(differences: &[Difference]) -> Vec<String> {
    differences.iter().map(ToString::to_string).collect()
}

#[test]
fn a_certificate_says_what_was_proved() {
    let player = generated_player(&KRVK).unwrap();
    let certificate = value(&Certificate::new(&player, &prove(&player, &KRVK).unwrap()));
    let mut expected = json!({
        "format": 2,
        "material": "KRvK",
        "player": "exact",
        "tree_sha256": EXACT.sha256(),
        "leaves": EXACT.leaves(),
        "positions": 175_168,
        "winnable": 175_168,
        "won": 175_168,
        "drawable": 0,
        "held": 0,
        "optimal": 175_168,
        "longest_moves": 16,
        "mean_excess_moves": 0.0,
        "optimal_share": 1.0,
        "fifty_move_safe": true,
        "excess": { "0": 175_168 },
        "refutation": null,
    });
    expected["longest_line"] = certificate["longest_line"].clone();
    assert_eq!(certificate, expected);
    let line = &certificate["longest_line"];
    let lengths = ["line", "san"].map(|name| line[name].as_array().map(Vec::len));
    assert_eq!(lengths, [Some(2 * 16 - 1); 2]);

    // The tree read from its file is the same tree; a tablebase player has none.
    let tree = TreePolicy::new(EXACT.clone(), &KRVK).unwrap();
    let of_tree = value(&Certificate::new(&tree, &prove(&tree, &KRVK).unwrap()));
    expected["player"] = format!("tree {}", &EXACT.sha256()[..12]).into();
    assert_eq!(of_tree, expected);
    let table = TablebasePlayer(&KQVK);
    let of_table = Certificate::new(&table, &prove(&table, &KQVK).unwrap());
    assert_eq!((of_table.tree_sha256, of_table.leaves), (None, None));
    assert_eq!((of_table.material.as_str(), of_table.won), ("KQvK", 144_508));
}

/// A proof of each kind, with its player.
fn proved() -> Vec<(Box<dyn Policy>, Proof)> {
    let players: [Box<dyn Policy>; 2] =
        [Box::new(generated_player(&KRVK).unwrap()), Box::new(stalemating())];
    let prove = |player: Box<dyn Policy>| {
        let proof = prove(&*player, &KRVK).unwrap();
        (player, proof)
    };
    players.into_iter().map(prove).collect()
}

#[test]
fn the_same_player_has_the_same_certificate() {
    for ((player, proof), (again, other)) in proved().into_iter().zip(proved()) {
        let certificate = Certificate::new(&*player, &proof);
        let json = certificate.to_json();
        assert_eq!(json, Certificate::new(&*again, &other).to_json());
        assert!(json.ends_with("}\n"));
        let read = read(&json).unwrap();
        assert_eq!(read.to_json(), json);
        assert_eq!(said(&read.check(&*player, &proof)), [""; 0]);
    }
}

/// The path of every part of a value, as a JSON pointer.
fn places(value: &Value, at: &str) -> Vec<String> {
    let inside: Vec<(String, &Value)> = match value {
        Value::Object(fields) => fields.iter().map(|(name, it)| (name.clone(), it)).collect(),
        Value::Array(list) => {
            list.iter().enumerate().map(|(number, it)| (number.to_string(), it)).collect()
        }
        _ => Vec::new(),
    };
    let mut all = vec![at.to_owned()];
    for (name, inside) in inside {
        all.extend(places(inside, &format!("{at}/{name}")));
    }
    all
}

/// Other values for the same field.
fn forgeries(value: &Value) -> Vec<Value> {
    match value {
        Value::Null => vec![json!(1), json!("x"), json!(0.5)],
        Value::Bool(value) => vec![json!(!value)],
        Value::Number(number) => {
            let mut forgeries = vec![json!(0.123), Value::Null];
            forgeries.extend(number.as_u64().map(|number| json!(number + 1)));
            forgeries
        }
        Value::String(text) => vec![json!(format!("{text} ")), json!(""), json!("a1a2")],
        Value::Array(list) => {
            let mut forgeries = vec![json!([])];
            if list.len() > 1 {
                forgeries.push(list[1..].into());
                forgeries.push(list[..list.len() - 1].into());
            }
            forgeries.push([&list[..], &[json!("a1a2")]].concat().into());
            forgeries
        }
        Value::Object(_) => vec![Value::Null, json!({})],
    }
}

#[test]
fn nothing_can_be_changed_unseen() {
    let by_measure: Box<dyn Policy> = Box::new(by_measure(&ROOM));
    let proof = prove(&*by_measure, &KRVK).unwrap();
    for (player, proof) in proved().into_iter().chain([(by_measure, proof)]) {
        let good = value(&Certificate::new(&*player, &proof));
        let mut refused = 0;
        let mut differing = 0;
        for place in places(&good, "") {
            let here = good.pointer(&place).expect("a place in it");
            for forgery in forgeries(here).into_iter().filter(|forgery| forgery != here) {
                let mut forged = good.clone();
                *forged.pointer_mut(&place).expect("a place in it") = forgery.clone();
                let Ok(forged) = read(&forged.to_string()) else {
                    refused += 1;
                    continue;
                };
                differing += 1;
                let differences = forged.check(&*player, &proof);
                // Objects are compared name by name, lists as a whole.
                let field = place[1..].replace('/', ".");
                let named = |one: &Difference| {
                    field.starts_with(&one.field) || one.field.starts_with(&field)
                };
                assert!(differences.iter().any(named), "{place} {forgery}: {differences:?}");
            }
        }
        assert!(refused > 20 && differing > 100, "{refused} refused, {differing} differing");
    }
}

#[test]
fn another_player_has_another_certificate() {
    let [(exact, perfect), (bad, proof)] = <[_; 2]>::try_from(proved()).ok().expect("two");
    let certificate = Certificate::new(&*bad, &proof);
    let differences = certificate.check(&*exact, &perfect);
    let fields: Vec<&str> = differences.iter().map(|one| one.field.as_str()).collect();
    for field in ["player", "tree_sha256", "leaves", "won", "excess.0", "refutation"] {
        assert!(fields.contains(&field), "{field} is not in {fields:?}");
    }
    // The exact player does not move into the stalemate.
    let replayed = differences.iter().find(|one| one.field.starts_with("refutation.line["));
    let so = replayed.expect("the line does not replay").proved.as_str().expect("words");
    assert!(so.starts_with("the player moves "), "{so}");

    let queen = TablebasePlayer(&KQVK);
    let differences = certificate.check(&queen, &prove(&queen, &KQVK).unwrap());
    assert!(said(&differences).contains(&"material: KRvK in the certificate; proved: KQvK".into()));
}

/// Another tree with the same results is another tree.
#[test]
fn a_tree_is_known_by_its_sum() {
    let mut head = TREE.head().clone();
    head.origin.maker = "another".into();
    let other = lucena_model::DecisionTree::new(head, TREE.nodes().to_vec()).unwrap();
    let [one, other] = [TREE.clone(), other].map(|tree| TreePolicy::new(tree, &KRVK).unwrap());
    let certificate = Certificate::new(&one, &prove(&one, &KRVK).unwrap());
    let differences = certificate.check(&other, &prove(&other, &KRVK).unwrap());
    let fields: Vec<&str> = differences.iter().map(|one| one.field.as_str()).collect();
    assert_eq!(fields, ["player", "tree_sha256"]);
}

#[test]
fn damaged_certificates_are_refused() {
    let player = stalemating();
    let good = Certificate::new(&player, &prove(&player, &KRVK).unwrap()).to_json();
    for [there, instead, kind, words] in cases("damaged_certificates.csv") {
        assert!(good.contains(&there), "no {there} in {good}");
        let error = read(&good.replacen(&there, &instead, 1)).expect_err(&instead);
        let found = match error {
            ParseCertificateError::Json { .. } => "damaged",
            ParseCertificateError::Format { .. } => "format",
            _ => "unreadable",
        };
        assert_eq!(found, kind, "{instead}: {error}");
        let said = error.to_string();
        assert!(said.contains(&words), "{instead}: {said}");
        assert!(said.contains("prove the player again"), "{said}");
    }
    for cut in (0..good.len() - 2).step_by(29).filter(|&cut| good.is_char_boundary(cut)) {
        assert!(matches!(read(&good[..cut]), Err(ParseCertificateError::Json { .. })), "{cut}");
    }
    for text in ["", "null", "[]", "{}", "banana", &"[".repeat(100_000), &(good.clone() + "{}")] {
        let start: String = text.chars().take(20).collect();
        assert!(matches!(read(text), Err(ParseCertificateError::Json { .. })), "{start}");
    }
}

/// Forged lines of every kind are found by the rules and the player alone.
#[test]
fn lines_are_replayed_without_a_proof() {
    let player = stalemating();
    let proof = prove(&player, &KRVK).unwrap();
    let good = value(&Certificate::new(&player, &proof));
    assert_eq!(read(&good.to_string()).unwrap().replay(&player), []);
    let forge = |place: &str, forgery: Value| {
        let mut forged = good.clone();
        *forged.pointer_mut(place).expect("a place in it") = forgery;
        let found = read(&forged.to_string()).expect("a certificate").replay(&player);
        said(&found).join("\n")
    };
    for (place, forgery, words) in [
        ("/longest_line/fen", "banana", "is not a FEN"),
        ("/longest_line/fen", "8/8/8/8/8/2k5/8/K1Q5 b - - 0 1", "the player plays KRvK"),
        ("/longest_line/fen", "4k3/8/8/8/8/8/P7/4K3 w - - 0 1", "the player plays KRvK"),
        ("/longest_line/fen", "8/8/8/8/8/2k5/8/K1R5 b - - 0 1", "the player has to be to move"),
        ("/longest_line/fen", "8/8/8/8/8/1k6/8/K1R5 w - - 0 1", "longest_line.line[0]: "),
        ("/longest_line/line/0", "a1a8", "longest_line.line[0]: a1a8"),
        ("/longest_line/line/0", "Kb1", "not a legal move in"),
        ("/longest_line/line/1", "e2e4", "longest_line.line[1]: e2e4"),
        ("/longest_line/san/12", "Kb9", "longest_line.san[12]: Kb9 in the certificate; proved: R"),
        ("/refutation/reason", "cycle", "refutation.reason: cycle in the certificate"),
        ("/refutation/reason", "lost piece", "refutation.reason: lost piece in the certificate"),
        ("/refutation/reason", "no move", "refutation.reason: no move in the certificate"),
    ] {
        let found = forge(place, forgery.into());
        assert!(found.contains(words), "{place} {forgery}: {found}");
    }
    // Cut short, with and without the fields that depend on it.
    let line = good["longest_line"]["line"].as_array().expect("moves");
    let san = good["longest_line"]["san"].as_array().expect("moves");
    assert!(forge("/longest_line/line", line[..11].into()).contains("no such move"));
    assert!(forge("/longest_line/san", san[..11].into()).contains("longest_line.san[11]: "));
    let mut short = good["longest_line"].clone();
    (short["line"], short["san"]) = (line[..11].into(), san[..11].into());
    assert!(forge("/longest_line", short.clone()).contains("no mate at the end"));
    short["reason"] = "stalemate".into();
    assert!(forge("/refutation", short).contains("no stalemate at the end"));
    // A mate is not a stalemate.
    let mut mate = good["longest_line"].clone();
    mate["reason"] = "stalemate".into();
    assert!(forge("/refutation", mate).contains("no stalemate at the end"));
}

/// Refutations of all kinds can be replayed, and none as another kind.
#[test]
fn refutations_of_all_kinds_replay() {
    let odd = |position: &Position| {
        // Each part of the board has its own fault.
        match position.king(Side::Weak).file() as u8 {
            0 | 1 => first_or_best(position, |_, after| ROOK.end(after) == Some(false)),
            2 | 3 => first_or_best(position, |_, after| ROOK.can_capture(after)),
            4 | 5 => None,
            _ => position.moves().first().copied(),
        }
    };
    let player = FnPolicy { material: material("KRvK"), symmetries: Group::Identity, choose: odd };
    let game = ProvedGame::new(&player, &KRVK).unwrap();
    let good = Certificate::new(&player, &game.proof(&NoObserver).unwrap());
    let reasons = [Reason::Cycle, Reason::Stalemate, Reason::LostPiece, Reason::NoMove];
    let mut seen = [0; 4];
    for at in ROOK.legal(Side::Strong).step_by(211) {
        let position = reference_rules::position(player.material, Side::Strong, at).unwrap();
        // Black plays the same as White.
        for position in [position, position.with_colors_exchanged()] {
            let Verdict::NotWon(refutation) = game.verdict(&position, &NoObserver).unwrap() else {
                continue;
            };
            for (number, &reason) in reasons.iter().enumerate() {
                let mut certificate = good.clone();
                let mut written =
                    lucena_proof::certificate::CertificateRefutation::from(&refutation);
                written.reason = reason;
                certificate.refutation = Some(written);
                let found = certificate.replay(&player);
                assert_eq!(found.is_empty(), reason == refutation.reason, "{refutation:?}");
                seen[number] += u32::from(found.is_empty());
            }
        }
    }
    assert!(seen.iter().all(|&count| count > 0), "{seen:?}");
    for reason in reasons {
        assert_eq!(serde_json::to_value(reason).unwrap(), reason.to_string());
    }
}

/// The JSON of the measure of KRvK that is checked in.
static ROOM: LazyLock<String> = LazyLock::new(|| {
    std::fs::read_to_string(repository("data/measures/KRvK.smallest.json")).expect("it is there")
});

fn by_measure(json: &str) -> MeasurePolicy {
    MeasurePolicy::new(Measure::from_json(json.as_bytes()).unwrap()).unwrap()
}

/// A measure with its proof.
static BY_ROOM: LazyLock<(MeasurePolicy, Proof)> = LazyLock::new(|| {
    let player = by_measure(&ROOM);
    let proof = prove(&player, &KRVK).unwrap();
    (player, proof)
});

#[test]
fn a_certificate_of_a_measure_names_it() {
    let (player, proof) = &*BY_ROOM;
    let certificate = value(&Certificate::new(player, proof));
    // By `sha256sum data/measures/KRvK.smallest.json`.
    let sum = "e2f76d64095951b1b81a436f38db36702fbec49cf0cbe924978c5c22d9ef9da1";
    assert_eq!(certificate["measure_sha256"], sum);
    assert_eq!((&certificate["terms"], &certificate["look"]), (&json!(1), &json!(3)));
    assert_eq!(certificate["ranking"], json!(proof.ranking.expect("it was proved everywhere")));
    assert_eq!(
        (&certificate["tree_sha256"], &certificate["strategy_sha256"]),
        (&Value::Null, &Value::Null)
    );
    let json = certificate.to_string();
    assert_eq!(said(&read(&json).unwrap().check(player, proof)), [""; 0]);
}

/// What a measure forces in a position with the strong side to move.
fn forced(player: &MeasurePolicy, position: &Position) -> Score {
    match player.decide(position) {
        Decision::AtOnce(_) => Score::MATE,
        Decision::Holding(_) => Score::HELD,
        Decision::Unsafe(_) => Score::UNSAFE,
        Decision::Compared(looked) => looked.best,
    }
}

/// Whether the score falls is found out position by position, by searches without the graph.
#[test]
fn a_measure_is_a_ranking_if_its_score_falls_everywhere() {
    for [weight, look] in [["1", "3"], ["-1", "1"]] {
        let json = ROOM.replace("\"weight\": 1", &format!("\"weight\": {weight}"));
        let json = json.replace("\"look\": 3", &format!("\"look\": {look}"));
        let [proved, searching] = [&json; 2].map(|json| by_measure(json));
        let found = prove(&proved, &KRVK).unwrap().ranking;
        let falls = |(position, _): (Position, _)| {
            let best = forced(&searching, &position);
            let after = searching.plays(&position).expect("legal moves");
            after.iter().all(|(_, after)| {
                let replies = after.moves().into_iter().map(|mv| after.play(mv).expect("legal"));
                replies.into_iter().all(|reply| forced(&searching, &reply) < best)
            })
        };
        // KRvK is won with the strong side to move, wherever it is.
        let plainly = KRVK.canonical_positions(Side::Strong).all(falls);
        assert_eq!(found, Some(plainly), "weight {weight}, look {look}");
    }
}

/// A measure whose weight was changed has the same play here, and is yet another measure.
#[test]
fn a_measure_is_known_by_its_sum() {
    let (player, proof) = &*BY_ROOM;
    let changed = by_measure(&ROOM.replace("\"weight\": 1", "\"weight\": 2"));
    let certificate = Certificate::new(player, proof);
    let differences = certificate.check(&changed, &prove(&changed, &KRVK).unwrap());
    let fields: Vec<&str> = differences.iter().map(|one| one.field.as_str()).collect();
    assert_eq!(fields, ["measure_sha256"]);
}

/// Plays the move that mates soonest of those that a measure leaves tied, and hides the others.
struct HidesTies<'a>(&'a MeasurePolicy);

impl Policy for HidesTies<'_> {
    fn name(&self) -> String {
        Policy::name(self.0)
    }

    fn material(&self) -> lucena_chess::Material {
        Policy::material(self.0)
    }

    fn symmetries(&self) -> Group {
        Group::Identity
    }

    fn choose(&self, position: &Position) -> Option<Move> {
        let plies = |&mv: &Move| {
            let after = position.play(mv).expect("a legal move");
            ROOK_SOLVED.weak[reference_rules::number_of(&after) as usize].unwrap_or(u16::MAX)
        };
        self.0.choices(position).into_iter().min_by_key(plies)
    }

    fn model(&self) -> Option<PlayedModel<'_>> {
        self.0.model()
    }
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn a_certificate_that_hides_ties_is_refuted() {
    let two_ahead = by_measure(&ROOM.replace("\"look\": 3", "\"look\": 2"));
    let of_two_ahead = prove(&two_ahead, &KRVK).unwrap();
    let (player, proof) = &*BY_ROOM;
    // One wins with the hidden ties too, the other does not.
    for (player, proof, wins) in [(player, proof, true), (&two_ahead, &of_two_ahead, false)] {
        let hides = HidesTies(player);
        let forged = Certificate::new(&hides, &prove(&hides, &KRVK).unwrap());
        assert_eq!((forged.won == proof.won, forged.measure_sha256.is_some()), (wins, true));
        let differences = forged.check(player, proof);
        let fields: Vec<&str> = differences.iter().map(|one| one.field.as_str()).collect();
        for field in ["mean_excess_moves", "optimal"] {
            assert!(fields.contains(&field), "{fields:?}");
        }
        assert_eq!(fields.contains(&"won"), !wins, "{fields:?}");
        assert!(fields.iter().any(|field| field.starts_with("excess.")), "{fields:?}");
    }
}

#[test]
fn forged_certificates_of_a_measure_are_refuted() {
    let (player, proof) = &*BY_ROOM;
    let good = value(&Certificate::new(player, proof));
    for [at, forgery, field] in cases("forged_measure_certificates.csv") {
        let mut forged = good.clone();
        let forgery: Value = serde_json::from_str(&forgery).expect("JSON");
        assert_ne!(forged.pointer(&at), Some(&forgery), "{at} is no forgery");
        *forged.pointer_mut(&at).expect(&at) = forgery;
        let differences = read(&forged.to_string()).expect("a certificate").check(player, proof);
        let fields: Vec<&str> = differences.iter().map(|one| one.field.as_str()).collect();
        assert!(fields.contains(&field.as_str()), "{at}: {fields:?}");
    }
    // No field of a measure can be left out.
    for name in ["measure_sha256", "terms", "look", "ranking"] {
        let mut without = good.clone();
        without.as_object_mut().expect("an object").remove(name).expect(name);
        let differences = read(&without.to_string()).expect("a certificate").check(player, proof);
        assert_eq!(said(&differences).len(), 1);
        assert_eq!(
            (differences[0].field.as_str(), &differences[0].certificate),
            (name, &Value::Null)
        );
    }
}
