import type { FacilitatorClient, GatewayClient } from '@mintmark/operation'
import { createSessionFacilitator, createSessionGateway } from '@mintmark/transport/browser'
import { fetchOnce } from './first-reads.ts'

const gateways = new Map<number | undefined, GatewayClient>()

/**
 * Returns the client of a project, or of no project, such as for `session.get`. The session's cookie
 * authenticates its calls.
 */
export function getGateway(projectId?: number): GatewayClient {
  const cached = gateways.get(projectId)
  if (cached !== undefined) return cached
  const gateway = createSessionGateway({ baseUrl: location.origin, projectId, fetch: fetchOnce })
  gateways.set(projectId, gateway)
  return gateway
}

let facilitator: FacilitatorClient | undefined

/** Sets the client of the facilitator, on the page of an account. */
export function setFacilitator(client: FacilitatorClient | undefined): void {
  facilitator = client
}

/** Returns the client of the facilitator: of the page's account, or that the gateway is connected to, for operators. */
export function getFacilitator(): FacilitatorClient {
  facilitator ??= createSessionFacilitator({ baseUrl: location.origin })
  return facilitator
}
