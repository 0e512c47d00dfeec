import { readSqlFunctions, type SqlFunction } from '@mintmark/server-kit'
import { createDeliveryFunctions } from '@mintmark/webhooks'
import { dueClaims } from './due-claims.ts'
import { rowChangeTriggers } from './row-changes.ts'
import { timeTriggers } from './timed-tables.ts'
import { webhookSchema } from './webhook-schema.ts'

const files = readSqlFunctions(new URL('./functions/', import.meta.url), [
  'clamp_quantity',
  'keep_card_stores',
  'count_asset_reservations',
  'ended_listings',
  'ended_auctions',
  'ended_offers',
  'oldest_unfinished_orders',
  'collections_with_lapsed_mints',
  'undecided_mints',
  'list_payment_uses',
  'count_shared_payments',
  'oldest_stuck_orders',
  'present_actor',
  'capture_changes',
  'capture_row_changes',
  'capture_transfers',
  'first_unreported_changes',
  'short_assets',
  'hold_project',
  'set_time_due',
  'pass_times',
  'search_cards',
  'search_nfts',
  'list_transfer_ids',
])

const triggers = { ...rowChangeTriggers, ...timeTriggers }

/**
 * The functions of the gateway's schema with their triggers. `migrate` re-creates those whose text has
 * changed.
 */
export const functions: readonly SqlFunction[] = [
  ...files.map(({ name, sql }) => ({ name, sql: `${sql}${triggers[name] ?? ''}` })),
  ...dueClaims,
  ...createDeliveryFunctions(webhookSchema),
]
