//! The report in a real browser: Chromium without a window, where there is one.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::common::run;
use serde_json::Value;

/// Finds a browser: `CHROMIUM`, or one of the usual names on the path.
fn browser() -> Option<PathBuf> {
    if let Some(path) = env::var_os("CHROMIUM") {
        return Some(path.into());
    }
    let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
    let folders: Vec<_> = env::split_paths(&env::var_os("PATH")?).collect();
    names
        .iter()
        .flat_map(|name| folders.iter().map(move |folder| folder.join(name)))
        .find(|path| path.is_file())
}

/// Runs the browser on a page with an empty profile; it is ended when it hangs.
fn visit(browser: &Path, directory: &Path, flags: &[&str], page: &str) -> Output {
    let profile = tempfile::tempdir().unwrap();
    let [out, err] = ["out", "err"].map(|name| directory.join(name));
    let mut child = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-sync"])
        .args(["--disable-background-networking", "--disable-component-update", "--enable-logging=stderr"])
        .args(["--disable-dev-shm-usage", "--virtual-time-budget=10000"])
        .arg(format!("--user-data-dir={}", profile.path().display()))
        .args(flags)
        .arg(format!("file://{}", directory.join(page).display()))
        .stdout(Stdio::from(fs::File::create(&out).unwrap()))
        .stderr(Stdio::from(fs::File::create(&err).unwrap()))
        .spawn()
        .unwrap();
    let began = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if began.elapsed() > Duration::from_mins(2) {
            child.kill().unwrap();
            break child.wait().unwrap();
        }
        std::thread::sleep(Duration::from_millis(50));
    };
    Output { status, stdout: fs::read(out).unwrap(), stderr: fs::read(err).unwrap() }
}

/// A page that holds the report in a frame as wide as a phone, works its buttons, and notes what it sees.
const HARNESS: &str = r#"<!DOCTYPE html><meta charset="utf-8"><body>
<iframe id="frame" style="width:380px;height:800px;border:0" srcdoc="PAGE"></iframe>
<script>
const frame = document.getElementById("frame");
frame.onload = () => {
  const seen = {};
  try {
    const inside = frame.contentDocument;
    const root = inside.documentElement;
    seen.faults = frame.contentWindow.faults;
    seen.width = root.clientWidth;
    seen.scroll = root.scrollWidth;
    const player = inside.querySelector(".player");
    const told = () => player.querySelector(".told").textContent;
    const next = player.querySelector(".next");
    seen.first = told();
    next.click();
    seen.second = told();
    let steps = 1;
    while (!next.disabled && steps < 200) { next.click(); steps += 1; }
    seen.steps = steps;
    seen.last = told();
    seen.gone = player.querySelectorAll(".kard.gone").length;
    const key = (name) => player.dispatchEvent(new frame.contentWindow.KeyboardEvent("keydown", { key: name, bubbles: true }));
    key("ArrowLeft");
    seen.back = told();
    key("Home");
    seen.home = told();
    key("End");
    seen.end = told();
    [...player.querySelectorAll("button")].pop().click();
    seen.other = told();
    const second = inside.querySelectorAll("details.deal")[1];
    second.open = true;
    seen.legs = JSON.parse(inside.querySelector("[data-legs]").dataset.legs);
    seen.open = [...inside.querySelectorAll("details")].map((it) => { it.open = true; return 1; }).length;
    seen.scrollOpen = root.scrollWidth;
    seen.wide = [...inside.querySelectorAll("main *")].filter((it) => it.getBoundingClientRect().right > root.clientWidth + 1 && !it.closest(".scroll") && !it.closest("pre")).length;
  } catch (error) { seen.error = String(error); }
  document.body.replaceChildren();
  const note = document.createElement("pre");
  note.textContent = "SEEN" + JSON.stringify(seen) + "END";
  document.body.append(note);
};
</script>"#;

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;")
}

#[test]
fn the_page_works_in_a_browser() {
    let Some(browser) = browser() else {
        eprintln!("skipped: no chromium is on the path, and CHROMIUM names none");
        return;
    };
    let dir = tempfile::tempdir().unwrap();
    run(dir.path(), "run rules:caution=5 rules random --deals 300 --seed 5 --records full --out r").success();
    run(dir.path(), "report r --out page.html").success();
    let page = fs::read_to_string(dir.path().join("page.html")).unwrap();

    // As it is: nothing is complained about.
    let output = visit(&browser, dir.path(), &["--dump-dom"], "page.html");
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{errors}");
    assert!(!errors.contains("CONSOLE"), "{errors}");
    assert!(String::from_utf8_lossy(&output.stdout).contains("class=\"player\""));

    // As wide as a phone, and played with.
    let watched = page.replacen(
        "<title>",
        "<script>var faults = []; addEventListener(\"error\", (event) => faults.push(event.message));\
         document.addEventListener(\"securitypolicyviolation\", (event) => faults.push(event.violatedDirective));</script><title>",
        1,
    );
    fs::write(dir.path().join("harness.html"), HARNESS.replace("PAGE", &escaped(&watched))).unwrap();
    let output = visit(&browser, dir.path(), &["--dump-dom", "--window-size=600,900"], "harness.html");
    let dom = String::from_utf8_lossy(&output.stdout).into_owned();
    let seen = dom.split_once("SEEN").and_then(|(_, rest)| rest.split_once("END")).map(|(seen, _)| seen);
    let seen = seen.unwrap_or_else(|| panic!("nothing was noted: {dom}"));
    let seen = seen.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    let seen: Value = serde_json::from_str(&seen).unwrap();
    assert_eq!(seen["error"], Value::Null, "{seen}");
    assert_eq!(seen["faults"], serde_json::json!([]), "{seen}");
    let width = seen["width"].as_u64().unwrap();
    assert!((360..=380).contains(&width), "{width}");
    assert_eq!((&seen["scroll"], &seen["scrollOpen"]), (&seen["width"], &seen["width"]), "it moves sideways");
    assert_eq!(seen["wide"], 0, "something is wider than the page");

    let leg = &seen["legs"][0];
    let calls = leg["calls"].as_array().unwrap();
    let steps = calls.len() + 4 * leg["tricks"].as_array().unwrap().len();
    assert_eq!(seen["steps"], steps);
    let text = |key: &str| seen[key].as_str().unwrap().to_owned();
    assert!(text("first").ends_with("Nobody has called yet."), "{seen}");
    let call =
        format!("Call 1 of {}: seat {} says {}.", calls.len(), calls[0][0], calls[0][1].as_str().unwrap());
    assert_eq!(text("second"), call);
    assert!(text("last").ends_with(leg["result"].as_str().unwrap()), "{seen}");
    assert_eq!(seen["gone"], 32);
    assert!(text("back").contains("Trick 8: seat") && !text("back").contains("wins"), "{seen}");
    assert_eq!((text("home"), text("end")), (text("first"), text("last")));
    assert!(text("other").starts_with(seen["legs"][1]["title"].as_str().unwrap()), "{seen}");

    // On paper.
    let pdf = dir.path().join("page.pdf");
    let flag = format!("--print-to-pdf={}", pdf.display());
    let output = visit(&browser, dir.path(), &[&flag], "page.html");
    let bytes = fs::read(&pdf).unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)));
    assert!(bytes.starts_with(b"%PDF-") && bytes.len() > 20_000, "{}", bytes.len());
}
