use super::Color;

/// The name of a colour in small letters: "white" or "black".
pub fn color_name(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}
