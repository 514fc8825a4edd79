//! The files of the page, which are in the program.

/// The files of the page: path, kind, bytes.
pub(crate) const PAGE: [(&str, &str, &[u8]); 10] = [
    ("/", "text/html; charset=utf-8", include_bytes!("../page/index.html")),
    ("/app.css", "text/css; charset=utf-8", include_bytes!("../page/app.css")),
    ("/app.js", "text/javascript; charset=utf-8", include_bytes!("../page/app.js")),
    ("/table.js", "text/javascript; charset=utf-8", include_bytes!("../page/table.js")),
    ("/board.js", "text/javascript; charset=utf-8", include_bytes!("../page/board.js")),
    ("/system.js", "text/javascript; charset=utf-8", include_bytes!("../page/system.js")),
    ("/shelf.js", "text/javascript; charset=utf-8", include_bytes!("../page/shelf.js")),
    ("/shared.js", "text/javascript; charset=utf-8", include_bytes!("../page/shared.js")),
    ("/errors.js", "text/javascript; charset=utf-8", include_bytes!("../page/errors.js")),
    ("/preact.js", "text/javascript; charset=utf-8", include_bytes!("../page/preact.js")),
];
/// The description of the interface.
pub(crate) const OPENAPI: &str = include_str!("../page/openapi.json");
