import { isObject, type JsonObject } from '../payment/fields.ts'
import type { ResourceListing } from '../payment/listing.ts'
import { decodeFully } from '../payment/route-template.ts'

/**
 * Where a listing has the path parameters of one request, for SQL. They are the payer's own, unlike the rest of
 * a listing, which the seller's server declares.
 */
export const PATH_PARAMETERS = '{bazaar,info,input,pathParams}'

/** What programs send instead of a value that they lack, and what API documents show for one. */
const NO_VALUES: ReadonlySet<string> = new Set([
  'undefined',
  'null',
  'nan',
  'objectobject',
  'string',
  'value',
])

/** Whether a path parameter is a value, and not the place of one, such as `{city}`, `:city` or `%7Bcity%7D`. */
function isPathValue(name: string, value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'string') return false
  const decoded = decodeFully(value)?.trim()
  if (decoded === undefined || /^[:$*%]|[{}<>[\]]/.test(decoded)) return false
  const word = toWord(decoded)
  if (word === '' || NO_VALUES.has(word)) return false
  return ![name, `your${name}`, `my${name}`].some((placeholder) => toWord(placeholder) === word)
}

const toWord = (text: string): string => text.replaceAll(/[^\p{L}\p{N}]/gu, '').toLowerCase()

/** Returns the path parameters of a listing. Undefined if it has none. */
function getPathParameters({ bazaar }: ResourceListing): JsonObject | undefined {
  const { input } = bazaar.info
  return isObject(input) && isObject(input.pathParams) && Object.keys(input.pathParams).length > 0
    ? input.pathParams
    : undefined
}

/** Returns the path parameters of a listing if they are an example: each of the route's, with a value. */
export function findPathExample(listing: ResourceListing): JsonObject | undefined {
  const parameters = getPathParameters(listing)
  if (parameters === undefined) return undefined
  const { routeTemplate } = listing.bazaar
  const names = [...(routeTemplate ?? '').matchAll(/:([a-zA-Z_]\w*)/g)].map(([, name]) => name ?? '')
  const given = Object.keys(parameters)
  const isComplete =
    routeTemplate === undefined ||
    (given.length === new Set(names).size && names.every((name) => Object.hasOwn(parameters, name)))
  return isComplete && Object.entries(parameters).every(([name, value]) => isPathValue(name, value))
    ? parameters
    : undefined
}

/** Whether a payment was for the address of a route instead of a resource, so that it describes none. */
export const isForPlaceholder = (listing: ResourceListing): boolean =>
  getPathParameters(listing) !== undefined && findPathExample(listing) === undefined

/** Replaces the path parameters of a listing by an example, if there is one. */
export function withPathExample(listing: ResourceListing, example: JsonObject | undefined): ResourceListing {
  const { info } = listing.bazaar
  if (example === undefined || !isObject(info.input)) return listing
  const input = { ...info.input, pathParams: example }
  return { ...listing, bazaar: { ...listing.bazaar, info: { ...info, input } } }
}
