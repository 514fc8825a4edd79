//! Checks the contrast of all texts of page and pictures: WCAG 2.2, success criterion 1.4.3.

use std::collections::BTreeMap;

const COLOURS: &str = include_str!("../../templates/colours.css");
const PICTURE: &str = include_str!("../../templates/picture.css");
const PAGE: &str = include_str!("../../templates/page.css");

/// The least contrast that WCAG requires for text of normal size.
const LEAST: f64 = 4.5;

/// The colours by name: red, green, blue and opacity, 0 to 1.
type Palette = BTreeMap<String, [f64; 4]>;

/// Parses `#rrggbb` or `#rrggbbaa`.
fn colour(text: &str) -> [f64; 4] {
    let part = |n: usize| {
        let digits = text.get(1 + 2 * n..3 + 2 * n).unwrap_or("ff");
        f64::from(u8::from_str_radix(digits, 16).unwrap()) / 255.0
    };
    [0, 1, 2, 3].map(part)
}

/// Returns the palettes of light, dark and print; the later ones override colours of the first.
fn palettes() -> Vec<(&'static str, Palette)> {
    let names = ["light", "dark", "print"];
    let mut palettes: Vec<(_, Palette)> = Vec::new();
    for (name, block) in names.into_iter().zip(COLOURS.split("@media")) {
        let mut palette = palettes.first().map(|(_, first)| first.clone()).unwrap_or_default();
        for entry in block.split("--").skip(1) {
            let (name, rest) = entry.split_once(": ").unwrap();
            palette.insert(name.to_owned(), colour(rest.split(';').next().unwrap()));
        }
        palettes.push((name, palette));
    }
    assert_eq!(palettes.len(), names.len());
    palettes
}

/// Blends a colour over another.
fn over([r, g, b, a]: [f64; 4], below: [f64; 4]) -> [f64; 4] {
    let mix = |upper: f64, lower: f64| upper * a + lower * (1.0 - a);
    [mix(r, below[0]), mix(g, below[1]), mix(b, below[2]), 1.0]
}

fn luminance(colour: [f64; 4]) -> f64 {
    let linear =
        |part: f64| if part <= 0.040_45 { part / 12.92 } else { libm::pow((part + 0.055) / 1.055, 2.4) };
    0.2126 * linear(colour[0]) + 0.7152 * linear(colour[1]) + 0.0722 * linear(colour[2])
}

fn contrast(one: [f64; 4], other: [f64; 4]) -> f64 {
    let [one, other] = [one, other].map(luminance);
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

/// Returns the colour name of a class, from the last matching rule of the picture's style.
fn fill<'a>(element: &str, class: &str) -> Option<&'a str> {
    let selector = format!(".picture .{element}.{class}");
    let rules = PICTURE.split('}').filter_map(|rule| rule.split_once('{'));
    let own = rules.filter(|(selectors, _)| selectors.split(',').any(|one| one.trim() == selector));
    let fills = own.filter_map(|(_, rule)| rule.split_once("fill: var(--")?.1.split(')').next());
    fills.into_iter().next_back()
}

#[test]
fn the_measure_is_that_of_the_standard() {
    assert!((contrast(colour("#000000"), colour("#ffffff")) - 21.0).abs() < 1e-9);
    // The lightest grey that passes on white.
    assert!(contrast(colour("#767676"), colour("#ffffff")) >= LEAST);
    assert!(contrast(colour("#777777"), colour("#ffffff")) < LEAST);
}

#[test]
fn every_text_is_readable_in_light_and_dark_and_on_paper() {
    for (name, palette) in palettes() {
        let check = |text: &str, ground: [f64; 4], what: &str| {
            let contrast = contrast(palette[text], ground);
            assert!(contrast >= LEAST, "{name}: {text} on {what} has a contrast of {contrast:.2}");
        };
        for text in ["ink", "soft", "red"] {
            for ground in ["paper", "card", "d0"] {
                check(text, palette[ground], ground);
            }
        }
        // Text in a chart may lie on its band.
        check("soft", over(palette["band"], palette["card"]), "band");
        let shades = (-4..=4).map(|n| format!("d{n}")).chain((0..=8).map(|n| format!("s{n}")));
        for shade in shades.chain(["few".to_owned()]) {
            let ground = fill("cell", &shade).unwrap_or_else(|| panic!("cells of {shade} have no colour"));
            check(fill("in-cell", &shade).unwrap_or("on-light"), palette[ground], &shade);
        }
    }
}

#[test]
fn nothing_is_made_pale_after_its_colour_was_chosen() {
    for style in [PICTURE, PAGE] {
        assert!(!style.contains("opacity"), "opacity takes contrast that this test does not see");
    }
}
