"""The looks of the HTML report: light and dark, no fonts and no images from outside."""

CSS = """
:root { color-scheme: light dark;
  --page: #fbfaf8; --ink: #22262c; --faint: #6b7280; --line: #ddd9d2; --box: #fff;
  --bad: #b3261e; --bad-box: #fdecea; --good: #1b6e3c; --good-box: #e8f5ec;
  --mark: #7a3ea8; --wait: #d6d2ca; --thought: #9a86c9; --text: #4f8f6b;
  --call: #c07f2e; --other: #9aa3ad; }
@media screen and (prefers-color-scheme: dark) { :root {
  --page: #16181c; --ink: #e3e5e8; --faint: #98a0ab; --line: #343941; --box: #1e2126;
  --bad: #ff8a80; --bad-box: #3a1f1f; --good: #7fd6a0; --good-box: #1b3325;
  --mark: #d3a4f5; --wait: #343941; --thought: #8f7cc4; --text: #5fa37d;
  --call: #d39a4b; --other: #5d6671; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 62rem; padding: 1.5rem 1rem 4rem;
  background: var(--page); color: var(--ink);
  font: 15px/1.55 system-ui, -apple-system, "Segoe UI", sans-serif; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .5rem; }
h2 { font-size: 1.15rem; margin: 2.2rem 0 .6rem; padding-top: .6rem;
  border-top: 1px solid var(--line); }
pre, code { font: 13px/1.5 ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
code { overflow-wrap: anywhere; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: .4rem 0;
  padding: .6rem .8rem; background: var(--box); border: 1px solid var(--line);
  border-radius: 6px; }
.finding p, .message { overflow-wrap: anywhere; }
.story { color: var(--faint); } .story > :first-child { margin-top: 0; }
.story blockquote { margin: .4rem 0; padding-left: .8rem;
  border-left: 3px solid var(--line); }
.short { font-weight: 600; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
td { overflow-wrap: anywhere; } .brief, .badge { white-space: nowrap; }
th, td { text-align: left; vertical-align: top; padding: .3rem .7rem .3rem 0;
  border-bottom: 1px solid var(--line); }
th { color: var(--faint); font-weight: 600; font-size: .85rem; }
.bad, .error-word, .del { color: var(--bad); } .good, .ins { color: var(--good); }
.del, .ins, .hunk { display: block; } .hunk { color: var(--faint); }
.del { background: var(--bad-box); } .ins { background: var(--good-box); }
.error pre, pre.error { border-color: var(--bad); background: var(--bad-box); }
.finding { margin: .8rem 0; padding-left: .8rem; border-left: 3px solid var(--line); }
.finding.error { border-color: var(--bad); }
.finding.warning { border-color: var(--call); }
.faint, .legend, footer { color: var(--faint); } .finding p { margin: .2rem 0; }
.message { margin: .9rem 0; padding-left: .8rem; border-left: 3px solid var(--line); }
.message.user { border-color: var(--text); }
.message.assistant { border-color: var(--thought); }
.message.tool { border-color: var(--call); }
.message.error { border-color: var(--bad); }
.badge { display: inline-block; margin: 0 .3rem .2rem 0; padding: 0 .5rem;
  color: var(--mark); border: 1px solid currentColor; border-radius: 1rem;
  font-size: .8rem; }
.badge.bad { color: var(--bad); }
summary { cursor: pointer; color: var(--faint); }
details > summary:first-child { margin: .3rem 0; }
svg { width: 100%; height: auto; font: 11px system-ui, sans-serif; fill: var(--ink); }
.when { text-anchor: end; dominant-baseline: central; }
.tick { text-anchor: middle; fill: var(--faint); } .grid { stroke: var(--line); }
.lane.failed { fill: var(--bad); font-weight: 700; } .mark { fill: var(--mark); }
.place { fill: var(--faint); font-weight: 600; paint-order: stroke;
  stroke: var(--page); stroke-width: 4px; } .node { fill: var(--page); }
.path { stroke: currentColor; stroke-width: 2; }
.ink-1 { color: var(--mark); } .ink-2 { color: var(--text); }
.ink-3 { color: var(--call); } .ink-4 { color: #3f7fc1; }
.ink-5 { color: #b5548f; } .ink-6 { color: #2c9a9a; }
.mine, .stop.mark { fill: currentColor; }
.path.lost { stroke: var(--bad); stroke-dasharray: 2 4; }
.path.missing { stroke: var(--faint); stroke-width: 1; stroke-dasharray: 2 4; }
.stop { text-anchor: middle; font-weight: 700; font-size: 13px; }
.stop.bad { fill: var(--bad); } .stop.good { fill: var(--good); }
.stop.faint { fill: var(--faint); }
.cell { fill: var(--box); stroke: var(--line); stroke-width: .5; }
.cell.bad { fill: var(--bad-box); } .cell.good { fill: var(--good-box); }
.stop.warn { fill: var(--call); } .stop.small { font-size: 10px; }
.seg-wait { fill: var(--wait); background: var(--wait); }
.seg-thought { fill: var(--thought); background: var(--thought); }
.seg-text { fill: var(--text); background: var(--text); }
.seg-call { fill: var(--call); background: var(--call); }
.seg-other { fill: var(--other); background: var(--other); }
.key { display: inline-block; width: .8rem; height: .8rem; border-radius: 2px; }
@media screen and (max-width: 40rem) {
  h1 { font-size: 1.3rem; } .lanes { font-size: 22px; }
  .wide table, .wide tbody, .wide tr, .wide td { display: block; }
  .wide thead, .wide td:empty { display: none; }
  .wide tr { padding: .4rem 0; border-bottom: 1px solid var(--line); }
  .wide td { position: relative; min-height: 1.55em; border: 0;
    padding: 0 0 0 6.5rem; overflow-wrap: anywhere; }
  .wide td::before { content: attr(data-head); position: absolute; left: 0;
    width: 6rem; color: var(--faint); font-size: .85rem; }
  .wide.long { max-height: 34rem; overflow-y: auto; padding: 0 .6rem;
    border: 1px solid var(--line); border-radius: 6px; } }
@media print { :root { --page: #fff; } body { max-width: none; padding: 0; }
  details > * { display: revert; } ::details-content { content-visibility: visible; }
  .told { break-after: avoid; }
  * { -webkit-print-color-adjust: exact; print-color-adjust: exact; }
  .wide { overflow: visible; } tr, .finding { break-inside: avoid; }
  h2 { break-after: avoid; }
  table, th, td code { font-size: 9pt; line-height: 1.4; }
  .badge { font-size: 8pt; } summary { list-style: none; }
  summary::-webkit-details-marker { display: none; }
  pre { -webkit-box-decoration-break: clone; box-decoration-break: clone; } }
"""
