import { html } from 'hono/html'
import { getLineClass, type Markup, renderMark } from './marks.ts'

/**
 * The width of a chart in its own pixels. On a phone it is shown smaller, so text is larger than on other
 * pages.
 */
export const WIDTH = 480

/** A chart as SVG, without its frame. */
export interface Drawing {
  readonly title: string
  /** What the chart shows, for readers who do not see it. */
  readonly description: string
  readonly height: number
  readonly body: Markup
  /** The names of series. Empty when marks have labels of their own. */
  readonly legend: readonly string[]
  readonly hasBaseline: boolean
  readonly hasSpread: boolean
}

function renderLegend({ legend, hasBaseline, hasSpread }: Drawing): Markup | undefined {
  const entries = legend.map(
    (name, series) => html`
    <li><svg width="34" height="16" aria-hidden="true"><line class="${getLineClass(series)}" x1="0" x2="34" y1="8" y2="8"/>${renderMark(series, 17, 8)}</svg>${name}</li>`,
  )
  if (hasSpread) {
    entries.push(
      html`<li><svg width="34" height="16" aria-hidden="true"><line class="spread neutral" x1="2" x2="32" y1="8" y2="8"/></svg>spread of repetitions</li>`,
    )
  }
  if (hasBaseline) {
    entries.push(
      html`<li><svg width="34" height="16" aria-hidden="true"><circle class="mark before neutral" cx="17" cy="8" r="5"/></svg>baseline</li>`,
    )
  }
  return entries.length === 0 ? undefined : html`<ul class="legend">${entries}</ul>`
}

/**
 * Renders a chart with its title, its legend and a text alternative.
 *
 * @param id A prefix of element ids that no other chart of the page has.
 */
export function renderDrawing(drawing: Drawing, id: string): Markup {
  const { title, description, height, body } = drawing
  return html`
<figure>
  <figcaption>${title}</figcaption>
  <svg class="chart" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-labelledby="${id}-title ${id}-description">
    <title id="${id}-title">${title}</title>
    <desc id="${id}-description">${description}</desc>${body}
  </svg>
  ${renderLegend(drawing)}
</figure>`
}
