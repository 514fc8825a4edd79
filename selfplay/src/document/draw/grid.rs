//! Heat maps: cells in rows and columns, coloured by their value.

use super::WIDTH;
use super::svg::{Hold, Svg, shorten};

/// A cell of a grid.
#[derive(Debug, Clone, Default)]
pub struct GridCell {
    /// The class of its colour: `d-4` to `d4` from orange over grey to blue, `s0` to `s8` from light to dark. A cell
    /// without one is not drawn.
    pub shade: String,
    /// The text of the cell.
    pub text: String,
    /// The small text below it; may be empty.
    pub below: String,
    /// The tooltip.
    pub tip: String,
}

/// Returns the shade of a share from 0 to 1, pale where it is one of few cases.
pub fn shade(share: f64, few: bool) -> String {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 8")]
    let step = (share * 9.0).floor().clamp(0.0, 8.0) as u8;
    format!("s{step}{}", if few { " few" } else { "" })
}

/// The most letters of a column's name.
const HEAD: usize = 9;

/// Draws a grid. The row heads are as wide as the longest name needs, up to a third; where many columns make the grid
/// wider than other pictures, the page scrolls it sideways.
pub fn grid(title: &str, columns: &[String], rows: &[(String, Vec<GridCell>)]) -> String {
    let longest = rows.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    let names = (8.4 * f64::from(u32::try_from(longest).unwrap_or(u32::MAX)) + 12.0).clamp(30.0, 150.0);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 20 and 160")]
    let most = ((names - 10.0) / 7.2) as usize;
    let count = f64::from(u32::try_from(columns.len().max(1)).unwrap_or(u32::MAX));
    let head = columns.iter().map(|column| column.chars().count().min(HEAD)).max().unwrap_or(0);
    let least = (7.6 * f64::from(u32::try_from(head).unwrap_or(u32::MAX)) + 6.0).max(56.0);
    let side = ((WIDTH - names - 4.0) / count).clamp(least, 76.0);
    let height = 38.0;
    let all_rows = f64::from(u32::try_from(rows.len()).unwrap_or(u32::MAX));
    let mut svg = Svg::new((names + side * count + 4.0).max(WIDTH), 26.0 + height * all_rows + 4.0, title);
    let mut x = names;
    for column in columns {
        svg.text([x + side / 2.0, 18.0], Hold::Middle, "label", &shorten(column, HEAD));
        x += side;
    }
    let mut y = 26.0;
    for (name, cells) in rows {
        svg.text([names - 8.0, y + height / 2.0 + 4.0], Hold::End, "label", &shorten(name, most));
        let mut x = names;
        for cell in cells {
            let GridCell { shade, text, below, tip } = cell;
            if !shade.is_empty() {
                svg.rect([x + 1.0, y + 1.0], [side - 2.0, height - 2.0], &format!("cell {shade}"), tip);
                let class = format!("in-cell {shade}");
                let middle = if below.is_empty() { 23.0 } else { 17.0 };
                svg.text([x + side / 2.0, y + middle], Hold::Middle, &class, text);
                if !below.is_empty() {
                    svg.text([x + side / 2.0, y + 30.0], Hold::Middle, &format!("{class} small"), below);
                }
            }
            x += side;
        }
        y += height;
    }
    svg.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shades_go_from_light_to_dark() {
        assert_eq!([0.0, 0.5, 1.0].map(|share| shade(share, false)), ["s0", "s4", "s8"]);
        assert_eq!(shade(0.5, true), "s4 few");
    }
}
