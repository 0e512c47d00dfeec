// Series differ by color and by shape, because some readers cannot distinguish the colors.
import { html } from 'hono/html'

export type Markup = ReturnType<typeof html>

const SIZE = 5
const SHAPES = 4

/** Rounds a coordinate, because a chart needs no more. */
export const round = (pixel: number) => Math.round(pixel * 10) / 10

/** Draws the mark of a series. The marks of a baseline are hollow. */
export function renderMark(series: number, x: number, y: number, isHollow = false): Markup {
  const style = `mark color-${series % SHAPES}${isHollow ? ' before' : ''}`
  const at = (dx: number, dy: number) => `${round(x + dx)},${round(y + dy)}`
  const polygon = (...points: readonly string[]) =>
    html`<polygon class="${style}" points="${points.join(' ')}"/>`
  const shape = series % SHAPES
  if (shape === 1) return polygon(at(-SIZE, -SIZE), at(SIZE, -SIZE), at(SIZE, SIZE), at(-SIZE, SIZE))
  if (shape === 2) return polygon(at(0, -SIZE - 1), at(SIZE + 1, SIZE), at(-SIZE - 1, SIZE))
  if (shape === 3) {
    const reach = SIZE + 2
    return polygon(at(0, -reach), at(reach, 0), at(0, reach), at(-reach, 0))
  }
  return html`<circle class="${style}" cx="${round(x)}" cy="${round(y)}" r="${SIZE}"/>`
}

/** The classes of a series' line. From the fifth series on, colors repeat with dashes. */
export function getLineClass(series: number): string {
  return `line color-${series % SHAPES}${series >= SHAPES ? ' dashed' : ''}`
}
