import { type MigrationPlan, readSqlFunctions } from '@mintmark/server-kit'
import { ledgerBaseline } from './0001-ledger.ts'
import { paymentsBaseline } from './0002-payments.ts'
import { chainsBaseline } from './0003-chains.ts'
import { webhooksBaseline } from './0004-webhooks.ts'
import { attemptNonces } from './0030-attempt-nonces.ts'
import { audits } from './0031-audits.ts'

/** The facilitator's schema: its migrations, its functions and the role that the server uses. */
export const facilitatorSchema: MigrationPlan = {
  schema: 'facilitator',
  migrations: [ledgerBaseline, paymentsBaseline, chainsBaseline, webhooksBaseline, attemptNonces, audits],
  functions: readSqlFunctions(new URL('../ledger/functions/', import.meta.url), [
    'refuse_change',
    'guard_settlement',
    'amount_in_flight',
    'payer_reverts',
    'account_reverts',
    'apply_transitions',
    'reserve_settlements',
    'reserve_covered_settlements',
  ]),
  role: 'mintmark_facilitator',
  migrateCommand: 'mintmark-facilitator migrate',
}
