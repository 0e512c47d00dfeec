/** One row of a table: a name, and its figures in the columns' order. */
export interface Row {
  readonly name: string
  readonly figures: readonly string[]
}

/** A target, and whether the measurement reached it. */
export interface Aim {
  readonly text: string
  readonly reached: boolean
}

export interface Measurement {
  readonly columns: readonly string[]
  readonly rows: readonly Row[]
  readonly aims: readonly Aim[]
}

/** A part of the benchmarks. What it compares is measured side by side, within one run. */
export interface Section {
  readonly name: string
  readonly title: string
  measure(options: { readonly quick: boolean }): Promise<Measurement>
}

/** Prints a section's table and aims. */
export function print({ title }: Section, { columns, rows, aims }: Measurement): void {
  const lines = [['', ...columns], ...rows.map(({ name, figures }) => [name, ...figures])]
  const widthOf = (column: number) => Math.max(...lines.map((line) => line[column]?.length ?? 0))
  console.log(`\n${title}`)
  for (const [name = '', ...figures] of lines) {
    const cells = figures.map((figure, index) => figure.padStart(widthOf(index + 1)))
    console.log(`  ${[name.padEnd(widthOf(0)), ...cells].join('  ').trimEnd()}`)
  }
  for (const { text, reached } of aims) console.log(`  ${reached ? 'reached' : 'MISSED '}  ${text}`)
}
