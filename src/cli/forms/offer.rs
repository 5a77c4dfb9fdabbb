/// The players and programs that the page offers.
pub(in super::super) trait Offer {
    /// Checks a player by its name.
    fn check_player(&self, player: &str) -> Result<(), String>;

    /// The programs that speak UCI. A form runs no others.
    fn engines(&self) -> &[String];
}
