import { type Issue, isMintmarkError } from '@mintmark/envelope'
import type { ImportRow, RowProblem } from './import-rows.ts'

/** What became of rows that were sent together. */
export type CallOutcome =
  /** All of them are created, with their cards' ids. */
  | { readonly kind: 'created'; readonly ids: readonly number[] }
  /** None of them is created. The named rows are at fault; the others are sent in further calls. */
  | {
      readonly kind: 'rejected'
      readonly problems: readonly LineProblem[]
      readonly parts: readonly (readonly number[])[]
    }

export interface LineProblem extends RowProblem {
  readonly line: number
}

/** A call that was sent. Without an outcome, nobody knows whether it created its rows. */
export interface JournalEntry {
  readonly key: string
  /** Milliseconds since the epoch. */
  readonly sentAt: number
  readonly outcome?: CallOutcome
}

/** Keeps what was sent across reloads. */
export interface ImportJournal {
  read(key: string): Promise<JournalEntry | undefined>
  write(entry: JournalEntry): Promise<void>
}

/**
 * The result of a row. `unknown`: it was sent so long ago that repeating it could create it twice. `skipped`:
 * an equal row was sent before.
 */
export interface RowResult {
  readonly line: number
  readonly status: 'created' | 'failed' | 'unknown' | 'skipped'
  readonly problems: readonly RowProblem[]
}

export interface ImportSurroundings {
  readonly journal: ImportJournal
  /**
   * Remembers rows before they are sent, so that other files with equal rows find them, also if the browser
   * crashes then.
   */
  rememberSent(lines: readonly number[]): Promise<void>
  /** Forgets rows that the server has refused. */
  forgetSent(lines: readonly number[]): Promise<void>
  /**
   * Creates the cards of inputs, all or none, and returns their ids. Repeating it with the same key creates
   * nothing more.
   */
  send(inputs: readonly ImportRow['input'][], key: string): Promise<readonly number[]>
  /** Returns a key that is the same for the same text. */
  createKey(text: string): Promise<string>
  now(): number
  /** Whether the person has stopped the import. */
  readonly signal: AbortSignal
  onResults(results: readonly RowResult[]): void
}

/** How many rows a call has. */
const ROWS_PER_CALL = 100
/** The server stores a key for 24 hours. The difference covers clocks and the time of a call. */
const KEY_LIFETIME_MS = 23 * 3_600_000

/**
 * Creates the cards of rows. It can be stopped at any moment and started again with the same rows: calls
 * whose outcome is known are not sent again, and calls whose outcome is unknown are repeated with the same
 * key. Throws if the server cannot be reached or does not allow it.
 *
 * @param scope Names the import, such as by its file: an import with another name creates the same rows
 * again.
 */
export async function runImport(
  rows: readonly ImportRow[],
  scope: string,
  surroundings: ImportSurroundings,
): Promise<void> {
  const { journal, rememberSent, forgetSent, send, createKey, now, signal, onResults } = surroundings
  const byLine = new Map(rows.map((row) => [row.line, row]))

  async function finish(lines: readonly number[], outcome: CallOutcome): Promise<void> {
    if (outcome.kind === 'created') {
      return onResults(lines.map((line) => ({ line, status: 'created', problems: [] })))
    }
    onResults(toFailures(outcome.problems))
    for (const part of outcome.parts) await processCall(part)
  }

  async function processCall(lines: readonly number[]): Promise<void> {
    signal.throwIfAborted()
    const inputs = lines.map((line) => byLine.get(line)?.input ?? {})
    const key = await createKey(JSON.stringify([scope, lines, inputs]))
    const earlier = await journal.read(key)
    if (earlier?.outcome !== undefined) return await finish(lines, earlier.outcome)
    if (earlier !== undefined && now() - earlier.sentAt > KEY_LIFETIME_MS) {
      return onResults(lines.map((line) => ({ line, status: 'unknown', problems: [] })))
    }
    const sentAt = earlier?.sentAt ?? now()
    if (earlier === undefined) await journal.write({ key, sentAt })
    await rememberSent(lines)
    const outcome = await sendCall(lines, inputs, key)
    if (outcome.kind === 'rejected') await forgetSent(lines)
    await journal.write({ key, sentAt, outcome })
    await finish(lines, outcome)
  }

  async function sendCall(
    lines: readonly number[],
    inputs: readonly ImportRow['input'][],
    key: string,
  ): Promise<CallOutcome> {
    try {
      return { kind: 'created', ids: await send(inputs, key) }
    } catch (error) {
      if (isMintmarkError(error) && error.kind === 'InvalidInput')
        return splitCall(lines, error.issues, error.message)
      throw error
    }
  }

  onResults(toFailures(rows.flatMap(({ line, problems }) => problems.map((each) => ({ line, ...each })))))
  const valid = rows.filter(({ problems }) => problems.length === 0).map(({ line }) => line)
  for (let start = 0; start < valid.length; start += ROWS_PER_CALL) {
    await processCall(valid.slice(start, start + ROWS_PER_CALL))
  }
}

/**
 * Divides the rows of a rejected call: those that the server named are at fault, the others are sent again.
 * Without names, the rows are halved.
 */
function splitCall(lines: readonly number[], issues: readonly Issue[], message: string): CallOutcome {
  const problems = issues.flatMap(({ path, message: problem }): readonly LineProblem[] => {
    const [, index, field] = /^cards\.(\d+)(?:\.(.*))?$/.exec(path) ?? []
    const line = index === undefined ? undefined : lines[Number(index)]
    return line === undefined ? [] : [{ line, field: field ?? '', message: problem }]
  })
  if (problems.length === 0 && lines.length === 1) {
    return { kind: 'rejected', problems: lines.map((line) => ({ line, field: '', message })), parts: [] }
  }
  const middle = Math.ceil(lines.length / 2)
  if (problems.length === 0) {
    return { kind: 'rejected', problems: [], parts: [lines.slice(0, middle), lines.slice(middle)] }
  }
  const named = new Set(problems.map(({ line }) => line))
  const others = lines.filter((line) => !named.has(line))
  return { kind: 'rejected', problems, parts: others.length === 0 ? [] : [others] }
}

/** Collects the problems of each row. */
function toFailures(problems: readonly LineProblem[]): readonly RowResult[] {
  const byLine = new Map<number, RowProblem[]>()
  for (const { line, field, message } of problems) {
    byLine.set(line, [...(byLine.get(line) ?? []), { field, message }])
  }
  return [...byLine].map(([line, each]) => ({ line, status: 'failed', problems: each }))
}
