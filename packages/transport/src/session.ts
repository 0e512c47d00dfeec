import type { FacilitatorClient, GatewayClient } from '@mintmark/operation'
import { createClient } from './client.ts'
import { readFacilitatorResponse } from './facilitator-response.ts'
import { getGatewayPayload } from './gateway-payload.ts'
import type { ClientOptions } from './options.ts'

export interface SessionGatewayOptions extends ClientOptions {
  /**
   * The id of the project that calls are for. Without it, only operations that belong to no project succeed,
   * such as `session.get`.
   */
  projectId?: number | undefined
}

/**
 * Creates a client of the gateway for pages that the gateway serves itself, such as the console. Calls are
 * authenticated by the session cookie of the person who is signed in, which no script can read. The header
 * that names the project cannot be sent by pages of other origins.
 *
 * @example
 * const gateway = createSessionGateway({ baseUrl: location.origin, projectId: 1 })
 * const page = await orders.list(gateway, { pageSize: 20 })
 */
export function createSessionGateway(options: SessionGatewayOptions): GatewayClient {
  const project = String(options.projectId ?? '')
  return createClient('gateway', options, {
    headers: async () => ({ 'x-mintmark-session': project === '' ? 'none' : project }),
    payload: getGatewayPayload,
  })
}

/**
 * Creates a client of the facilitator that a gateway is connected to, for pages of operators that the gateway
 * serves. The gateway forwards the operations of the operator interface.
 *
 * @example
 * const facilitator = createSessionFacilitator({ baseUrl: location.origin })
 * const { signers } = await operatorHealth.get(facilitator)
 */
export function createSessionFacilitator(options: ClientOptions): FacilitatorClient {
  const baseUrl = `${String(options.baseUrl).replace(/\/$/, '')}/facilitator`
  return createClient(
    'facilitator',
    { ...options, baseUrl },
    { headers: async () => ({ 'x-mintmark-session': 'none' }), ...readFacilitatorResponse },
  )
}
