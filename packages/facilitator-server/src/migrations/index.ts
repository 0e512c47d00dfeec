import { type MigrationPlan, readSqlFunctions } from '@mintmark/server-kit'
import { ledgerBaseline } from './0001-ledger.ts'
import { paymentsBaseline } from './0002-payments.ts'
import { chainsBaseline } from './0003-chains.ts'
import { webhooksBaseline } from './0004-webhooks.ts'
import { reservedBlocks } from './0020-reserved-blocks.ts'

/** The facilitator's schema: its migrations, its functions and the role that the server uses. */
export const facilitatorSchema: MigrationPlan = {
  schema: 'facilitator',
  migrations: [ledgerBaseline, paymentsBaseline, chainsBaseline, webhooksBaseline, reservedBlocks],
  functions: [
    ...readSqlFunctions(new URL('../ledger/functions/', import.meta.url), [
      'refuse_change',
      'guard_settlement',
      'amount_in_flight',
      'payer_reverts',
      'account_reverts',
      'apply_transitions',
      'reserve_settlements',
      'reserve_covered_settlements',
    ]),
    ...readSqlFunctions(new URL('../chains/evm/heads/functions/', import.meta.url), ['set_reserved_block']),
  ],
  role: 'mintmark_facilitator',
  migrateCommand: 'mintmark-facilitator migrate',
}
