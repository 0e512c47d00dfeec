import { randomBytes } from 'node:crypto'
import { migrate, openDatabase } from '@mintmark/server-kit'
import { testDatabase } from '@mintmark/server-kit/testing'
import { transactionTables } from '../migrations/0002-transactions.ts'
import { treasuryTables } from '../migrations/0005-treasury.ts'
import { transactionSweepIndexes } from '../migrations/0006-transaction-sweep.ts'
import type { Tables } from '../tables.ts'
import type { Store } from './transaction-store.ts'

/** A database with the transactions' tables only, and what ends it. */
export async function transactionDatabase(): Promise<{ db: Store; drop(): Promise<void> }> {
  const { url, drop } = await testDatabase()
  const migrations = [transactionTables, treasuryTables, transactionSweepIndexes]
  const plan = { schema: 'facilitator', role: 'mintmark_facilitator_test', migrations }
  await migrate(url, plan)
  const database = openDatabase<Tables>({ url, role: plan.role })
  return {
    db: database.system,
    async drop() {
      await database.close()
      await drop()
    },
  }
}

export const randomKey = (): string => `0x${randomBytes(32).toString('hex')}`
