import { createHash } from 'node:crypto'
import type { CreatedEntry, JournalEntry, SentEntry, SplitEntry } from './journal.ts'

/** What earlier runs and this run have done. */
export interface ImportState {
  /** The calls that were sent, by their keys. */
  readonly sent: Map<string, SentEntry>
  readonly created: Map<string, CreatedEntry>
  readonly splits: Map<string, SplitEntry>
  /** The reasons of rejected rows, by their lines. */
  readonly rejected: Map<number, string>
}

export function addToState(state: ImportState, entry: JournalEntry): void {
  switch (entry.type) {
    case 'sent':
      state.sent.set(entry.key, entry)
      break
    case 'created':
      state.created.set(entry.key, entry)
      break
    case 'rejected':
      state.rejected.set(entry.line, entry.reason)
      break
    case 'split':
      state.splits.set(entry.key, entry)
      for (const { line, reason } of entry.rejected) state.rejected.set(line, reason)
      break
  }
}

export function createState(entries: readonly JournalEntry[]): ImportState {
  const state: ImportState = {
    sent: new Map(),
    created: new Map(),
    splits: new Map(),
    rejected: new Map(),
  }
  for (const entry of entries) addToState(state, entry)
  return state
}

/** The reason of rows whose outcome is unknown. Their records may exist, so that nobody should import them. */
export const SKIPPED = 'The outcome is unknown; skipped by --unknown skip'

/** Returns the reasons of the rows to correct, by their lines. */
export function getCorrectable({ rejected }: ImportState): ReadonlyMap<number, string> {
  return new Map([...rejected].filter(([, reason]) => reason !== SKIPPED))
}

/** Counts the rows that the server created. */
export function countCreated({ created }: ImportState): number {
  return [...created.values()].reduce((sum, { lines }) => sum + lines.length, 0)
}

/** Counts the rows that the entries of a journal have finished. */
export function countFinished(entries: readonly JournalEntry[]): number {
  const state = createState(entries)
  return countCreated(state) + state.rejected.size
}

/** Hashes a value that can be written as JSON. */
export function hashJson(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex')
}

/**
 * The calls of an import: the same file, operation and defaults have the same calls with the same keys in
 * every run.
 */
export interface CallPlan {
  readonly operation: string
  readonly digest: string
  readonly defaults: string
  readonly batchSize: number
}

/** Returns the Idempotency-Key of a call with the given lines. */
export function createKey({ operation, digest, defaults }: CallPlan, lines: readonly number[]): string {
  return hashJson(['mintmark import 1', operation, digest, defaults, lines])
}

/** Splits the lines that can be sent into calls. */
export function planCalls({ batchSize }: CallPlan, lines: readonly number[]): number[][] {
  const calls: number[][] = []
  for (let start = 0; start < lines.length; start += batchSize) {
    calls.push(lines.slice(start, start + batchSize))
  }
  return calls
}

/** Lists the calls that were sent and whose outcome is unknown. */
export function listUnknownCalls({ sent, created, splits, rejected }: ImportState): SentEntry[] {
  return [...sent.values()].filter(({ key, lines }) => {
    const isRejected = lines.length === 1 && lines.every((line) => rejected.has(line))
    return !created.has(key) && !splits.has(key) && !isRejected
  })
}
