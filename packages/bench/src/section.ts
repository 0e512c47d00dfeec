import type { Column, Row } from './figures.ts'

/** A target, and whether the measurement reached it. */
export interface Aim {
  readonly text: string
  readonly reached: boolean
}

/** A chart of columns with one unit: a category for each row, and a mark for each column. */
export interface CategoryChart {
  readonly kind: 'categories'
  /** What was measured, as a title. */
  readonly title: string
  /** The names of columns. */
  readonly columns: readonly string[]
}

/** A chart of figures that vary with a number, such as a size or the number of callers. */
export interface LineChart {
  readonly kind: 'lines'
  readonly title: string
  /** What the number is, with its unit. */
  readonly xLabel: string
  readonly lines: readonly Line[]
}

export interface Line {
  readonly name: string
  /** The cells of the table, by the names of their rows and columns. */
  readonly points: readonly { readonly x: number; readonly row: string; readonly column: string }[]
}

export type Chart = CategoryChart | LineChart

/** What a section has measured: a table, with a chart of the figures that are worth one. */
export interface Measurement {
  readonly columns: readonly Column[]
  readonly rows: readonly Row[]
  readonly chart: Chart
  readonly aims: readonly Aim[]
  /** Sentences below the table. */
  readonly notes?: readonly string[]
}

/** How a section is measured. */
export interface MeasureOptions {
  readonly quick: boolean
  /** Reports how many of the section's steps are done, which should take about as long as each other. */
  onStep(done: number, total: number): void
}

/** A part of the benchmarks. What it compares is measured side by side, within one run. */
export interface Section {
  readonly name: string
  readonly title: string
  /**
   * Returns what keeps this machine from measuring the section, after its name: `needs Chromium`. Undefined if
   * nothing does.
   */
  readonly findProblem?: (() => string | undefined) | undefined
  measure(options: MeasureOptions): Promise<Measurement>
}
