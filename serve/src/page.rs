//! The files of the page, which are in the program.

use std::sync::LazyLock;

use coinche_analysis::known_errors;
use serde_json::json;

/// The kind of the scripts.
pub(crate) const SCRIPT: &str = "text/javascript; charset=utf-8";
/// The files of the page: path, kind, bytes.
pub(crate) const PAGE: [(&str, &str, &[u8]); 10] = [
    ("/", "text/html; charset=utf-8", include_bytes!("../page/index.html")),
    ("/app.css", "text/css; charset=utf-8", include_bytes!("../page/app.css")),
    ("/app.js", SCRIPT, include_bytes!("../page/app.js")),
    ("/table.js", SCRIPT, include_bytes!("../page/table.js")),
    ("/board.js", SCRIPT, include_bytes!("../page/board.js")),
    ("/system.js", SCRIPT, include_bytes!("../page/system.js")),
    ("/shelf.js", SCRIPT, include_bytes!("../page/shelf.js")),
    ("/shared.js", SCRIPT, include_bytes!("../page/shared.js")),
    ("/errors.js", SCRIPT, include_bytes!("../page/errors.js")),
    ("/preact.js", SCRIPT, include_bytes!("../page/preact.js")),
];
/// The script `/refusals.js`: all errors that the terminal has in both languages.
pub(crate) static REFUSALS: LazyLock<String> =
    LazyLock::new(|| format!("export const REFUSALS = {};\n", json!(known_errors())));
/// The description of the interface.
pub(crate) const OPENAPI: &str = include_str!("../page/openapi.json");
