//! The orders in which a table can list its men.

use crate::composition::{Composition, Man};
use crate::numbering::{Lead, Numbering, Order};

/// A list of men and the order of their digits.
#[derive(Debug, Clone)]
pub(crate) struct Arrangement {
    pub(crate) men: Vec<Man>,
    pub(crate) order: Order,
}

impl Arrangement {
    pub(crate) fn numbering(&self, file: Option<usize>) -> Numbering {
        Numbering::new(&self.men, self.order, file).expect("the men are in a right order")
    }
}

/// All arrangements of the men of an endgame.
pub(crate) fn arrangements(composition: Composition, lead: Lead) -> Vec<Arrangement> {
    let mut all = Vec::new();
    for (leading, rest) in leads(composition, lead) {
        let has_pawns_next = rest.first().is_some_and(|(man, _)| is_pawn(*man));
        let (pawns, others) = rest.split_at(usize::from(has_pawns_next));
        for others in permutations(others) {
            let groups = pawns.iter().copied().chain(others.iter().copied());
            let men: Vec<Man> = leading
                .iter()
                .copied()
                .chain(groups.flat_map(|(man, count)| std::iter::repeat_n(man, count)))
                .collect();
            let digits = (1 + rest.len()) as u8;
            for lead in 0..digits {
                if !has_pawns_next {
                    let order = Order { lead, pawns: None };
                    all.push(Arrangement { men: men.clone(), order });
                    continue;
                }
                for pawns in (0..digits).filter(|&pawns| pawns != lead) {
                    let order = Order { lead, pawns: Some(pawns) };
                    all.push(Arrangement { men: men.clone(), order });
                }
            }
        }
    }
    all
}

/// Men that are alike, and how many.
type TableKind = (Man, usize);

fn is_pawn(man: Man) -> bool {
    man.role == cozy_chess::Piece::Pawn
}

/// The lists of leading men, each with the other men; pawns are the first of these.
fn leads(composition: Composition, lead: Lead) -> Vec<(Vec<Man>, Vec<TableKind>)> {
    let kinds: Vec<TableKind> = composition.kinds().collect();
    let rest = |leading: &[Man]| {
        let mut rest: Vec<TableKind> =
            kinds.iter().copied().filter(|(man, _)| !leading.contains(man)).collect();
        rest.sort_by_key(|(man, _)| !is_pawn(*man));
        rest
    };
    let with_rest = |leading: Vec<Man>| {
        let rest = rest(&leading);
        (leading, rest)
    };
    match lead {
        Lead::Pawns { count, .. } => {
            let pawns = kinds.iter().find(|&&(man, men)| is_pawn(man) && men == count);
            let (pawn, _) = *pawns.expect("pawns lead");
            vec![with_rest(vec![pawn; count])]
        }
        Lead::Kings => {
            let kings: Vec<Man> = kinds
                .iter()
                .map(|(man, _)| *man)
                .filter(|man| man.role == cozy_chess::Piece::King)
                .collect();
            permutations(&kings).into_iter().map(with_rest).collect()
        }
        Lead::ThreeMen => {
            let single: Vec<Man> =
                kinds.iter().filter(|(_, count)| *count == 1).map(|(man, _)| *man).collect();
            let mut triples = Vec::new();
            for order in permutations(&single) {
                let triple = order[..3].to_vec();
                if !triples.contains(&triple) {
                    triples.push(triple);
                }
            }
            triples.into_iter().map(with_rest).collect()
        }
    }
}

fn permutations<T: Copy>(items: &[T]) -> Vec<Vec<T>> {
    if items.is_empty() {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for at in 0..items.len() {
        let mut rest = items.to_vec();
        let first = rest.remove(at);
        for mut tail in permutations(&rest) {
            tail.insert(0, first);
            all.push(tail);
        }
    }
    all
}
