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
    const board = player.querySelector(".board").getBoundingClientRect();
    const side = (hand) => {
      const box = hand.getBoundingClientRect();
      const [x, y] = [box.left + box.right - board.left - board.right, box.top + box.bottom - board.top - board.bottom];
      if (Math.abs(x) > Math.abs(y)) return x > 0 ? "east" : "west";
      return y > 0 ? "south" : "north";
    };
    seen.corners = [...player.querySelectorAll(".hand")].map(side);
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

/// Reads what a page noted.
fn seen(output: &Output) -> Value {
    let dom = String::from_utf8_lossy(&output.stdout).into_owned();
    let seen = dom.rsplit_once("SEEN").and_then(|(_, rest)| rest.split_once("END")).map(|(seen, _)| seen);
    let seen = seen.unwrap_or_else(|| panic!("nothing was noted: {dom}"));
    let seen =
        seen.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&").replace("&nbsp;", "\u{a0}");
    serde_json::from_str(&seen).unwrap()
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
    let seen = seen(&output);
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
    let seat = calls[0][0].as_u64().unwrap();
    let place = leg["places"][usize::try_from(seat).unwrap()].as_str().unwrap();
    let call = format!("Call 1 of {}, {place} ({seat}): {}.", calls.len(), calls[0][1].as_str().unwrap());
    assert_eq!(text("second"), call);
    assert!(text("last").ends_with(leg["result"].as_str().unwrap()), "{seen}");
    assert_eq!(seen["gone"], 32);
    // By these rules play goes round clockwise: who plays next sits at the left hand.
    assert_eq!(leg["places"], serde_json::json!(["South", "West", "North", "East"]));
    assert_eq!(seen["corners"], serde_json::json!(["south", "west", "north", "east"]));
    assert!(text("back").contains("Trick 8, ") && !text("back").contains("wins"), "{seen}");
    assert_eq!((text("home"), text("end")), (text("first"), text("last")));
    assert!(text("other").starts_with(seen["legs"][1]["title"].as_str().unwrap()), "{seen}");

    // On paper.
    let pdf = dir.path().join("page.pdf");
    let flag = format!("--print-to-pdf={}", pdf.display());
    let output = visit(&browser, dir.path(), &[&flag], "page.html");
    let bytes = fs::read(&pdf).unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)));
    assert!(bytes.starts_with(b"%PDF-") && bytes.len() > 20_000, "{}", bytes.len());
}

/// Notes of the page in a frame as wide as a phone what cannot be read, and whether everything that scrolls shows it.
const READER: &str = r#"<!DOCTYPE html><meta charset="utf-8"><meta name="color-scheme" content="light dark"><body>
<iframe id="frame" style="width:400px;height:4000px;border:0;color-scheme:light dark" srcdoc="PAGE"></iframe>
<script>
const frame = document.getElementById("frame");
const parse = (text) => {
  const [r, g, b, a = 1] = text.match(/[\d.]+/g).map(Number);
  return [r, g, b, a];
};
const over = ([r, g, b, a], below) => [r, g, b].map((part, n) => part * a + below[n] * (1 - a)).concat(1);
const light = (part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4);
const luminance = ([r, g, b]) => 0.2126 * light(r) + 0.7152 * light(g) + 0.0722 * light(b);
const contrast = (one, other) => {
  const [high, low] = [luminance(one), luminance(other)].sort((x, y) => y - x);
  return (high + 0.05) / (low + 0.05);
};
const clear = (text) => text === "none" || text === "transparent" || /, 0\)$/.test(text);
frame.onload = () => setTimeout(() => {
  const seen = { pale: [], unmarked: [], texts: 0 };
  try {
    const inside = frame.contentDocument;
    const view = frame.contentWindow;
    const style = (element) => view.getComputedStyle(element);
    for (const folded of inside.querySelectorAll("details")) folded.open = true;
    const root = inside.documentElement;
    // What lies behind a text: the grounds of all around it, and in a picture the cells drawn below it.
    const ground = (element) => {
      const grounds = [];
      for (let it = element; it; it = it.parentElement) {
        const colour = style(it).backgroundColor;
        if (!clear(colour)) grounds.unshift(parse(colour));
      }
      const svg = element.closest("svg");
      if (svg && element.tagName === "text") {
        const box = element.getBoundingClientRect();
        const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
        for (const cell of svg.querySelectorAll(".cell")) {
          const around = cell.getBoundingClientRect();
          if (around.left <= x && x <= around.right && around.top <= y && y <= around.bottom) grounds.push(parse(style(cell).fill));
        }
      }
      return grounds.reduce((below, upper) => over(upper, below), [255, 255, 255, 1]);
    };
    const walker = inside.createTreeWalker(inside.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node.parentElement;
      if (!node.data.trim() || element.closest("script, style, title")) continue;
      const own = style(element);
      const text = parse(element.tagName === "text" ? own.fill : own.color);
      const ratio = contrast(text, ground(element));
      seen.texts += 1;
      let opaque = true;
      for (let it = element; it; it = it.parentElement) opaque = opaque && style(it).opacity === "1";
      if (ratio < 4.5 || !opaque) seen.pale.push(`${node.data.trim().slice(0, 40)}: ${ratio.toFixed(2)}`);
    }
    seen.paper = parse(style(inside.body).backgroundColor);
    seen.over = root.scrollWidth - root.clientWidth;
    const scrolls = [...inside.querySelectorAll(".scroll")].filter((it) => it.scrollWidth > it.clientWidth + 1);
    seen.scrolls = scrolls.length;
    setTimeout(() => {
      for (const it of scrolls) {
        const shade = view.getComputedStyle(it.parentElement, "::after");
        if (shade.content === "none" || !shade.backgroundImage.includes("gradient")) seen.unmarked.push(it.getAttribute("aria-label"));
      }
      tell(seen);
    }, 500);
  } catch (error) { tell({ error: String(error) }); }
}, 500);
const tell = (seen) => {
  document.body.replaceChildren();
  const note = document.createElement("pre");
  note.textContent = "SEEN" + JSON.stringify(seen) + "END";
  document.body.append(note);
};
</script>"#;

#[test]
fn every_page_is_readable_on_a_phone_in_light_and_dark() {
    let Some(browser) = browser() else {
        eprintln!("skipped: no chromium is on the path, and CHROMIUM names none");
        return;
    };
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    run(here, "run rules:caution=5 rules random --deals 40 --seed 5 --records full --out r").success();
    run(here, "sprt rules random --lower 0 --upper 5 --seed 1 --out s --progress none").success();
    run(here, "report r s --out report.html").success();
    run(here, "stats r --out stats.html --progress none").success();
    run(here, "stats hands --deals 3 --out hands.html --progress none").success();
    run(here, "bidding rules rules:caution=5 --deals 8 --out bidding.html --progress none").success();
    let hand = ["advise", "--hand", "JS 9S AS TS AD KD 7C 8C", "--worlds", "10", "--out", "advise.html"];
    crate::common::arena(here).args(hand).assert().success();
    for (page, command) in [
        ("report", "report"),
        ("stats", "stats"),
        ("hands", "stats hands"),
        ("bidding", "bidding"),
        ("advise", "advise"),
    ] {
        let text = fs::read_to_string(here.join(format!("{page}.html"))).unwrap();
        assert!(text.contains(&format!("Made by <code>arena {command}</code>")), "{page}");
        fs::write(here.join("reader.html"), READER.replace("PAGE", &escaped(&text))).unwrap();
        for (scheme, is_dark) in [(0, true), (1, false)] {
            let flag = format!("--blink-settings=preferredColorScheme={scheme}");
            let output = visit(&browser, here, &["--dump-dom", &flag], "reader.html");
            let seen = seen(&output);
            assert_eq!(seen["error"], Value::Null, "{page}: {seen}");
            assert!(seen["texts"].as_u64().unwrap() > 40, "{page}: {seen}");
            assert_eq!(seen["paper"][0].as_u64().unwrap() < 128, is_dark, "{page}: {seen}");
            assert_eq!(seen["pale"], serde_json::json!([]), "{page}: hard to read, dark: {is_dark}");
            assert_eq!(seen["over"], 0, "{page} moves sideways");
            assert_eq!(seen["unmarked"], serde_json::json!([]), "{page}: nothing shows that these scroll");
            // A phone is narrower than some table of every page but that of advice.
            assert!(page == "advise" || seen["scrolls"].as_u64().unwrap() > 0, "{page}: {seen}");
        }
    }
}
