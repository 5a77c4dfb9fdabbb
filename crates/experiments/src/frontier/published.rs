use lucena_chess::Material;

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
    pub const ALL: [Self; 6] = [
        Self {
            mean_excess_moves: Some(8.26),
            optimal_share: Some(0.374),
            ..Self::complete(
                "KRvK",
                "nine rules",
                "published nine rules, about 25 conditions, machine-verified",
                9,
                33,
            )
        },
        Self::complete("KRvK", "four rules", "published four rules, complete", 4, 33),
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
        Self::complete("KQvK", "three headings", "published three headings, complete", 3, 19),
        Self::complete("KBBvK", "17 rules", "published rules, about 17, complete", 17, 48),
        Self::complete(
            "KBNvK",
            "ten rules and a table",
            "published rules, about ten, and a table of 83 kB, complete",
            10,
            87,
        ),
    ];

    /// Rules that win everything, of which no more is known than how many there are and how long the
    /// longest game is.
    const fn complete(
        material: &'static str,
        name: &'static str,
        source: &'static str,
        rules: u32,
        longest_moves: u16,
    ) -> Self {
        Self {
            material,
            name,
            source,
            size: Size::Rules(rules),
            won_share: Some(1.0),
            win_rate: None,
            longest_moves: Some(longest_moves),
            mean_excess_moves: None,
            optimal_share: None,
        }
    }

    /// What is known of an endgame.
    pub fn of(material: Material) -> Vec<Self> {
        let name = material.to_string();
        Self::ALL.into_iter().filter(|published| published.material == name).collect()
    }
}
