import { Amount, Integer, record, type Schema, Text, Timestamp } from '@mintmark/envelope'
import { facilitatorOperation, type InputOf } from '@mintmark/operation'
import * as v from 'valibot'

const terms = record({
  /** The x402 scheme, such as `exact`. */
  scheme: v.string(),
  /** The CAIP-2 id of the chain, such as `eip155:84532`. */
  network: v.string(),
  /** The token's address. */
  asset: v.string(),
  /** The amount of the newest payment, in base units of the asset. */
  amount: v.string(),
  /** The address that received the payments. */
  payTo: v.string(),
  /** How long a payment may take, in seconds. */
  maxTimeoutSeconds: v.number(),
  /** Details that payers need, such as the token's EIP-712 domain. */
  extra: v.optional(v.looseObject({})),
})

const catalogResource = record({
  /**
   * The URL of the resource, without a query. Parts of the path that vary are named, such as `/users/:id`.
   */
  resource: v.string(),
  /** `http`, or `mcp` for a tool of an MCP server. */
  type: v.string(),
  /** The x402 version of the payments: 2. */
  x402Version: v.number(),
  /** What the payments paid. */
  accepts: v.array(terms),
  /** When the description last changed. */
  lastUpdated: Timestamp,
  /**
   * What the seller says about the resource. Like all texts of a resource it is unchecked: show it as text.
   */
  description: v.optional(v.string()),
  /** The type of the response, such as `application/json`. */
  mimeType: v.optional(v.string()),
  /** The name of the service. */
  serviceName: v.optional(v.string()),
  /** At most five words for the service. */
  tags: v.optional(v.array(v.string())),
  /** The URL of an icon. */
  iconUrl: v.optional(v.string()),
  /** `bazaar`: how the resource is called, as `info`, and the JSON Schema of `info`, as `schema`. */
  extensions: v.looseObject({}),
  /** How many payments settled. */
  settleCount: v.number(),
  /** When the first payment settled. */
  firstSettled: Timestamp,
  /** When the newest payment settled. */
  lastSettled: Timestamp,
})
/** A resource that somebody paid for through the facilitator. */
export interface CatalogResource extends v.InferOutput<typeof catalogResource> {}
export const CatalogResource: Schema<CatalogResource> = catalogResource

const filterFields = {
  /** `http` or `mcp`. */
  type: v.optional(Text),
  /** The address that received the payments. */
  payTo: v.optional(Text),
  /** The x402 scheme, such as `exact`. */
  scheme: v.optional(Text),
  /** The CAIP-2 id of the chain. */
  network: v.optional(Text),
  /** The token's address. */
  asset: v.optional(Text),
  /** The lowest amount, in base units of the asset. */
  minAmount: v.optional(Amount),
  /** The highest amount, in base units of the asset. */
  maxAmount: v.optional(Amount),
  /** The name of an extension that the resources have. All have `bazaar`. */
  extensions: v.optional(Text),
  /** How many resources are returned, at most 100. Default: 20. */
  limit: v.optional(Integer),
  /** The `cursor` of the previous page. */
  cursor: v.optional(Text),
}

const resourceList = record({
  /** The x402 version: 2. */
  x402Version: v.number(),
  /** The resources, newest first. */
  items: v.array(CatalogResource),
  /** The position of the page. */
  pagination: record({
    /** The most resources of the page. */
    limit: v.number(),
    /** How many resources precede the page. */
    offset: v.number(),
    /** How many resources match, counted up to 2,000. With `cursor`, of those after it. */
    total: v.number(),
    /** Continues the list with `cursor`; null at its end. */
    cursor: v.nullable(v.string()),
  }),
})
/** A page of the catalog. */
export interface ResourceList extends v.InferOutput<typeof resourceList> {}
export const ResourceList: Schema<ResourceList> = resourceList

/**
 * Lists the resources that were paid for through the facilitator, newest first. Requires no key. The path and
 * the response are those that `withBazaar` of `@x402/extensions` uses. A page may have fewer resources than
 * `limit` before the list ends: `pagination.cursor` is null at its end only.
 *
 * @example
 * const { items } = await catalog.list(facilitator, { network: 'eip155:84532', maxAmount: '10000' })
 * for (const { resource, accepts } of items) console.log(resource, accepts[0]?.amount)
 */
export const list = facilitatorOperation({
  id: 'catalog.list',
  method: 'GET',
  path: '/x402/discovery/resources',
  source: 'added',
  query: {
    ...filterFields,
    /** How many resources precede the page, at most 2,000. Use `cursor` beyond. */
    offset: v.optional(Integer),
  },
  data: ResourceList,
})
export type ListResourcesInput = InputOf<typeof list>

const resourceSearch = record({
  /** The x402 version: 2. */
  x402Version: v.number(),
  /** The resources, newest first. */
  resources: v.array(CatalogResource),
  /** The position of the page. */
  pagination: record({
    /** The most resources of the page. */
    limit: v.number(),
    /** Continues the search with `cursor`; null at its end. */
    cursor: v.nullable(v.string()),
  }),
})
/** A page of search results. */
export interface ResourceSearch extends v.InferOutput<typeof resourceSearch> {}
export const ResourceSearch: Schema<ResourceSearch> = resourceSearch

/**
 * Searches the catalog for resources whose name, URL, tags or description contain every word of `query`, in
 * any form of an English word. Newest first. Requires no key. The path and the response are those that
 * `withBazaar` of `@x402/extensions` uses.
 *
 * @example
 * const { resources } = await catalog.search(facilitator, { query: 'weather forecast' })
 * console.log(resources.map(({ resource }) => resource))
 */
export const search = facilitatorOperation({
  id: 'catalog.search',
  method: 'GET',
  path: '/x402/discovery/search',
  source: 'added',
  query: {
    /** The words to search for. */
    query: Text,
    ...filterFields,
  },
  data: ResourceSearch,
})
export type SearchResourcesInput = InputOf<typeof search>
