import 'server-only'
import { createGateway, type GatewayClient } from '@mintmark/transport'
import { readSetting } from './settings.ts'

let gateway: GatewayClient | undefined

/** Returns the client. It is created by the first request: `next build` has neither a gateway nor secrets. */
export function getGateway(): GatewayClient {
  gateway ??= createGateway({
    baseUrl: readSetting('MINTMARK_GATEWAY_URL'),
    credentials: { apiKey: readSetting('MINTMARK_API_KEY'), secret: readSetting('MINTMARK_SECRET') },
  })
  return gateway
}
