import { type MigrationPlan, readSqlFunctions } from '@mintmark/server-kit'
import { createDeliveryFunctions } from '@mintmark/webhooks'
import { facilitatorWebhooks } from '../webhooks/schema.ts'
import { ledgerBaseline } from './0001-ledger.ts'
import { paymentsBaseline } from './0002-payments.ts'
import { chainsBaseline } from './0003-chains.ts'
import { webhooksBaseline } from './0004-webhooks.ts'
import { unfinishedSettlements } from './0010-unfinished-settlements.ts'
import { reservedBlocks } from './0020-reserved-blocks.ts'
import { attemptNonces } from './0030-attempt-nonces.ts'
import { audits } from './0031-audits.ts'
import { batchedSettlements } from './0050-batched-settlements.ts'
import { auditedBlocks } from './0060-audited-blocks.ts'
import { revertClearances } from './0061-revert-clearances.ts'
import { sharedWebhooks } from './0062-shared-webhooks.ts'
import { fewerIndexes } from './0070-fewer-indexes.ts'
import { transitionItems } from './0071-transition-items.ts'
import { deliveryTimes } from './0072-delivery-times.ts'
import { deliveryRanges } from './0073-delivery-ranges.ts'
import { paymentDomains } from './0080-payment-domains.ts'
import { catalog } from './0090-catalog.ts'
import { operatorDecisions } from './0100-operator-decisions.ts'
import { paymentIdentifiers } from './0110-payment-identifiers.ts'
import { svmTransactions } from './0120-svm-transactions.ts'
import { paymentsInFlight } from './0125-payments-in-flight.ts'
import { approvalGrants } from './0130-approval-grants.ts'
import { batches } from './0135-batches.ts'
import { channels } from './0140-channels.ts'
import { grantLists } from './0145-grant-lists.ts'
import { knownChannels } from './0150-known-channels.ts'
import { failedOperations } from './0155-failed-operations.ts'
import { channelClaims } from './0160-channel-claims.ts'
import { settlementColumns } from './0165-settlement-columns.ts'
import { channelVouchers } from './0170-channel-vouchers.ts'
import { presentWebhooks } from './0175-present-webhooks.ts'
import { quotaLists } from './0180-quota-lists.ts'
import { catalogSizes } from './0185-catalog-sizes.ts'
import { catalogConfirmations } from './0192-catalog-confirmations.ts'

/** The facilitator's schema: its migrations, its functions and the role that the server uses. */
export const facilitatorSchema: MigrationPlan = {
  schema: 'facilitator',
  migrations: [
    ledgerBaseline,
    paymentsBaseline,
    chainsBaseline,
    webhooksBaseline,
    unfinishedSettlements,
    reservedBlocks,
    attemptNonces,
    audits,
    batchedSettlements,
    auditedBlocks,
    revertClearances,
    sharedWebhooks,
    fewerIndexes,
    transitionItems,
    deliveryTimes,
    deliveryRanges,
    paymentDomains,
    catalog,
    operatorDecisions,
    paymentIdentifiers,
    svmTransactions,
    paymentsInFlight,
    approvalGrants,
    batches,
    channels,
    grantLists,
    knownChannels,
    failedOperations,
    channelClaims,
    settlementColumns,
    channelVouchers,
    presentWebhooks,
    quotaLists,
    catalogSizes,
    catalogConfirmations,
  ],
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
  ],
  role: facilitatorWebhooks.role,
  migrateCommand: facilitatorWebhooks.migrateCommand,
}
