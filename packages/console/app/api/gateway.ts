import type { GatewayClient } from '@mintmark/operation'
import { createSessionGateway } from '@mintmark/transport/browser'

const gateways = new Map<number | undefined, GatewayClient>()

/** Returns the client of a project, or of no project, such as for `session.get`. The session's cookie authenticates its calls. */
export function getGateway(projectId?: number): GatewayClient {
  const cached = gateways.get(projectId)
  if (cached !== undefined) return cached
  const gateway = createSessionGateway({ baseUrl: location.origin, projectId })
  gateways.set(projectId, gateway)
  return gateway
}
