import { MAX_PAGE_SIZE } from '@mintmark/envelope'
import {
  type FieldLimit,
  type FieldLimits,
  MAX_BODY_BYTES,
  MAX_BYTES_PER_CHARACTER,
} from '@mintmark/server-kit'
import { LOGGED_ATTEMPTS } from '@mintmark/webhooks'
import { expect, it } from 'vitest'
import { MAX_CHANGES_BYTES } from '../src/domains/audit/audit-record.ts'
import { BATCH_BYTES, MAX_EVENT_BYTES } from '../src/domains/events/events-store.ts'
import { MAX_CLAIMS } from '../src/domains/inventory/order-settings.ts'
import { MAX_ROWS } from '../src/domains/totals/reports-store.ts'
import { MAX_DAYS, MAX_TOKENS } from '../src/domains/totals/totals-handlers.ts'
import {
  ADDRESS,
  JSON_OBJECT,
  MAX_RESPONSE_BYTES,
  NAME,
  RESPONSE_ITEMS,
  URL,
} from '../src/http/field-limits.ts'
import { routes } from '../src/main/routes.ts'

/** Texts of records that come from the fields of other operations, or from the server. */
const RECORD_LIMITS: FieldLimits = {
  after: JSON_OBJECT,
  applicableStores: { bytes: 32_768 },
  before: JSON_OBJECT,
  changedBy: NAME,
  coupon: { bytes: 1024 },
  // Messages of the server.
  error: { characters: 200 },
  fanName: NAME,
  fanPhoto: URL,
  groupId: { characters: 128 },
  nftImg: URL,
  nftName: { characters: 400 },
  photo: URL,
  profilePhoto: URL,
  projectName: NAME,
  recipientName: NAME,
  recipientPhoto: URL,
  // Names of the server's scopes, in ASCII.
  scopes: { items: 50, bytes: 50 * 35 },
  // EVM addresses with their quotes and comma.
  reservedFor: { items: 1000, bytes: 45_000 },
  senderName: NAME,
  senderPhoto: URL,
  updatedBy: NAME,
  from: ADDRESS,
  to: ADDRESS,
}

/** Names, numbers, times, hashes and links that the server itself makes. */
const SERVER_TEXT_BYTES = 300

/** Limits of fields of one operation. An imported entry has no remark yet. */
const OPERATION_LIMITS: Readonly<Record<string, FieldLimits>> = {
  'audit.list': { changes: { bytes: MAX_CHANGES_BYTES } },
  'campaigns.get': { days: { items: 1000 }, refused: { items: 20 } },
  'dailyTotals.get': {
    days: { items: MAX_DAYS, bytes: MAX_DAYS * 13 },
    ordersPlaced: { items: MAX_DAYS },
    ordersPaid: { items: MAX_DAYS },
    scansAccepted: { items: MAX_DAYS },
    scansRefused: { items: MAX_DAYS },
    // An amount has at most 78 digits.
    amounts: { items: MAX_DAYS, bytes: MAX_DAYS * 81 },
    revenue: { items: MAX_TOKENS },
  },
  // The longest group is an actor.
  'reports.redemptions': { group: { bytes: 1024 }, refused: { items: 15 } },
  'reports.sales': { group: { bytes: 600 }, name: { characters: 400 } },
  'addressBook.importFollowing': { remark: { bytes: 0 } },
  // One message of a stream.
  'events.stream': { data: { bytes: MAX_EVENT_BYTES } },
  // 500 events with fields of the server beside their data.
  'events.list': {
    data: { bytes: MAX_EVENT_BYTES },
    events: { items: 500, bytes: BATCH_BYTES + MAX_EVENT_BYTES + 500 * SERVER_TEXT_BYTES },
  },
}

/** A number, a boolean or null. */
const NUMBER_BYTES = 25

/** Items of arrays in responses that no input field limits. */
const COUNTS: Readonly<Record<string, number>> = {
  bids: 100,
  codes: 10_000,
  listings: 100,
  log: LOGGED_ATTEMPTS,
  nfts: RESPONSE_ITEMS.productNfts,
  orderTypes: 20,
  projects: RESPONSE_ITEMS.memberships,
  reasons: 10,
  refunds: MAX_CLAIMS,
  tokens: RESPONSE_ITEMS.tokensOfCreator,
}

/** Items of responses that are lists without pages. */
const LISTS: Readonly<Record<string, number>> = {
  'addressBook.importFollowing': RESPONSE_ITEMS.importedEntries,
  'apiKeys.list': RESPONSE_ITEMS.apiKeys,
  'nfts.properties': RESPONSE_ITEMS.rarities,
  'offers.maxByTokenType': RESPONSE_ITEMS.offersByToken,
  'people.list': RESPONSE_ITEMS.people,
  'people.listInvitations': RESPONSE_ITEMS.people,
  'publishableKeys.list': RESPONSE_ITEMS.publishableKeys,
  'reports.redemptions': MAX_ROWS,
  'reports.sales': MAX_ROWS,
  'words.conversations': RESPONSE_ITEMS.conversations,
}

interface Inner {
  readonly type: string
  readonly wrapped?: Inner
  readonly pipe?: readonly Inner[]
  readonly item?: Inner
  readonly entries?: Readonly<Record<string, Inner>>
  readonly options?: readonly Inner[]
}

function coreOf(schema: Inner): Inner {
  let outer = schema
  while (outer.wrapped) outer = outer.wrapped
  return outer.pipe?.[0] ?? outer
}

function largestText({ characters, bytes }: FieldLimit): number {
  return (
    2 +
    Math.min(
      bytes ?? Number.POSITIVE_INFINITY,
      (characters ?? Number.POSITIVE_INFINITY) * MAX_BYTES_PER_CHARACTER,
    )
  )
}

/** The most bytes of JSON that a value of a record's field takes. */
function largest(schema: Inner, name: string, limits: FieldLimits): number {
  const core = coreOf(schema)
  const limit = limits[name]
  if (core.options !== undefined && core.type !== 'picklist')
    return Math.max(...core.options.map((option) => largest(option, name, limits)))
  if (core.type === 'string') return limit === undefined ? SERVER_TEXT_BYTES : largestText(limit)
  if (core.type === 'array' && core.item) {
    const count = COUNTS[name] ?? limit?.items
    if (count === undefined) throw new Error(`How many items ${name} has is not bounded`)
    const bytes = 2 + count * (1 + largest(core.item, name, limits))
    return Math.min(limit?.bytes ?? bytes, bytes)
  }
  if (core.entries && (core.type !== 'loose_object' || Object.keys(core.entries).length > 0)) {
    const fields = Object.entries(core.entries)
    return fields.reduce((sum, [key, field]) => sum + key.length + 4 + largest(field, key, limits), 2)
  }
  if (core.type === 'loose_object' || core.type === 'record') {
    // The data of an operation without a result.
    if (name === '') return 2
    if (limit?.bytes === undefined) throw new Error(`The size of the object ${name} is not bounded`)
    return limit.bytes
  }
  return NUMBER_BYTES
}

const entriesOf = (schema: unknown) => coreOf(schema as Inner).entries ?? {}

/**
 * Without those of operators: their lists have at most 1,000 rows of texts that the server writes, which no
 * tenant can lengthen.
 */
const tenantRoutes = routes.filter(({ operation: { scope = '' } }) => !scope.startsWith('operator:'))

it.each(tenantRoutes.map(({ operation, limits = {} }) => [operation.id, operation, limits] as const))(
  'the largest response to %s has at most 8 MiB',
  (id, operation, declared) => {
    const limits = { ...declared, ...RECORD_LIMITS, ...OPERATION_LIMITS[id] }
    const size = () => {
      const core = coreOf(operation.data as unknown as Inner)
      if (operation.paged) {
        const { list } = entriesOf(operation.data)
        const item = list && coreOf(list).item
        if (item === undefined) throw new Error('A page has no list')
        const most = limits[`${id}/pageSize`]?.max ?? MAX_PAGE_SIZE
        return most * largest(item, '', limits) + 32_768
      }
      if (core.type !== 'array' || core.item === undefined) return largest(core, '', limits)
      const count = LISTS[id]
      if (count !== undefined) return count * largest(core.item, '', limits)
      // A batch returns the items of its body, with the fields that the server adds.
      const fields = Object.keys(coreOf(core.item).entries ?? {}).length
      return MAX_BODY_BYTES * 2 + (limits.cards?.items ?? 0) * fields * SERVER_TEXT_BYTES
    }
    expect(size()).toBeLessThanOrEqual(MAX_RESPONSE_BYTES)
  },
)
