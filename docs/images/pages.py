"""Pictures of every page at two widths, light and dark: makes the references in `docs/images/pages`, or compares with them.

    python docs/images/pages.py                 make them again, after looking at the new ones
    python docs/images/pages.py --check DIR     compare; DIR gets the pictures in full size

It needs Chromium, Pillow, the fonts of DejaVu and a build (ARENA, by default the release build). References are a quarter of
the size in few colours, and what is compared is the mean difference in blocks, so that another Chromium does not matter.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

from PIL import Image, ImageChops

ROOT = pathlib.Path(__file__).resolve().parents[2]
KEPT = ROOT / "docs/images/pages"
ARENA = os.environ.get("ARENA", str(ROOT / "target/release/arena"))
HEIGHT = 1800
WIDTHS = (1280, 400)
# Blocks of a reference, in its pixels, and the largest difference of one from 0 to 255: a block of text that is missing
# differs by some 30 to 50, as does all that stands lower than it did.
BLOCK, MOST = 40, 20
# A font that every machine can have, since every other one breaks lines elsewhere.
FONT = '<style>* { font-family: "DejaVu Sans" !important; } code, pre { font-family: "DejaVu Sans Mono" !important; }</style></head>'

PAGES = {
    "report": ["run table+rules rules rules:caution=5 --deals 400 --seed 1 --records full --out four", "report four --out report.html"],
    "games": ["report mine --out games.html"],
    "games-french": ["report mine --language french --out games-french.html"],
    "stats": ["stats four --out stats.html"],
    "hands": ["stats hands --deals 40 --seed 1 --out hands.html"],
    "bidding": ["bidding rules table --deals 60 --seed 1 --out bidding.html"],
    "judge": ["judge four --sample 0.05 --seed 1 --out judge.html"],
    "advise": ["advise --worlds 100 --seed 1 --out advise.html -- JS 9S AS TS AD KD 7C 8C"],
    "check": ["system check sound-beginner --deals 400 --seed 1 --out check.html"],
    "print": ["system print sound-beginner --deals 400 --seed 1 --language french --out print.html"],
    "sprt": ["sprt rules random --lower 0 --upper 5 --seed 1 --out test", "report test --out sprt.html"],
}


def make(work):
    """Writes all pages into a directory."""
    for commands in PAGES.values():
        for command in commands:
            subprocess.run([ARENA, *command.split()], cwd=work, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        mine = work / "mine"
        if not mine.exists():
            # The first legs of a run, as if a person had had seat 0.
            mine.mkdir()
            lines = (work / "four/records.jsonl").read_text().splitlines(keepends=True)
            first = [line for line in lines if '"leg":0' in line and '"bots":["table+rules","rules",' in line]
            games = [line.replace('"bots":["table+rules"', '"bots":["human"', 1) for line in first[:8]]
            (mine / "records.jsonl").write_text("".join(games))
    for page in PAGES:
        path = work / f"{page}.html"
        path.write_text(path.read_text().replace("</head>", FONT, 1))


def picture(work, page, width, dark):
    """Returns the picture of a page. A window is never narrower than 500 pixels: a phone is a frame in one."""
    path = work / f"{page}.html"
    if width < 500:
        framed = work / f"{page}-framed.html"
        framed.write_text(
            f'<meta charset="utf-8"><meta name="color-scheme" content="light dark"><body style="margin:0">'
            f'<iframe src="{path.name}" style="width:{width}px;height:{HEIGHT}px;border:0;color-scheme:light dark"></iframe>'
        )
        path = framed
    shot = work / "shot.png"
    flags = ["--headless", "--no-sandbox", "--hide-scrollbars", "--disable-gpu", f"--window-size={max(width, 500)},{HEIGHT}"]
    flags += [f"--blink-settings=preferredColorScheme={0 if dark else 1}", f"--user-data-dir={work / 'profile'}"]
    command = [os.environ.get("CHROMIUM", "chromium"), *flags, f"--screenshot={shot}", f"file://{path}"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return Image.open(shot).convert("RGB").crop((0, 0, width, HEIGHT))


def small(image):
    """Returns what is kept of a picture."""
    return image.resize((image.width // 4, image.height // 4), Image.Resampling.BOX).quantize(32).convert("RGB")


def difference(one, other):
    """Returns the largest mean difference of a block; pictures of unlike size differ in everything."""
    if one.size != other.size:
        return 255.0
    blocks = ImageChops.difference(one, other).convert("L").resize((one.width // BLOCK, one.height // BLOCK), Image.Resampling.BOX)
    return float(blocks.getextrema()[1])


def main():
    check = pathlib.Path(sys.argv[2]) if sys.argv[1:2] == ["--check"] else None
    for directory in (check, KEPT):
        if directory:
            directory.mkdir(parents=True, exist_ok=True)
    differing = 0
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        make(work)
        for page in PAGES:
            for width in WIDTHS:
                for dark in (False, True):
                    name = f"{page}-{width}{'-dark' if dark else ''}.png"
                    image = picture(work, page, width, dark)
                    if check is None:
                        small(image).quantize(32).save(KEPT / name, optimize=True)
                        continue
                    image.save(check / name)
                    found = difference(small(image), Image.open(KEPT / name).convert("RGB"))
                    differing += found > MOST
                    print(f"{name:32} {found:5.1f}{'  DIFFERS' if found > MOST else ''}")
    if differing:
        sys.exit(f"{differing} pages differ: look at {check}, and make the references again if they are as they should be")


main()
