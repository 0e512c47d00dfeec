import { type CatalogResource, catalog, type ListResourcesInput } from '@mintmark/facilitator'
import { BAZAAR } from '../../catalog/parse-listing.ts'
import {
  type CatalogEntry,
  type CatalogFilter,
  type CatalogPage,
  createEmptyResult,
  searchCatalog,
} from '../../catalog/search.ts'
import { implement } from '../context/context.ts'

const X402_VERSION = 2
const DEFAULT_LIMIT = 20
/** A higher limit is lowered, because the x402 specification calls it advisory. */
const MAX_LIMIT = 100

/** The routes of the catalog: what `withBazaar` of `@x402/extensions` calls. */
export const catalogRoutes = implement(catalog, {
  async list(input, context) {
    const page = readPage(input, context.invalid)
    const found = canMatch(input)
      ? await searchCatalog(context.db, readFilter(input), page)
      : createEmptyResult(page)
    const { entries, total, next, limit } = found
    return {
      x402Version: X402_VERSION,
      items: entries.map(toResource),
      pagination: { limit, offset: page.offset, total, cursor: toCursor(next) },
    }
  },
  async search(input, context) {
    const page = readPage(input, context.invalid)
    const filter = { ...readFilter(input), query: input.query }
    const found = canMatch(input) ? await searchCatalog(context.db, filter, page) : createEmptyResult(page)
    const { entries, next, limit } = found
    return {
      x402Version: X402_VERSION,
      resources: entries.map(toResource),
      pagination: { limit, cursor: toCursor(next) },
    }
  },
})

/** Every resource has the extension `bazaar` and no other. */
const canMatch = ({ extensions }: Pick<ListResourcesInput, 'extensions'>): boolean =>
  extensions === undefined || extensions === BAZAAR

function readFilter(input: ListResourcesInput): CatalogFilter {
  const { type, payTo, scheme, network, asset, minAmount, maxAmount } = input
  return {
    type,
    scheme,
    network,
    payTo: payTo && toStoredAddress(payTo),
    asset: asset && toStoredAddress(asset),
    minAmount: minAmount === undefined ? undefined : BigInt(minAmount),
    maxAmount: maxAmount === undefined ? undefined : BigInt(maxAmount),
  }
}

/** Addresses of EVM chains are stored in lower case. */
const toStoredAddress = (address: string): string =>
  /^0x[0-9a-f]{40}$/i.test(address) ? address.toLowerCase() : address

function readPage(
  { limit = DEFAULT_LIMIT, offset = 0, cursor }: ListResourcesInput,
  invalid: (field: string, message: string) => never,
): CatalogPage {
  const digits = cursor === undefined ? undefined : Buffer.from(cursor, 'base64url').toString('latin1')
  if (digits !== undefined && !/^[0-9]{1,15}$/.test(digits))
    invalid('cursor', 'Expected the cursor of a page')
  return {
    limit: Math.min(limit, MAX_LIMIT),
    offset,
    ...(digits !== undefined && { before: Number(digits) }),
  }
}

const toCursor = (next: number | undefined): string | null =>
  next === undefined ? null : Buffer.from(String(next), 'latin1').toString('base64url')

function toResource(entry: CatalogEntry): CatalogResource {
  const { listing, scheme, network, asset, amount, payTo } = entry
  const { resource, type, description, mimeType, serviceName, tags, iconUrl, maxTimeoutSeconds, extra } =
    listing
  return {
    resource,
    type,
    x402Version: X402_VERSION,
    accepts: [{ scheme, network, asset, amount, payTo, maxTimeoutSeconds, ...(extra && { extra }) }],
    lastUpdated: entry.changedAt.toISOString(),
    ...(description && { description }),
    ...(mimeType && { mimeType }),
    ...(serviceName && { serviceName }),
    ...(tags && { tags: [...tags] }),
    ...(iconUrl && { iconUrl }),
    extensions: { [BAZAAR]: listing.bazaar },
    settleCount: entry.settleCount,
    firstSettled: entry.firstSettledAt.toISOString(),
    lastSettled: entry.lastSettledAt.toISOString(),
  }
}
