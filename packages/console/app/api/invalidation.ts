import type { OperationShape } from '@mintmark/operation'
import type { Query, QueryClient } from '@tanstack/react-query'

/** What an event reports, as far as it concerns what was read. */
export interface ChangeNotice {
  /** The type of the event, such as `order.paid`. */
  readonly type: string
  /** The record after the change. */
  readonly data: object
}

const cardGroups = ['promoCodeCards', 'eventCards', 'membershipCards', 'commemorativeCards']
const saleGroups = ['commonSales', 'couponSales', 'limitedTimeCoupons', 'couponCodes', 'specifiedSales']

/** The groups of operations that return the records of an event, by the first word of its type. */
const groupsByEvent: Readonly<Record<string, readonly string[]>> = {
  order: ['orders', 'dailyTotals'],
  card: cardGroups,
  campaign: ['campaigns'],
  store: ['stores'],
  verification: [...cardGroups, 'campaigns', 'dailyTotals'],
  listing: [...saleGroups, 'assets'],
  coupon: [...saleGroups],
  auction: ['auctions'],
  bid: ['auctions'],
  offer: ['offers'],
  product_collection: ['productCards'],
  product_nft: ['productCards'],
  contract: ['contracts', 'nfts'],
  nft: ['nfts', 'assets'],
  transfer: ['assets', 'nfts'],
  lazy_collection: ['lazyMinting'],
  lazy_nft: ['lazyMinting'],
  mint: ['lazyMinting', 'productCards', 'assets'],
  phase: ['lazyMinting', 'productCards'],
  whitelist_entry: ['lazyMinting', 'productCards'],
  webhook: ['eventWebhooks'],
  wallet: ['walletInfo'],
  address_book_entry: ['addressBook'],
  follow: ['follows', 'fans'],
  fan: ['fans'],
  message: ['words'],
}

/**
 * Events whose record is the one that `get` of these groups returns, so that its fields identify the read.
 */
const recordGroupsByEvent: Readonly<Record<string, readonly string[]>> = {
  order: ['orders'],
  card: cardGroups,
  listing: saleGroups,
  auction: ['auctions'],
  offer: ['offers'],
  contract: ['contracts'],
  nft: ['nfts'],
}

/**
 * The groups of operations that show what an operator changes at the facilitator. Checks of the ledger and
 * the health are read by a press.
 */
const facilitatorGroups: readonly string[] = [
  'operatorAccounts',
  'operatorSettlements',
  'operatorReverts',
  'operatorDecisions',
]

/** Returns the groups of operations whose records an event changes. */
export function findAffectedGroups(type: string): readonly string[] {
  const [kind = ''] = type.split('.')
  return [...(groupsByEvent[kind] ?? [kind]), 'events', 'audit']
}

/**
 * Whether a read may return something else after a change. A read of one record is unaffected if the event's
 * record has another value in a field that the read names, such as `orderNo`. A list can gain and lose
 * records, so any change of its group affects it.
 */
export function isAffected(
  read: { readonly operation: string; readonly input: unknown; readonly isList: boolean },
  change: ChangeNotice,
): boolean {
  const [group = ''] = read.operation.split('.')
  if (!findAffectedGroups(change.type).includes(group)) return false
  const [kind = ''] = change.type.split('.')
  if (read.isList || !recordGroupsByEvent[kind]?.includes(group)) return true
  const fields: Readonly<Record<string, unknown>> = { ...change.data }
  const inputs = Object.entries(read.input ?? {})
  return inputs.every(([name, value]) => fields[name] === undefined || fields[name] === value)
}

/** Reads again what the given changes affect: at once what a page shows, otherwise when it is opened. */
export async function invalidateAfterEvents(
  client: QueryClient,
  projectId: number,
  changes: readonly ChangeNotice[],
): Promise<void> {
  await client.invalidateQueries({
    predicate: (query) => {
      const read = findRead(query, projectId)
      return read !== undefined && changes.some((change) => isAffected(read, change))
    },
  })
}

/**
 * Reads again what was read of a project so far: at once what a page shows, otherwise when it is opened. Call
 * it as soon as the place in the feed is known from which events are followed, because earlier events report
 * no change after an earlier read.
 */
export async function invalidateReads(client: QueryClient, projectId: number): Promise<void> {
  const reads = client
    .getQueryCache()
    .findAll({ predicate: (query) => findRead(query, projectId) !== undefined })
  // A read that has no data yet is not started again.
  await Promise.allSettled(reads.map(({ promise }) => promise))
  // A read that failed shows why, until a person tries again.
  await client.invalidateQueries({
    predicate: (query) => reads.includes(query) && query.state.data !== undefined,
  })
}

/**
 * Reads again what a successful write may have changed, before its events arrive: of a project, everything
 * that the page shows.
 */
export async function invalidateAfterWrite(
  client: QueryClient,
  projectId: number | undefined,
  { id, service }: OperationShape,
): Promise<void> {
  const [own = ''] = id.split('.')
  const isChanged = ({ operation }: { operation: string }) =>
    service === 'gateway' || [own, ...facilitatorGroups].includes(operation.split('.')[0] ?? '')
  await client.invalidateQueries({
    predicate: (query) => {
      const read = findRead(query, projectId)
      return read !== undefined && isChanged(read)
    },
  })
}

function findRead(
  { queryKey, state }: Query,
  projectId: number | undefined,
): { operation: string; input: unknown; isList: boolean } | undefined {
  const [kind, project, operation, input] = queryKey
  if (kind !== 'operation' || project !== (projectId ?? null) || typeof operation !== 'string')
    return undefined
  const isList = Array.isArray(state.data) || (state.data instanceof Object && 'list' in state.data)
  return { operation, input, isList }
}
