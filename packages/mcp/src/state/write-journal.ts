import type { StateDatabase } from './state-database.ts'

/** How long the result of a finished write is kept. */
const RETENTION_MS = 30 * 24 * 3_600_000

/** A write as the journal has it before it is sent, or instead of sending it. */
export type JournalEntry =
  /** To be sent. It has not been sent, or its last attempt had no effect. */
  | { readonly state: 'new'; readonly key: string; readonly attempt: number }
  /** It was sent, and its outcome is unknown. */
  | { readonly state: 'open'; readonly key: string; readonly attempt: number; readonly sentAt: number }
  /** It took effect. `result` is the JSON of its result. */
  | { readonly state: 'done'; readonly key: string; readonly result: string }

/** What identifies a write. */
export interface JournalKey {
  /** The intent, the operation and its input. */
  readonly key: string
  /** The operation and its input, without the intent. */
  readonly content: string
  readonly operation: string
  /** Whether the caller named no intent. Then a write of another session with the same content whose outcome is unknown is continued. */
  readonly isDefaultIntent: boolean
}

interface Row {
  readonly key: string
  readonly attempt: number
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
  begin({ key, content, operation, isDefaultIntent }: JournalKey): JournalEntry {
    return this.#state.transact(() => {
      const row = this.#find(key) ?? (isDefaultIntent ? this.#findOpen(content) : undefined)
      const sentAt = this.#now()
      if (row === undefined) {
        this.#run(
          "insert into writes (key, content, operation, attempt, state, sent_at) values (?, ?, ?, 1, 'sent', ?)",
          ...[key, content, operation, sentAt],
        )
        return { state: 'new', key, attempt: 1 }
      }
      if (row.state === 'done') return { state: 'done', key: row.key, result: row.result ?? 'null' }
      if (row.state === 'sent')
        return { state: 'open', key: row.key, attempt: row.attempt, sentAt: row.sent_at }
      const attempt = row.attempt + 1
      this.#run(
        "update writes set state = 'sent', attempt = ?, sent_at = ? where key = ?",
        ...[attempt, sentAt, row.key],
      )
      return { state: 'new', key: row.key, attempt }
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

  /** Records that the attempt had no effect, so that a repetition is sent. */
  fail(key: string): void {
    this.#run("update writes set state = 'failed' where key = ?", key)
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
