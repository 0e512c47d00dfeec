import { type FileHandle, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { SetupError } from '../errors.ts'

/** What an import depends on. A journal of another import is refused. */
export interface JournalHeader {
  readonly version: 1
  readonly operation: string
  /** The SHA-256 of the file. */
  readonly digest: string
  /** The server and the account. */
  readonly target: string
  /** The SHA-256 of the fields that all rows share. */
  readonly defaults: string
  readonly batchSize: number
  /** When the import began, in milliseconds since the epoch. */
  readonly startedAt: number
}

/** A call is about to be sent. */
export interface SentEntry {
  readonly type: 'sent'
  readonly key: string
  readonly lines: readonly number[]
  readonly at: number
}

/** The server created the rows of a call. */
export interface CreatedEntry {
  readonly type: 'created'
  readonly key: string
  readonly lines: readonly number[]
  /** The ids of the records, in the order of the lines; null for a record without one. */
  readonly ids: readonly (string | number | null)[]
}

/** A row was rejected, by the server or before it was sent. */
export interface RejectedEntry {
  readonly type: 'rejected'
  readonly line: number
  readonly reason: string
}

/**
 * The server rejected a call with several rows. Its rows are sent in the calls `parts`; rows in no part are
 * rejected.
 */
export interface SplitEntry {
  readonly type: 'split'
  readonly key: string
  readonly parts: readonly (readonly number[])[]
  readonly rejected: readonly Omit<RejectedEntry, 'type'>[]
}

export type JournalEntry = SentEntry | CreatedEntry | RejectedEntry | SplitEntry

/** The file that makes an import resumable. */
export interface Journal {
  readonly header: JournalHeader
  /** The entries of earlier runs. */
  readonly entries: readonly JournalEntry[]
  /** Adds an entry. Resolves when the disk has stored it. */
  append(entry: JournalEntry): Promise<void>
  close(): Promise<void>
}

async function syncFolder(path: string): Promise<void> {
  // Windows cannot open folders.
  if (process.platform === 'win32') return
  const folder = await open(dirname(path), 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

interface StoredJournal {
  readonly header: JournalHeader | undefined
  readonly entries: readonly JournalEntry[]
  /** The length of the complete lines, in bytes. */
  readonly length: number
}

/** Parses a journal. Its last line may be incomplete, because the process was killed while it was written. */
function parseJournal(content: Buffer, path: string): StoredJournal {
  const length = content.lastIndexOf('\n') + 1
  const lines = content.subarray(0, length).toString('utf8').split('\n').slice(0, -1)
  try {
    const [header, ...entries] = lines.map((line) => JSON.parse(line))
    return { header, entries, length }
  } catch {
    throw new SetupError(`${path} is damaged. Restore it, or check which rows exist and import the others`)
  }
}

/** Writes lines in batches, each of which reaches the disk before its entries are reported. */
function createAppender(handle: FileHandle): (line: string) => Promise<void> {
  let waiting: { readonly line: string; resolve(): void; reject(error: unknown): void }[] = []
  let isWriting = false
  let failure: { readonly error: unknown } | undefined

  async function flush(): Promise<void> {
    isWriting = true
    while (waiting.length > 0) {
      const batch = waiting
      waiting = []
      try {
        // A failed write may have left a part of a line. Only the last line of a journal may be incomplete.
        if (failure !== undefined) throw failure.error
        await handle.appendFile(batch.map(({ line }) => line).join(''))
        await handle.datasync()
        for (const { resolve } of batch) resolve()
      } catch (error) {
        failure ??= { error }
        for (const { reject } of batch) reject(error)
      }
    }
    isWriting = false
  }

  return (line) =>
    new Promise((resolve, reject) => {
      waiting.push({ line, resolve, reject })
      if (!isWriting) void flush()
    })
}

/** Opens the journal of an import, or begins it. Throws a SetupError for the journal of another import. */
export async function openJournal(
  path: string,
  header: JournalHeader,
  describeDifference: (stored: JournalHeader) => string | undefined,
): Promise<Journal> {
  // Not readable for others: it has the address of the server and the ids of records.
  const handle = await open(path, 'a+', 0o600)
  try {
    const stored = parseJournal(await handle.readFile(), path)
    const difference = stored.header && describeDifference(stored.header)
    if (difference !== undefined) throw new SetupError(difference)
    await handle.truncate(stored.length)
    const append = createAppender(handle)
    if (stored.header === undefined) {
      await append(`${JSON.stringify(header)}\n`)
      await syncFolder(path)
    }
    return {
      header: stored.header ?? header,
      entries: stored.entries,
      append: (entry) => append(`${JSON.stringify(entry)}\n`),
      close: () => handle.close(),
    }
  } catch (error) {
    await handle.close()
    throw error
  }
}
