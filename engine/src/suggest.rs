//! Suggestions for a name that was misspelt.

/// How alike two names must be, from 0 to 1, for one to be suggested for the other.
const ALIKE: f64 = 0.8;

/// Returns the known name that is most like a given one, if any is like it; case is ignored.
///
/// ```
/// use coinche_engine::nearest_name;
///
/// assert_eq!(nearest_name("coinch", ["bga", "coinche", "contree"]), Some("coinche"));
/// assert_eq!(nearest_name("poker", ["bga", "coinche", "contree"]), None);
/// ```
pub fn nearest_name<'a>(given: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let given = given.to_lowercase();
    known
        .into_iter()
        .map(|name| (strsim::jaro_winkler(&given, &name.to_lowercase()), name))
        .filter(|(likeness, _)| *likeness >= ALIKE)
        // The first of several that are equally alike.
        .reduce(|best, other| if other.0 > best.0 { other } else { best })
        .map(|(_, name)| name)
}

/// Returns the question for an error message, a space before it: `` (did you mean `NAME`?)``; nothing if no known name
/// is like the given one.
///
/// ```
/// use coinche_engine::did_you_mean;
///
/// assert_eq!(did_you_mean("pimcc", ["mc", "pimc"]), " (did you mean `pimc`?)");
/// assert_eq!(did_you_mean("wizard", ["mc", "pimc"]), "");
/// ```
pub fn did_you_mean<'a>(given: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    nearest_name(given, known).map(|name| format!(" (did you mean `{name}`?)")).unwrap_or_default()
}
