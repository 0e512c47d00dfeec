/** One row of a table: a name, its figures in the columns' order, and what it is aimed at. */
export interface Row {
  readonly name: string
  readonly figures: readonly string[]
}

/** What a section measured. */
export interface Measured {
  readonly columns: readonly string[]
  readonly rows: readonly Row[]
  /** One line each: what was aimed at, and whether it was reached. */
  readonly aims: readonly { readonly text: string; readonly reached: boolean }[]
}

/** A part of the benchmarks: all that is compared is measured side by side, within one run. */
export interface Section {
  readonly name: string
  readonly title: string
  measure(options: { readonly quick: boolean }): Promise<Measured>
}

/** The middle of the values; of two, their mean. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  const low = sorted[Math.ceil(middle) - 1]
  const high = sorted[Math.floor(middle)]
  if (low === undefined || high === undefined) throw new RangeError('there is no median of nothing')
  return (low + high) / 2
}

/** Prints a section's table and aims. */
export function print({ title }: Section, { columns, rows, aims }: Measured): void {
  const lines = [['', ...columns], ...rows.map(({ name, figures }) => [name, ...figures])]
  const widths = lines.reduce<number[]>(
    (most, line) => line.map((text, at) => Math.max(most[at] ?? 0, text.length)),
    [],
  )
  console.log(`\n${title}`)
  for (const line of lines) {
    const cells = line.map((text, at) =>
      at === 0 ? text.padEnd(widths[at] ?? 0) : text.padStart(widths[at] ?? 0),
    )
    console.log(`  ${cells.join('  ').trimEnd()}`)
  }
  for (const { text, reached } of aims) console.log(`  ${reached ? 'reached' : 'MISSED '}  ${text}`)
}
