import { html, raw } from 'hono/html'
import {
  type Change,
  type Comparison,
  countOutcomes,
  describeChange,
  isCertain,
  type SectionChanges,
} from '../comparison.ts'
import { type Column, type Figure, formatColumn, formatSpread, formatValue } from '../figures.ts'
import type { Environment, Results, SectionResult } from '../results.ts'
import { drawCategories } from './category-chart.ts'
import { listMissingNames } from './cells.ts'
import { renderDrawing } from './drawing.ts'
import { drawLines } from './line-chart.ts'
import type { Markup } from './marks.ts'
import { STYLE } from './style.ts'

function formatDate(date: string): string {
  return `${date.slice(0, 16).replace('T', ' ')} UTC`
}

function renderEnvironment({
  date,
  node,
  cores,
  cpu,
  memoryGb,
  platform,
  commit,
  quick,
}: Environment): Markup {
  const facts: readonly (readonly [string, string])[] = [
    ['Measured', formatDate(date)],
    ['Machine', `${cores} × ${cpu}, ${memoryGb} GB, ${platform}`],
    ['Node', node],
    ['Commit', commit ?? 'unknown'],
    ['Mode', quick ? 'quick: for trying things out, not for numbers' : 'full'],
  ]
  return html`<dl>${facts.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`
}

function renderChange(change: Change, column: Column): Markup {
  const { outcome, before } = change
  const isShown = before !== undefined && outcome !== 'same'
  const style = isCertain(change) ? outcome : 'neutral'
  return html`${isShown && html`<span class="range">before ${formatValue(before.value, column)}</span>`}<span class="change ${style}">${describeChange(change)}</span>`
}

function renderFigure(
  figure: Figure | null | undefined,
  column: Column,
  change: Change | null | undefined,
): Markup {
  if (figure === null || figure === undefined) return html`<td></td>`
  const { value, spread } = figure
  return html`<td><span class="value">${formatValue(value, column)}</span>${
    spread && html`<span class="range">${formatSpread(spread, column)}</span>`
  }${change && renderChange(change, column)}</td>`
}

function renderTable({ title, columns, rows }: SectionResult, changes: SectionChanges | undefined): Markup {
  return html`
<div class="scroll" tabindex="0" role="region" aria-label="Table: ${title}">
<table>
  <thead><tr><th scope="col"><span class="hidden">Measured</span></th>${columns.map(
    (column) => html`<th scope="col">${formatColumn(column)}</th>`,
  )}</tr></thead>
  <tbody>${rows.map(
    ({ name, figures }, row) => html`
    <tr><th scope="row">${name}</th>${columns.map((column, index) =>
      renderFigure(figures[index], column, changes?.[row]?.[index]),
    )}</tr>`,
  )}
  </tbody>
</table>
</div>`
}

function renderChart(result: SectionResult, changes: SectionChanges | undefined, id: string): Markup {
  const { chart } = result
  const drawing =
    chart.kind === 'lines' ? drawLines(chart, result, changes) : drawCategories(chart, result, changes)
  const missing = listMissingNames(result)
  return html`
  ${missing.length > 0 && html`<p class="warning"><b>Warning:</b> The chart "${chart.title}" names what the table lacks: ${missing.join(', ')}.</p>`}
  ${drawing && renderDrawing(drawing, id)}`
}

function renderAims({ aims }: SectionResult): Markup | undefined {
  if (aims.length === 0) return undefined
  return html`<ul class="aims">${aims.map(
    ({ text, reached }) =>
      html`<li class="${reached ? 'reached' : 'missed'}"><b>${reached ? 'Reached' : 'Missed'}</b> ${text}</li>`,
  )}</ul>`
}

function renderSection(result: SectionResult, comparison: Comparison | undefined, index: number): Markup {
  const changes = comparison?.sections.get(result.name)
  return html`
<section id="section-${index}">
  <h2>${result.name}</h2>
  <p>${result.title}. Took ${result.seconds.toFixed(0)} s.</p>
  ${comparison !== undefined && changes === undefined && html`<p class="note">The baseline does not contain this section.</p>`}
  ${renderAims(result)}
  ${renderChart(result, changes, `chart-${index}`)}
  ${renderTable(result, changes)}
  ${result.notes?.map((note) => html`<p class="note">${note}</p>`)}
</section>`
}

function renderComparison({ baseline, warnings, sections }: Comparison): Markup {
  const {
    better,
    worse,
    noise,
    same,
    changed,
    unit,
    new: added,
    uncertain,
  } = countOutcomes(sections.values())
  const rest = [
    uncertain > 0 ? `${uncertain} changed with unknown noise` : '',
    changed > 0 ? `${changed} counts changed` : '',
    unit > 0 ? `${unit} have another unit` : '',
    added > 0 ? `${added} are not in the baseline` : '',
  ].filter((part) => part !== '')
  return html`
<p><b>Compared with the baseline</b> of ${formatDate(baseline.date)} (commit ${baseline.commit ?? 'unknown'}):
<span class="change better">${better} better</span>, <span class="change worse">${worse} worse</span>, ${noise + same} within noise.
${rest.length > 0 && `${rest.join(', ')}.`}</p>
${warnings.map((warning) => html`<p class="warning"><b>Warning:</b> ${warning} The changes below may come from that.</p>`)}`
}

function renderGuide(isCompared: boolean): Markup {
  return html`
<details><summary>How to read this report</summary>
<p>A figure is the median of its repetitions unless its column says otherwise. Below it is the spread: the lowest and the highest repetition, or the quartiles
if there were at least 20 repetitions. A figure without a spread was measured once or is computed from others.</p>
${
  isCompared &&
  html`<p>A change is <em>within noise</em> if both spreads overlap. Otherwise it is better or worse: times are better when they are lower,
rates when they are higher. <em>Noise unknown</em> marks a change of figures that have no spread: measure again before you trust it.</p>`
}
</details>`
}

/** Renders the results of a run as one HTML page that loads nothing else. */
export async function renderReport(results: Results, comparison?: Comparison): Promise<string> {
  const { environment, sections } = results
  const missed = sections.flatMap(({ aims }) => aims).filter(({ reached }) => !reached).length
  const page = await html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Mintmark benchmarks, ${formatDate(environment.date)}</title>
<style>${raw(STYLE)}</style>
</head>
<body>
<main>
<h1>Mintmark benchmarks</h1>
${renderEnvironment(environment)}
${comparison && renderComparison(comparison)}
${missed > 0 && html`<p class="missed"><b>${missed} ${missed === 1 ? 'aim' : 'aims'} missed.</b></p>`}
${renderGuide(comparison !== undefined)}
<nav aria-label="Sections"><ul>${sections.map(({ name }, index) => html`<li><a href="#section-${index}">${name}</a></li>`)}</ul></nav>
${sections.map((section, index) => renderSection(section, comparison, index))}
</main>
</body>
</html>
`
  return page.toString()
}
