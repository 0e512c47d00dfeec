import {
  type AnyMintmarkError,
  isMintmarkError,
  type UnexpectedResponseError,
  UnknownOutcomeError,
} from '@mintmark/envelope'
import { checkInput, keepsIdempotencyKey, type OperationShape } from '@mintmark/operation'
import type { Clients } from '../clients.ts'
import type { JournalEntry, WriteJournal } from '../state/write-journal.ts'
import { createUnknownWriteError, ToolError } from '../tool-error.ts'
import { hashParts } from './intent-key.ts'
import { SingleFlight } from './single-flight.ts'

/** The gateway keeps keys for 24 hours. A repetition must arrive before. */
const KEY_LIFETIME_MS = 23 * 3_600_000

/** A write that a caller intends once. */
export interface IntendedWrite {
  readonly operation: OperationShape
  readonly input: Readonly<Record<string, unknown>>
  /** The caller's name for the intent. Default: the session, in which equal calls are one intent. */
  readonly intent: string | undefined
  readonly session: string
}

export interface WriteResult {
  readonly data: unknown
  readonly requestId?: string | undefined
  /** Whether an earlier call had the effect, whose result this is. */
  readonly isRepeated: boolean
}

export interface WriteExecutorOptions {
  readonly clients: Clients
  readonly journal: WriteJournal
  readonly now: () => number
  /** How often a call is repeated under its key while its outcome is unknown. */
  readonly retries: number
  /** The delay before the first repetition. It doubles. */
  readonly retryDelayMs: number
  /** Removes secrets from a result. */
  readonly redact: (data: unknown) => unknown
}

type SentEntry = Extract<JournalEntry, { attempt: number }>

/** Sends each intended write at most once, whatever is lost or repeated. */
export class WriteExecutor {
  readonly #options: WriteExecutorOptions
  readonly #running = new SingleFlight<WriteResult>()

  constructor(options: WriteExecutorOptions) {
    this.#options = options
  }

  /** Returns the result of the write if it took effect before. */
  findResult(write: IntendedWrite): WriteResult | undefined {
    const result = this.#options.journal.findResult(this.#getKeys(write).key)
    return result === undefined ? undefined : { data: JSON.parse(result), isRepeated: true }
  }

  /** Returns the result of the write, sending it unless it took effect before. */
  async execute(write: IntendedWrite): Promise<WriteResult> {
    checkInput(write.operation, write.input)
    const { key, content } = this.#getKeys(write)
    const { outcome, isShared } = await this.#running.run(key, () => this.#run(write, { key, content }))
    return isShared ? { ...outcome, isRepeated: true } : outcome
  }

  #getKeys({ operation, input, intent, session }: IntendedWrite): { key: string; content: string } {
    const principal = this.#options.clients.getPrincipal(operation.service)
    const content = hashParts(principal, operation.id, input)
    return { content, key: hashParts(content, intent === undefined ? { session } : { intent }) }
  }

  async #run(write: IntendedWrite, keys: { key: string; content: string }): Promise<WriteResult> {
    const { journal, now } = this.#options
    const { operation } = write
    const isDefaultIntent = write.intent === undefined
    const canContinue = (sentAt: number) => keepsIdempotencyKey(operation) && now() - sentAt < KEY_LIFETIME_MS
    const entry = journal.begin({ ...keys, operation: operation.id, isDefaultIntent, canContinue })
    if (entry.state === 'done') return { data: JSON.parse(entry.result), isRepeated: true }
    if (entry.state === 'unknown') throw createUnknownWriteError(operation.id, entry.sentAt)
    return await this.#sendUntilKnown(write, entry)
  }

  /** Sends the write, and repeats it under the same key while its outcome is unknown. */
  async #sendUntilKnown(write: IntendedWrite, entry: SentEntry): Promise<WriteResult> {
    const { retries, retryDelayMs, journal } = this.#options
    const repetitions = keepsIdempotencyKey(write.operation) ? retries : 0
    let isOpen = entry.state === 'continued'
    for (let count = 0; ; count += 1) {
      const attempt = await this.#send(write, entry, isOpen)
      if (attempt.outcome === 'done') return attempt.result
      if (attempt.outcome === 'failed') {
        journal.fail(entry)
        throw attempt.error
      }
      if (count >= repetitions) throw toUnknownOutcome(attempt.error, write.operation, this.#options.now())
      isOpen = true
      await pause(retryDelayMs * 2 ** count)
    }
  }

  /** Sends the write once. A result is recorded before it is returned. */
  async #send(
    { operation, input }: IntendedWrite,
    entry: SentEntry,
    isOpen: boolean,
  ): Promise<AttemptOutcome> {
    const { clients, journal, redact } = this.#options
    const idempotencyKey = keepsIdempotencyKey(operation)
      ? `mcp-${hashParts(entry.key, entry.attempt)}`
      : undefined
    try {
      // The client sends once, so that its error is about this attempt.
      const { data, requestId } = await clients.call(operation, input, { idempotencyKey, retries: 0 })
      const result = redact(data) ?? null
      journal.complete(entry.key, JSON.stringify(result))
      return { outcome: 'done', result: { data: result, requestId, isRepeated: isOpen } }
    } catch (error) {
      if (isAccepted(error)) {
        journal.complete(entry.key, JSON.stringify(redact(error.received) ?? null))
        throw error
      }
      return { outcome: hasNoEffect(error, operation, isOpen) ? 'failed' : 'unknown', error }
    }
  }
}

type AttemptOutcome =
  | { readonly outcome: 'done'; readonly result: WriteResult }
  /** The write had no effect, and neither had an earlier attempt. */
  | { readonly outcome: 'failed'; readonly error: unknown }
  | { readonly outcome: 'unknown'; readonly error: unknown }

/** Whether the server accepted the write and its response is invalid. */
function isAccepted(error: unknown): error is UnexpectedResponseError {
  return isMintmarkError(error) && error.kind === 'UnexpectedResponse' && error.accepted
}

/**
 * Errors that a server decides before or while it handles the call. The gateway stores them under the key of
 * the call.
 */
const HANDLED: readonly string[] = ['InvalidInput', 'NotFound', 'Conflict', 'InsufficientBalance', 'Refused']
/** Errors that a server decides before it looks for the key: they say nothing about an earlier attempt. */
const NOT_HANDLED: readonly string[] = ['Unauthorized', 'Forbidden', 'RateLimited']
/** The client uses them for calls that are safe to repeat, and for calls that were never sent. */
const NO_RESPONSE: readonly string[] = ['Network', 'Timeout']

/**
 * Whether an error proves that the write had no effect.
 *
 * @param isOpen whether an earlier attempt may have had one.
 */
function hasNoEffect(error: unknown, operation: OperationShape, isOpen: boolean): boolean {
  if (error instanceof ToolError) return !isOpen
  if (!isMintmarkError(error)) return false
  const { kind } = error
  // Another attempt with the key is in progress.
  if (kind === 'Conflict' && error.message.includes('Idempotency-Key')) return false
  if (HANDLED.includes(kind)) return !isOpen || isFromService(error)
  if (isOpen) return false
  return NOT_HANDLED.includes(kind) || (NO_RESPONSE.includes(kind) && !operation.idempotent)
}

/**
 * Whether the service itself responded. The page of a proxy has no code and no reason, and says nothing about
 * an earlier attempt. No proxy responds with 402.
 */
function isFromService({ kind, code, reason }: AnyMintmarkError): boolean {
  return code !== undefined || reason !== undefined || kind === 'InsufficientBalance'
}

/** Returns the error of a write whose outcome is unknown. Errors that name a cause keep their `requestId`. */
function toUnknownOutcome(error: unknown, operation: OperationShape, now: number): unknown {
  if (!isMintmarkError(error) || error.kind === 'UnknownOutcome') return error
  return keepsIdempotencyKey(operation)
    ? new UnknownOutcomeError(error.message, {
        operation: operation.id,
        status: error.status,
        requestId: error.requestId,
        retryAfter: error.retryAfter,
        sentAt: now,
      })
    : createUnknownWriteError(operation.id, now)
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
