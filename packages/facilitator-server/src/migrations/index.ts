import type { Migration, MigrationPlan } from '@mintmark/server-kit'
import { accountTables } from './0001-accounts.ts'
import { endFunction, reserveFunction } from './0001-functions.ts'
import { ledgerTables } from './0001-ledger.ts'
import { settlementTables } from './0001-settlements.ts'
import { transactionTables } from './0002-transactions.ts'
import { webhookTables } from './0003-webhooks.ts'
import { notSentSettlements } from './0004-not-sent.ts'
import { freezeColumns } from './0005-freezes.ts'
import { payerFunds } from './0005-payer-funds.ts'
import { treasuryTables } from './0005-treasury.ts'
import { transactionSweepIndexes } from './0006-transaction-sweep.ts'

const migrations: readonly Migration[] = [
  { id: '0001_accounts', up: accountTables },
  { id: '0001_ledger', up: ledgerTables },
  { id: '0001_settlements', up: settlementTables + reserveFunction + endFunction },
  transactionTables,
  webhookTables,
  notSentSettlements,
  freezeColumns,
  payerFunds,
  treasuryTables,
  transactionSweepIndexes,
]

/** The facilitator's schema, its history and the role that the server works as. */
export const facilitatorSchema: MigrationPlan = {
  schema: 'facilitator',
  migrations,
  role: 'mintmark_facilitator',
  migrateCommand: 'mintmark-facilitator migrate',
}
