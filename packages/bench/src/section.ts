import type { Column, Row } from './figures.ts'

/** A target, and whether the measurement reached it. */
export interface Aim {
  readonly text: string
  readonly reached: boolean
}

/** What a section has measured: a table. */
export interface Measurement {
  readonly columns: readonly Column[]
  readonly rows: readonly Row[]
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
