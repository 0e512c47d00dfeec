import type { JsonObject } from './fields.ts'

/** What a seller says about a paid resource, validated. The terms of the payment come from its settlement. */
export interface ResourceListing {
  /** The canonical URL: no query, and the path of the route's template if it has one. */
  readonly resource: string
  readonly type: 'http' | 'mcp'
  /** The HTTP method, or the name of the MCP tool. */
  readonly action: string
  readonly description?: string
  readonly mimeType?: string
  readonly serviceName?: string
  readonly tags?: readonly string[]
  readonly iconUrl?: string
  readonly maxTimeoutSeconds: number
  /** The `extra` of the payment requirements. */
  readonly extra?: JsonObject
  readonly bazaar: BazaarExtension
}

/** The extension as it is returned to those who search. */
export interface BazaarExtension {
  readonly info: JsonObject
  readonly schema: JsonObject
  readonly routeTemplate?: string
}

/** One field that the catalog does not accept. */
export interface FieldProblem {
  /** The dotted path in the payment payload. */
  readonly field: string
  readonly problem: string
}

export type ParsedListing =
  /** The payment has no `bazaar` extension, so nothing is cataloged. */
  | { readonly kind: 'none' }
  | { readonly kind: 'valid'; readonly listing: ResourceListing }
  | ({ readonly kind: 'rejected' } & FieldProblem)
