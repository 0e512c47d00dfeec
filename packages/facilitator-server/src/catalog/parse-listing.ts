import { isObject, type JsonObject } from '../payment/fields.ts'
import type { BazaarExtension, FieldProblem, ParsedListing, ResourceListing } from '../payment/listing.ts'
import type { Payment } from '../payment/payment.ts'
import { parseRouteTemplate } from '../payment/route-template.ts'
import { findSchemaProblem } from './info-schema.ts'
import { findJsonProblem, type JsonLimits } from './json-limits.ts'
import { isIconUrl, toCanonicalUrl } from './resource-url.ts'
import { findTextProblem, isPrintableAscii } from './text-rules.ts'

export const BAZAAR = 'bazaar'

const EXTENSION_LIMITS: JsonLimits = { bytes: 16_384, depth: 24, values: 2_000 }
const EXTRA_LIMITS: JsonLimits = { bytes: 2_048, depth: 4, values: 100 }
const MAX_DESCRIPTION_CHARACTERS = 2_000
const MAX_MIME_TYPE_CHARACTERS = 128
const MAX_TOOL_NAME_CHARACTERS = 128
/** Limits of the specification. */
const MAX_SERVICE_NAME_CHARACTERS = 32
const MAX_TAG_CHARACTERS = 32
const MAX_TAGS = 5

const QUERY_METHODS = ['GET', 'HEAD', 'DELETE']
const BODY_METHODS = ['POST', 'PUT', 'PATCH']
const BODY_TYPES = ['json', 'form-data', 'text']
const TRANSPORTS = ['streamable-http', 'sse']

const INPUT = 'extensions.bazaar.info.input'

/** Ends the parsing of a listing at the first wrong field. */
class RejectedField extends Error {
  override readonly name = 'RejectedField'
  readonly problem: FieldProblem

  constructor(field: string, problem: string) {
    super(`${field}: ${problem}`)
    this.problem = { field, problem }
  }
}

const reject = (field: string, problem: string): never => {
  throw new RejectedField(field, problem)
}

/**
 * Reads what a payment says about its resource: the extension `bazaar` of x402 version 2. Pure, and its work
 * is bounded, because payers and sellers write what it reads.
 *
 * @param allowPrivate For development: also accepts http URLs, local names and IP addresses.
 */
export function parseListing(
  { request }: Pick<Payment, 'request'>,
  { allowPrivate }: { allowPrivate: boolean },
): ParsedListing {
  const { paymentPayload: payload, paymentRequirements: requirements } = request
  // Version 1 has no extensions.
  if (request.x402Version !== 2 || !isObject(payload) || !isObject(payload.extensions))
    return { kind: 'none' }
  if (!Object.hasOwn(payload.extensions, BAZAAR)) return { kind: 'none' }
  try {
    const extension = parseExtension(payload.extensions[BAZAAR])
    const listing = {
      ...parseResource(payload.resource, extension.routeTemplate, allowPrivate),
      ...parseInput(extension.info),
      ...parseTerms(requirements),
      bazaar: extension,
    }
    return { kind: 'valid', listing }
  } catch (error) {
    if (error instanceof RejectedField) return { kind: 'rejected', ...error.problem }
    throw error
  }
}

function parseExtension(extension: unknown): BazaarExtension {
  if (!isObject(extension)) return reject('extensions.bazaar', 'must be an object')
  const { info, schema } = extension
  if (!isObject(info)) return reject('extensions.bazaar.info', 'must be an object')
  if (!isObject(schema)) return reject('extensions.bazaar.schema', 'must be an object')
  const problem =
    findJsonProblem(info, 'extensions.bazaar.info', EXTENSION_LIMITS) ??
    findJsonProblem(schema, 'extensions.bazaar.schema', EXTENSION_LIMITS) ??
    findSchemaProblem(info, schema, { value: 'extensions.bazaar.info', schema: 'extensions.bazaar.schema' })
  if (problem !== undefined) return reject(problem.field, problem.problem)
  // The specification discards an invalid template: the resource is then cataloged under the path of the
  // request.
  const routeTemplate = parseRouteTemplate(extension.routeTemplate)
  return { info, schema, ...(routeTemplate !== undefined && { routeTemplate }) }
}

function parseInput({ input }: JsonObject): Pick<ResourceListing, 'type' | 'action'> {
  if (!isObject(input)) return reject(INPUT, 'must be an object')
  if (input.type === 'http') return { type: 'http', action: parseHttpInput(input) }
  if (input.type === 'mcp') return { type: 'mcp', action: parseMcpInput(input) }
  return reject(`${INPUT}.type`, 'must be http or mcp')
}

function parseHttpInput({ method, bodyType }: JsonObject): string {
  if (typeof method !== 'string' || ![...QUERY_METHODS, ...BODY_METHODS].includes(method)) {
    return reject(`${INPUT}.method`, `must be one of ${[...QUERY_METHODS, ...BODY_METHODS].join(', ')}`)
  }
  if (bodyType === undefined) return method
  if (typeof bodyType !== 'string' || !BODY_TYPES.includes(bodyType)) {
    return reject(`${INPUT}.bodyType`, `must be one of ${BODY_TYPES.join(', ')}`)
  }
  if (!BODY_METHODS.includes(method)) {
    return reject(`${INPUT}.bodyType`, `is only for ${BODY_METHODS.join(', ')}`)
  }
  return method
}

function parseMcpInput({ toolName, inputSchema, transport }: JsonObject): string {
  if (typeof toolName !== 'string' || toolName === '') return reject(`${INPUT}.toolName`, 'must be a text')
  const problem = findTextProblem(toolName, MAX_TOOL_NAME_CHARACTERS)
  if (problem !== undefined) return reject(`${INPUT}.toolName`, problem)
  if (!isObject(inputSchema)) return reject(`${INPUT}.inputSchema`, 'must be an object')
  if (transport !== undefined && !(typeof transport === 'string' && TRANSPORTS.includes(transport))) {
    return reject(`${INPUT}.transport`, `must be one of ${TRANSPORTS.join(', ')}`)
  }
  return toolName
}

function parseResource(resource: unknown, routeTemplate: string | undefined, allowPrivate: boolean) {
  if (!isObject(resource)) return reject('resource', 'must be an object')
  const canonical = toCanonicalUrl(resource.url, routeTemplate, allowPrivate)
  if ('problem' in canonical) return reject('resource.url', canonical.problem)
  const description = parseText(resource, 'description', MAX_DESCRIPTION_CHARACTERS)
  const mimeType = parseText(resource, 'mimeType', MAX_MIME_TYPE_CHARACTERS)
  const { serviceName, iconUrl } = resource
  const tags = parseTags(resource.tags)
  return {
    resource: canonical.url,
    ...(description !== undefined && { description }),
    ...(mimeType !== undefined && { mimeType }),
    // The specification drops invalid ones and keeps the rest.
    ...(isPrintableAscii(serviceName, MAX_SERVICE_NAME_CHARACTERS) && { serviceName }),
    ...(tags.length > 0 && { tags }),
    ...(isIconUrl(iconUrl) && { iconUrl }),
  }
}

function parseText(resource: JsonObject, name: string, maxCharacters: number): string | undefined {
  const text = resource[name]
  if (text === undefined || text === null || text === '') return undefined
  if (typeof text !== 'string') return reject(`resource.${name}`, 'must be a text')
  const problem = findTextProblem(text, maxCharacters)
  return problem === undefined ? text : reject(`resource.${name}`, problem)
}

function parseTags(tags: unknown): string[] {
  const kept = new Map<string, string>()
  for (const tag of Array.isArray(tags) ? tags : []) {
    if (kept.size === MAX_TAGS) break
    if (!isPrintableAscii(tag, MAX_TAG_CHARACTERS)) continue
    const key = tag.toLowerCase()
    if (!kept.has(key)) kept.set(key, tag)
  }
  return [...kept.values()]
}

function parseTerms(requirements: object): Pick<ResourceListing, 'maxTimeoutSeconds' | 'extra'> {
  const { maxTimeoutSeconds, extra } = requirements as JsonObject
  const seconds = typeof maxTimeoutSeconds === 'number' ? maxTimeoutSeconds : 0
  if (!isObject(extra)) return { maxTimeoutSeconds: seconds }
  const problem = findJsonProblem(extra, 'accepted.extra', EXTRA_LIMITS)
  if (problem !== undefined) return reject(problem.field, problem.problem)
  return { maxTimeoutSeconds: seconds, extra }
}
