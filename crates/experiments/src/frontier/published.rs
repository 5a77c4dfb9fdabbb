use lucena_chess::Material;

/// The size of a published player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PublishedSize {
    /// The number of nodes of a tree.
    Nodes(u32),
    /// The number of rules, tried in order.
    Rules(u32),
}

/// A published result for an endgame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PublishedResult {
    /// The endgame.
    pub material: &'static str,
    /// A short name.
    pub name: &'static str,
    /// The source of the figures.
    pub source: &'static str,
    /// The published size.
    pub size: PublishedSize,
    /// The share of positions that it was proved to win.
    pub won_share: Option<f64>,
    /// The share of games won, if nothing was proved.
    pub win_rate: Option<f64>,
    /// The length of its longest game, in moves.
    pub longest_moves: Option<u16>,
    /// The mean number of moves over the optimum, over all positions.
    pub mean_excess_moves: Option<f64>,
    /// The share of positions in which it plays an optimal move.
    pub optimal_share: Option<f64>,
}

impl PublishedResult {
    /// All known results.
    pub const ALL: [Self; 6] = [
        Self {
            name: "nine rules",
            source: "published nine rules, about 25 conditions, machine-verified",
            size: PublishedSize::Rules(9),
            longest_moves: Some(33),
            mean_excess_moves: Some(8.26),
            optimal_share: Some(0.374),
            ..Self::COMPLETE
        },
        Self {
            name: "four rules",
            source: "published four rules, complete",
            size: PublishedSize::Rules(4),
            longest_moves: Some(33),
            ..Self::COMPLETE
        },
        Self {
            name: "published tree",
            source: "published decision tree, about 25,000 nodes: 72 of 100 games, not proved",
            size: PublishedSize::Nodes(25_000),
            won_share: None,
            win_rate: Some(0.72),
            ..Self::COMPLETE
        },
        Self {
            material: "KQvK",
            name: "three headings",
            source: "published three headings, complete",
            size: PublishedSize::Rules(3),
            longest_moves: Some(19),
            ..Self::COMPLETE
        },
        Self {
            material: "KBBvK",
            name: "17 rules",
            source: "published rules, about 17, complete",
            size: PublishedSize::Rules(17),
            longest_moves: Some(48),
            ..Self::COMPLETE
        },
        Self {
            material: "KBNvK",
            name: "ten rules and a table",
            source: "published rules, about ten, and a table of 83 kB, complete",
            size: PublishedSize::Rules(10),
            longest_moves: Some(87),
            ..Self::COMPLETE
        },
    ];

    /// Rules that win KRvK from every position, of which nothing else is known.
    const COMPLETE: Self = Self {
        material: "KRvK",
        name: "",
        source: "",
        size: PublishedSize::Rules(0),
        won_share: Some(1.0),
        win_rate: None,
        longest_moves: None,
        mean_excess_moves: None,
        optimal_share: None,
    };

    /// The results for an endgame.
    pub fn for_material(material: Material) -> Vec<Self> {
        let name = material.to_string();
        Self::ALL.into_iter().filter(|published| published.material == name).collect()
    }
}
