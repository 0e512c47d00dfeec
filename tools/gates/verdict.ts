/** What a gate says of one package. */
export interface Verdict {
  /** The package's name; `repository` for what belongs to none. */
  readonly package: string
  readonly gate: string
  /** What was looked at, in a few words or figures. */
  readonly said: string
  /** What must be mended; none when the package passes. */
  readonly problems: readonly string[]
}

/** A line for a maintainer, and one for each problem below it. */
export function describeVerdict({ package: name, gate, said, problems }: Verdict): string {
  const mark = problems.length === 0 ? '✓' : '✗'
  const line = `${mark} ${name.padEnd(29)} ${gate.padEnd(13)} ${said}`
  return [line.trimEnd(), ...problems.map((problem) => `    ${problem.replaceAll('\n', '\n    ')}`)].join(
    '\n',
  )
}
