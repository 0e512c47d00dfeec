import type { CallOptions, CallResult, Client, OperationShape, Service } from '@mintmark/operation'
import { createFacilitator, createGateway } from 'mintmark'
import { ToolError } from './tool-error.ts'
import { hashParts } from './writes/intent-key.ts'

type Fetch = (url: string, init: RequestInit) => Promise<Response>

export interface GatewaySettings {
  readonly baseUrl: string
  readonly apiKey: string
  readonly secret: string
  /** Replaces the global fetch. */
  readonly fetch?: Fetch | undefined
}

export interface FacilitatorSettings {
  readonly baseUrl: string
  /** Public operations need none. */
  readonly token?: string | undefined
  /** Replaces the global fetch. */
  readonly fetch?: Fetch | undefined
}

export interface ClientSettings {
  readonly gateway?: GatewaySettings | undefined
  readonly facilitator?: FacilitatorSettings | undefined
}

const VARIABLES: Readonly<Record<Service, string>> = {
  gateway: 'MINTMARK_GATEWAY_URL, MINTMARK_API_KEY and MINTMARK_SECRET',
  facilitator: 'MINTMARK_FACILITATOR_URL and MINTMARK_FACILITATOR_TOKEN',
}

/** The clients of the configured services. */
export class Clients {
  readonly #settings: ClientSettings
  readonly #clients: { readonly [S in Service]?: Client<S> }

  constructor(settings: ClientSettings) {
    this.#settings = settings
    const { gateway, facilitator } = settings
    this.#clients = {
      ...(gateway && { gateway: createGatewayClient(gateway) }),
      ...(facilitator && { facilitator: createFacilitatorClient(facilitator) }),
    }
  }

  has(service: Service): boolean {
    return this.#clients[service] !== undefined
  }

  /** @throws ToolError if the operation's service is not configured. */
  async call(operation: OperationShape, input: unknown, options?: CallOptions): Promise<CallResult> {
    const { service } = operation
    const client = this.#clients[service]
    if (client === undefined) {
      throw new ToolError({
        kind: 'NotConfigured',
        message: `${operation.id} belongs to the ${service}, which is not configured`,
        whatToDo: `Ask the user to set ${VARIABLES[service]} for this MCP server.`,
      })
    }
    return await client.call(operation, input, options)
  }

  /**
   * Returns an id of the caller's account at a service, so that callers who share a state file share no
   * intents.
   */
  getPrincipal(service: Service): string {
    const { gateway, facilitator } = this.#settings
    return service === 'gateway'
      ? hashParts(gateway?.baseUrl, gateway?.apiKey)
      : hashParts(facilitator?.baseUrl, facilitator?.token)
  }

  /** Lists the secrets, which no result may contain. */
  listSecrets(): readonly string[] {
    const { gateway, facilitator } = this.#settings
    return [gateway?.secret, facilitator?.token].filter((secret) => secret !== undefined)
  }
}

function createGatewayClient({ baseUrl, apiKey, secret, fetch }: GatewaySettings) {
  return createGateway({ baseUrl, credentials: { apiKey, secret }, fetch, responses: 'report' })
}

function createFacilitatorClient({ baseUrl, token, fetch }: FacilitatorSettings) {
  const credentials = token === undefined ? undefined : { token }
  return createFacilitator({ baseUrl, credentials, fetch, responses: 'report' })
}
