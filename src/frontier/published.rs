use crate::chess::Material;

/// How large a player is that has no tree of ours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Size {
    /// Nodes of a tree.
    Nodes(u32),
    /// Rules that are tried in turn.
    Rules(u32),
}

/// What has been published about a player for an endgame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Published {
    /// The endgame.
    pub material: &'static str,
    /// A short name.
    pub name: &'static str,
    /// Where its figures are from.
    pub source: &'static str,
    /// As published.
    pub size: Size,
    /// The share of positions that it was proved to win.
    pub won_share: Option<f64>,
    /// The share of games that it won, where nothing was proved.
    pub win_rate: Option<f64>,
    /// Its longest game.
    pub longest_moves: Option<u16>,
    /// Moves over the optimum, on average over all positions.
    pub mean_excess_moves: Option<f64>,
    /// The share of positions in which its move is an optimal one.
    pub optimal_share: Option<f64>,
}

impl Published {
    /// All that is known here.
    pub const ALL: [Self; 2] = [
        Self {
            material: "KRvK",
            name: "nine rules",
            source: "published nine rules, machine-verified",
            size: Size::Rules(9),
            won_share: Some(1.0),
            win_rate: None,
            longest_moves: Some(33),
            mean_excess_moves: Some(8.26),
            optimal_share: Some(0.374),
        },
        Self {
            material: "KRvK",
            name: "published tree",
            source: "published decision tree, about 25,000 nodes: 72 of 100 games, not proved",
            size: Size::Nodes(25_000),
            won_share: None,
            win_rate: Some(0.72),
            longest_moves: None,
            mean_excess_moves: None,
            optimal_share: None,
        },
    ];

    /// What is known of an endgame.
    pub fn of(material: Material) -> Vec<Self> {
        let name = material.to_string();
        Self::ALL.into_iter().filter(|published| published.material == name).collect()
    }
}
