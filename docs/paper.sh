#!/usr/bin/env bash
# The paper as a PDF: `docs/paper.sh paper.pdf`. It needs pandoc and WeasyPrint.
set -euo pipefail
out="$(realpath -m "${1:?usage: paper.sh FILE.pdf}")"
cd "$(dirname "$0")"
style="$(mktemp --suffix .css)"
trap 'rm -f "$style"' EXIT
cat >"$style" <<'CSS'
@page { size: A4; margin: 18mm 18mm 20mm; @bottom-center { content: counter(page); font: 8pt sans-serif; } }
body { font: 8.6pt/1.32 serif; max-width: none; margin: 0; padding: 0; hyphens: auto; text-align: justify; }
h1 { font-size: 15pt; text-align: center; } h2 { font-size: 10.5pt; margin: 1em 0 .3em; }
table { border-collapse: collapse; font-size: 7.4pt; margin: .8em auto; text-align: left; }
th, td { border-bottom: .3pt solid #999; padding: 1.5pt 5pt; } a { color: inherit; text-decoration: none; }
pre, code { font-size: 7.4pt; } p, ul { margin: .4em 0; }
CSS
# Links of the repository are its pages.
root="$(sed -n 's/^repository = "\(.*\)"/\1/p' ../Cargo.toml)/blob/main"
sed -E "s#\]\(\.\./#](${root}/#g; s#\]\(([a-z]+[a-z/]*\.md)#](${root}/docs/\1#g" paper.md |
  pandoc --from gfm --to html5 --standalone --metadata title=" " --metadata lang=en --css "$style" --pdf-engine weasyprint --output "$out"
