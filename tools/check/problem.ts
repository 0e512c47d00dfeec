/** One thing a check refuses: where it stands, relative to the repository, and what to do about it. */
export interface Problem {
  readonly file: string
  /** From 1; absent when the whole file is meant. */
  readonly line?: number
  readonly text: string
}

/** `file:line: text`, as editors and terminals link it. */
export function describeProblem({ file, line, text }: Problem): string {
  return line === undefined ? `${file}: ${text}` : `${file}:${line}: ${text}`
}
