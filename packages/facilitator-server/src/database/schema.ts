import { type MigrationPlan, readMigrations, readSqlFunctions } from '@mintmark/server-kit'
import { createDeliveryFunctions } from '@mintmark/webhooks'
import { facilitatorWebhooks } from './webhook-schema.ts'

/** The facilitator's schema: its migrations, its functions and the role that the server uses. */
export const facilitatorSchema: MigrationPlan = {
  schema: 'facilitator',
  migrations: readMigrations(new URL('./migrations/', import.meta.url), [
    '0001-accounts',
    '0002-ledger',
    '0003-events',
    '0004-settlements',
    '0005-evm',
    '0006-approvals',
    '0007-channels',
    '0008-treasury',
    '0009-solana',
    '0010-operations',
    '0011-catalog',
    '0012-totals',
  ]),
  functions: [
    ...createDeliveryFunctions(facilitatorWebhooks),
    ...readSqlFunctions(new URL('../events/functions/', import.meta.url), ['record_events']),
    ...readSqlFunctions(new URL('../ledger/functions/', import.meta.url), [
      'refuse_change',
      'guard_settlement',
      'amount_in_flight',
      'payer_reverts',
      'account_reverts',
      'return_prices',
      'apply_transitions',
      'claim_settlements',
      'record_checks',
      'read_payment_status',
      'refuse_for_payers',
      'refuse_for_allowances',
      'refuse_for_identifiers',
      'reserve_settlements',
    ]),
    ...readSqlFunctions(new URL('../catalog/functions/', import.meta.url), ['search_catalog']),
  ],
  role: facilitatorWebhooks.role,
  migrateCommand: facilitatorWebhooks.migrateCommand,
}
