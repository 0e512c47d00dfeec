import { randomBytes } from 'node:crypto'
import type { AnvilClient } from '@mintmark/devkit'
import type pg from 'pg'
import { type Address, bytesToHex, type Hex, numberToHex } from 'viem'
import { readCredentials } from './credentials.ts'
import { emptyDatabase } from './database.ts'
import { SandboxStartError } from './start-error.ts'

/** The account whose storage has the mark. Its address spells "SANDBOX" in ASCII, then 1. */
const MARKED_ACCOUNT: Address = '0x53414e44424f5800000000000000000000000001'
const SLOT = numberToHex(0, { size: 32 })

const MARKS = 'create table if not exists sandbox.chain (mark text not null)'

interface Pair {
  readonly admin: pg.Pool
  readonly databaseUrl: string
  readonly chain: AnvilClient
  readonly dataDir: string
  /** Whether the caller passed the database. */
  readonly isOwnDatabase: boolean
  readonly log: (line: string) => void
}

/**
 * Ensures that a database contains what was read from this chain. Both have a mark. A chain is stored seconds
 * later than the rows about it, so that a start that was cut may leave rows without their chain: the sandbox
 * then empties a database that it has created itself.
 *
 * @throws SandboxStartError if the database is the caller's, or the rows are those of a start that was
 * completed.
 */
export async function pairWithChain(pair: Pair): Promise<void> {
  if (await isPaired(pair)) return
  const { admin, databaseUrl, dataDir, isOwnDatabase, log } = pair
  if (isOwnDatabase || (await readCredentials(dataDir)) !== undefined) {
    const database = isOwnDatabase ? ' and empty the database, or use another one,' : ''
    throw new SandboxStartError(
      `The database belongs to another chain than the one in ${dataDir}, which was lost or replaced. Remove ${dataDir}${database} to begin again`,
    )
  }
  log('The database is emptied: the start that wrote it was not completed, and its chain is lost')
  await emptyDatabase(admin, databaseUrl)
  await isPaired(pair)
}

/** Whether a database has the mark of a chain. A database without a mark receives it. */
async function isPaired({ admin, chain }: Pair): Promise<boolean> {
  const mark = await readMark(chain)
  await admin.query(MARKS)
  await admin.query('insert into sandbox.chain select $1 where not exists (select from sandbox.chain)', [
    mark,
  ])
  const { rows } = await admin.query<{ mark: string }>('select mark from sandbox.chain')
  return rows[0]?.mark === mark
}

/** Returns the mark that a stored chain has kept. Marks a new chain. */
async function readMark(chain: AnvilClient): Promise<Hex> {
  const stored = await chain.getStorageAt({ address: MARKED_ACCOUNT, slot: SLOT })
  if (stored !== undefined && BigInt(stored) !== 0n) return stored
  const mark = bytesToHex(randomBytes(32))
  await chain.setStorageAt({ address: MARKED_ACCOUNT, index: SLOT, value: mark })
  return mark
}
