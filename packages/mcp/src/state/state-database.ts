import { closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** How long a process waits for the transaction of another one. */
const BUSY_TIMEOUT_MS = 30_000
const FILE_MODE = 0o600
const FOLDER_MODE = 0o700

const SCHEMA = `
  create table if not exists writes (
    key text primary key,
    content text not null,
    operation text not null,
    attempt integer not null,
    senders integer not null,
    state text not null check (state in ('sent', 'done', 'failed')),
    sent_at integer not null,
    result text
  ) strict;
  create index if not exists writes_open on writes (content) where state = 'sent';
  create table if not exists payments (
    id text primary key,
    session text not null,
    day text not null,
    asset text not null,
    amount text not null,
    state text not null check (state in ('reserved', 'spent', 'released')),
    created_at integer not null
  ) strict;
  create table if not exists totals (
    period text not null,
    asset text not null,
    amount text not null,
    primary key (period, asset)
  ) strict;
`

/**
 * What must survive the process: which writes were sent, and what was spent. Several processes can share one
 * file.
 */
export interface StateDatabase {
  readonly sqlite: DatabaseSync
  /**
   * Runs the work in a transaction that excludes those of other processes. It is on disk when the call
   * returns.
   */
  transact<T>(work: () => T): T
  close(): void
}

/** Opens the file, which only its owner can read. `:memory:` is a database that ends with the process. */
export function openStateDatabase(file: string): StateDatabase {
  if (file !== ':memory:') {
    mkdirSync(dirname(file), { recursive: true, mode: FOLDER_MODE })
    closeSync(openSync(file, 'a', FILE_MODE))
  }
  const sqlite = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS })
  // Each commit reaches the disk before the call that it protects is sent.
  sqlite.exec('pragma synchronous = full')
  const transact = <T>(work: () => T): T => {
    sqlite.exec('begin immediate')
    try {
      const result = work()
      sqlite.exec('commit')
      return result
    } catch (error) {
      if (sqlite.isTransaction) sqlite.exec('rollback')
      throw error
    }
  }
  transact(() => sqlite.exec(SCHEMA))
  return { sqlite, transact, close: () => sqlite.close() }
}
