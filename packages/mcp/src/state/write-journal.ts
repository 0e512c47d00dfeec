import type { StateDatabase } from './state-database.ts'

/** How long the result of a finished write is kept. */
const RETENTION_MS = 30 * 24 * 3_600_000

/** An attempt to send a write. All calls of an attempt send the same idempotency key. */
export interface Attempt {
  readonly key: string
  readonly attempt: number
  /** How many callers have sent the attempt, this one included. */
  readonly senders: number
}

/** A write as the journal has it before it is sent, or instead of sending it. */
export type JournalEntry =
  /** To be sent. It has not been sent, or its last attempt had no effect. */
  | ({ readonly state: 'new' } & Attempt)
  /**
   * It was sent, its outcome is unknown, and it is to be sent again under the same idempotency key. An
   * earlier caller may still wait for it.
   */
  | ({ readonly state: 'continued' } & Attempt)
  /** It was sent, its outcome is unknown, and it must not be sent again. */
  | { readonly state: 'unknown'; readonly sentAt: number }
  /** It took effect. `result` is the JSON of its result. */
  | { readonly state: 'done'; readonly key: string; readonly result: string }

/** What identifies a write. */
export interface JournalKey {
  /** The intent, the operation and its input. */
  readonly key: string
  /** The operation and its input, without the intent. */
  readonly content: string
  readonly operation: string
  /**
   * Whether the caller named no intent. Then a write of another session with the same content whose outcome
   * is unknown is continued.
   */
  readonly isDefaultIntent: boolean
  /**
   * Whether an attempt of this time, in milliseconds, can be sent again without a second effect. Default:
   * never.
   */
  readonly canContinue?: (sentAt: number) => boolean
}

interface Row {
  readonly key: string
  readonly attempt: number
  readonly senders: number
  readonly state: string
  readonly sent_at: number
  readonly result: string | null
}

/** Records writes before they are sent, so that no crash and no repetition sends one twice. */
export class WriteJournal {
  readonly #state: StateDatabase
  readonly #now: () => number

  constructor(state: StateDatabase, now: () => number) {
    this.#state = state
    this.#now = now
    this.#run("delete from writes where state <> 'sent' and sent_at < ?", now() - RETENTION_MS)
  }

  /** Finds the write, or records that it is being sent. */
  begin({ key, content, operation, isDefaultIntent, canContinue = () => false }: JournalKey): JournalEntry {
    return this.#state.transact(() => {
      const row = this.#find(key) ?? (isDefaultIntent ? this.#findOpen(content) : undefined)
      const sentAt = this.#now()
      if (row === undefined) {
        this.#run(
          "insert into writes (key, content, operation, attempt, senders, state, sent_at) values (?, ?, ?, 1, 1, 'sent', ?)",
          ...[key, content, operation, sentAt],
        )
        return { state: 'new', key, attempt: 1, senders: 1 }
      }
      if (row.state === 'done') return { state: 'done', key: row.key, result: row.result ?? 'null' }
      if (row.state === 'sent') {
        if (!canContinue(row.sent_at)) return { state: 'unknown', sentAt: row.sent_at }
        const senders = row.senders + 1
        this.#run('update writes set senders = ? where key = ?', senders, row.key)
        return { state: 'continued', key: row.key, attempt: row.attempt, senders }
      }
      const attempt = row.attempt + 1
      this.#run(
        "update writes set state = 'sent', attempt = ?, senders = 1, sent_at = ? where key = ?",
        ...[attempt, sentAt, row.key],
      )
      return { state: 'new', key: row.key, attempt, senders: 1 }
    })
  }

  /** Returns the JSON of the result of a write that took effect. */
  findResult(key: string): string | undefined {
    const row = this.#find(key)
    return row?.state === 'done' ? (row.result ?? 'null') : undefined
  }

  /** Records that the write took effect. */
  complete(key: string, result: string): void {
    this.#run("update writes set state = 'done', result = ? where key = ?", result, key)
  }

  /**
   * Records that the attempt had no effect, so that a repetition is sent under another idempotency key. Does
   * nothing if another caller has sent the attempt since: that one may have an effect, and decides.
   */
  fail({ key, attempt, senders }: Attempt): void {
    this.#run(
      "update writes set state = 'failed' where key = ? and state = 'sent' and attempt = ? and senders = ?",
      ...[key, attempt, senders],
    )
  }

  #run(statement: string, ...values: (string | number)[]): void {
    this.#state.sqlite.prepare(statement).run(...values)
  }

  #find(key: string): Row | undefined {
    // The columns are those of the table.
    return this.#state.sqlite.prepare('select * from writes where key = ?').get(key) as Row | undefined
  }

  #findOpen(content: string): Row | undefined {
    const statement = "select * from writes where content = ? and state = 'sent' order by sent_at limit 1"
    return this.#state.sqlite.prepare(statement).get(content) as Row | undefined
  }
}
