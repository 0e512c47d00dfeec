import type { AnyMintmarkError } from '@mintmark/envelope'
import { formatDetail, SetupError } from '../errors.ts'
import type { Input } from '../input.ts'
import type { CsvRow } from './csv-rows.ts'
import {
  addToState,
  type CallPlan,
  createKey,
  createState,
  type ImportState,
  listUnknownCalls,
  planCalls,
  SKIPPED,
} from './import-state.ts'
import type { Journal, JournalEntry, SplitEntry } from './journal.ts'
import { type CallContext, findId, sendCall } from './send-call.ts'

/** The result of a row. */
export type RowResult =
  | { readonly line: number; readonly status: 'created'; readonly data: unknown }
  | { readonly line: number; readonly status: 'rejected'; readonly reason: string }

/** An import, and how to report about it. */
export interface ImportSettings extends CallContext {
  readonly plan: CallPlan
  readonly rows: readonly CsvRow[]
  readonly journal: Journal
  /** The field that has the rows of a call; undefined where a row is an input. */
  readonly batchField: string | undefined
  /** The fields that a call with several rows has in addition to the rows. */
  readonly defaults: Input
  /** How many calls are in progress at the same time. */
  readonly concurrency: number
  /** What to do with calls whose outcome is unknown, and whose keys the server has deleted. */
  readonly unknown: 'resend' | 'skip' | undefined
  readonly now: () => number
  /** Called after the journal has stored the results. */
  onResults(results: readonly RowResult[]): Promise<void>
}

/** The server stores a key for 24 hours. The difference covers clocks and the time of a call. */
const KEY_LIFETIME_MS = 23 * 3_600_000
/** A call that was sent later than now was sent by a clock that was ahead, so that its age is unknown. */
const CLOCK_TOLERANCE_MS = 60_000

/** Calls were sent so long ago that repeating them could create rows twice. */
class UnknownRowsError extends SetupError {
  override name = 'UnknownRowsError'
  constructor(lines: readonly number[]) {
    const list = lines.slice(0, 20).join(', ')
    const rest = lines.length > 20 ? ` and ${lines.length - 20} more` : ''
    super(
      `The outcome of lines ${list}${rest} is unknown: they were sent more than 23 hours ago, or while the clock was ahead, and the server may have deleted their idempotency keys. Check whether their records exist. Then continue with --unknown skip, or with --unknown resend, which creates them again`,
    )
  }
}

/**
 * Throws if an earlier run has rejected other rows before its first call: the calls would have other rows
 * and other keys, so that the rows of earlier calls would be created twice.
 */
function checkVersion(rows: readonly CsvRow[], entries: readonly JournalEntry[]): void {
  const firstSent = entries.findIndex(({ type }) => type === 'sent')
  const earlier = firstSent === -1 ? entries : entries.slice(0, firstSent)
  const rejected = new Set(earlier.flatMap((entry) => (entry.type === 'rejected' ? [entry.line] : [])))
  const isOther = ({ line, problem }: CsvRow) =>
    rejected.has(line) ? problem === undefined : problem !== undefined && firstSent !== -1
  if (!rows.some(isOther)) return
  throw new SetupError(
    'This version of mintmark accepts other rows than the version that began the import. Continue with that version',
  )
}

/**
 * Divides the rows of a rejected call: those that the server named are rejected, the others are sent in
 * further calls.
 */
function splitCall(
  key: string,
  lines: readonly number[],
  rejection: AnyMintmarkError,
  batchField: string,
): SplitEntry {
  const issues = rejection.kind === 'InvalidInput' ? rejection.issues : []
  const reasons = new Map<number, string>()
  for (const { path, message } of issues) {
    const [field, index, ...rest] = path.split('.')
    const line = field === batchField ? lines[Number(index)] : undefined
    if (line === undefined) continue
    const text = rest.length === 0 ? message : `${rest.join('.')}: ${message}`
    const earlier = reasons.get(line)
    reasons.set(line, earlier === undefined ? text : `${earlier}; ${text}`)
  }
  const rejected = [...reasons].map(([line, reason]) => ({ line, reason }))
  const others = lines.filter((line) => !reasons.has(line))
  if (rejected.length > 0) return { type: 'split', key, rejected, parts: others.length > 0 ? [others] : [] }
  const middle = Math.ceil(lines.length / 2)
  return { type: 'split', key, rejected: [], parts: [lines.slice(0, middle), lines.slice(middle)] }
}

function describeRejection(error: AnyMintmarkError): string {
  if (error.kind === 'InvalidInput' && error.issues.length > 0) {
    return error.issues.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('; ')
  }
  const message = error.message.replace(`${error.operation}: `, '')
  if (error.reason === undefined) return message
  const detail = formatDetail(error)
  return `${message} (${[error.reason, detail].filter(Boolean).join(', ')})`
}

/** Removes the place in the list of rows from a reason, because the line says it. */
function toRowReason(error: AnyMintmarkError, batchField: string | undefined): string {
  const reason = describeRejection(error)
  return batchField === undefined ? reason : reason.replaceAll(`${batchField}.0.`, '')
}

/** Throws if calls are too old to be repeated, unless the person has decided. */
async function resolveUnknownCalls(
  state: ImportState,
  settings: ImportSettings,
  append: (entry: JournalEntry) => Promise<void>,
): Promise<void> {
  const { unknown, operation, now } = settings
  if (operation.idempotent || unknown === 'resend') return
  const old = listUnknownCalls(state).filter(({ at }) => {
    const age = now() - at
    return age > KEY_LIFETIME_MS || age < -CLOCK_TOLERANCE_MS
  })
  if (old.length === 0) return
  if (unknown === undefined) throw new UnknownRowsError(old.flatMap(({ lines }) => lines))
  for (const { key, lines } of old) {
    const rejected = lines.map((line) => ({ line, reason: SKIPPED }))
    await append({ type: 'split', key, parts: [], rejected })
  }
}

/**
 * Sends the rows that no earlier run has finished. Resumable after a kill at any moment: the journal stores
 * which calls are sent and what became of them, and a call that is repeated has the same rows and the same
 * key.
 */
export async function importRows(settings: ImportSettings): Promise<ImportState> {
  const { plan, rows, journal, batchField, defaults, concurrency, signal, now, onResults } = settings
  checkVersion(rows, journal.entries)
  const state = createState(journal.entries)
  const inputs = new Map(rows.map((row) => [row.line, row.input]))

  async function append(entry: JournalEntry): Promise<void> {
    await journal.append(entry)
    addToState(state, entry)
  }

  function toInput(lines: readonly number[]): Input {
    const items = lines.map((line) => inputs.get(line) ?? {})
    return batchField === undefined ? (items[0] ?? {}) : { ...defaults, [batchField]: items }
  }

  async function finishRejected(lines: readonly number[], key: string, error: AnyMintmarkError) {
    const [line] = lines
    if (line !== undefined && (lines.length === 1 || batchField === undefined)) {
      const reason = toRowReason(error, batchField)
      await append({ type: 'rejected', line, reason })
      return await onResults([{ line, status: 'rejected', reason }])
    }
    const split = splitCall(key, lines, error, batchField ?? '')
    // The parts are sent after the journal has stored that this call created nothing.
    await append(split)
    await onResults(split.rejected.map((each) => ({ ...each, status: 'rejected' as const })))
    for (const part of split.parts) await processCall(part)
  }

  async function processCall(lines: readonly number[]): Promise<void> {
    signal.throwIfAborted()
    const key = createKey(plan, lines)
    if (state.created.has(key)) return
    const split = state.splits.get(key)
    if (split !== undefined) {
      for (const part of split.parts) await processCall(part)
      return
    }
    if (lines.every((line) => state.rejected.has(line))) return
    if (!state.sent.has(key)) await append({ type: 'sent', key, lines, at: now() })
    const outcome = await sendCall(toInput(lines), key, settings)
    if ('rejection' in outcome) return await finishRejected(lines, key, outcome.rejection)
    const { data } = outcome
    const records = batchField !== undefined && Array.isArray(data) ? data : lines.map(() => data)
    await append({ type: 'created', key, lines, ids: lines.map((_, index) => findId(records[index])) })
    await onResults(lines.map((line, index) => ({ line, status: 'created', data: records[index] })))
  }

  for (const { line, problem } of rows) {
    if (problem === undefined || state.rejected.has(line)) continue
    await append({ type: 'rejected', line, reason: problem })
    await onResults([{ line, status: 'rejected', reason: problem }])
  }
  await resolveUnknownCalls(state, settings, append)
  const sendable = rows.filter(({ problem }) => problem === undefined).map(({ line }) => line)
  await runCalls(planCalls(plan, sendable), concurrency, processCall)
  return state
}

/**
 * Processes calls in their order, several at a time. After an error no further call begins, and those in
 * progress end first.
 */
async function runCalls(
  calls: readonly (readonly number[])[],
  concurrency: number,
  processCall: (lines: readonly number[]) => Promise<void>,
): Promise<void> {
  const iterator = calls.values()
  let failure: { readonly error: unknown } | undefined
  async function work(): Promise<void> {
    for (const lines of iterator) {
      if (failure !== undefined) return
      try {
        await processCall(lines)
      } catch (error) {
        failure ??= { error }
      }
    }
  }
  await Promise.all(Array.from({ length: concurrency }, work))
  if (failure !== undefined) throw failure.error
}
