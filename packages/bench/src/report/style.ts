/** The report's style sheet, in light and dark. The colors of series differ in brightness too. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --text: #1d2230; --soft: #596075; --page: #ffffff; --panel: #f5f6f9; --grid: #d3d7e2;
  --good: #00664a; --bad: #b3261e; --warn: #fff3d6; --warn-text: #5c4300;
  --color-0: #0b5fb0; --color-1: #c34a00; --color-2: #00806a; --color-3: #9b4d96;
}
@media (prefers-color-scheme: dark) {
  :root {
    --text: #e6e9f2; --soft: #a2a9bd; --page: #14171f; --panel: #1d212c; --grid: #333949;
    --good: #58d3a6; --bad: #ff8f86; --warn: #40350f; --warn-text: #ffe3a3;
    --color-0: #6cb4ff; --color-1: #ff9a56; --color-2: #45d0b0; --color-3: #e0a1dc;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 1080px; margin: 0 auto; padding: 24px 16px 64px; }
h1 { margin: 0 0 16px; font-size: 26px; line-height: 1.2; }
h2 { margin: 0 0 4px; font-size: 20px; }
p { margin: 8px 0; max-width: 75ch; }
a { color: var(--color-0); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 2px 16px; margin: 0 0 16px; }
dt { color: var(--soft); }
dd { margin: 0; overflow-wrap: anywhere; }
nav ul, .legend, .aims { list-style: none; margin: 12px 0; padding: 0; }
nav ul { display: flex; flex-wrap: wrap; gap: 4px 16px; }
nav a { display: inline-block; padding: 4px 0; }
details { margin: 12px 0; color: var(--soft); }
summary { cursor: pointer; }
section { margin-top: 40px; padding-top: 24px; border-top: 1px solid var(--grid); }
.warning { padding: 8px 12px; border-radius: 6px; background: var(--warn); color: var(--warn-text); }
.note { color: var(--soft); overflow-wrap: anywhere; }
.aims li { margin: 2px 0; }
.reached b, .better { color: var(--good); }
.missed b, .worse { color: var(--bad); }
figure { margin: 16px 0; max-width: 620px; }
figcaption { font-weight: 600; margin-bottom: 8px; }
.chart { display: block; width: 100%; height: auto; background: var(--panel); border-radius: 8px; }
.chart text { fill: var(--text); font-size: 13px; }
@media (max-width: 500px) { .chart text { font-size: 16px; } }
.chart .name { font-weight: 600; }
.chart .tick, .chart .axis { fill: var(--soft); }
.chart .label { paint-order: stroke; stroke: var(--panel); stroke-width: 4px; stroke-linejoin: round; }
.grid { stroke: var(--grid); }
.line { fill: none; stroke: currentColor; stroke-width: 2; }
.dashed { stroke-dasharray: 6 4; }
.spread { stroke: currentColor; stroke-width: 3; opacity: 0.45; }
.mark { fill: currentColor; stroke: currentColor; stroke-width: 2; }
.mark.before { fill: var(--panel); opacity: 0.75; }
.color-0 { color: var(--color-0); }
.color-1 { color: var(--color-1); }
.color-2 { color: var(--color-2); }
.color-3 { color: var(--color-3); }
.neutral { color: var(--soft); }
.legend { display: flex; flex-wrap: wrap; gap: 4px 20px; font-size: 14px; }
.legend li { display: flex; align-items: center; gap: 8px; }
.legend svg { flex: none; }
.scroll { overflow-x: auto; margin: 16px 0; }
table { border-collapse: collapse; font-size: 15px; }
th, td { padding: 6px 12px; border-bottom: 1px solid var(--grid); text-align: right; vertical-align: top; }
th[scope=col] { color: var(--soft); font-weight: 500; vertical-align: bottom; }
th[scope=row] { position: sticky; left: 0; min-width: min(240px, 38vw); background: var(--page); text-align: left; font-weight: 500; overflow-wrap: anywhere; }
td { font-variant-numeric: tabular-nums; white-space: nowrap; }
td span { display: block; }
.range, td .change { font-size: 13px; color: var(--soft); }
td .better { color: var(--good); }
td .worse { color: var(--bad); }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
`
