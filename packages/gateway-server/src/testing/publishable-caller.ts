import type { Hono } from 'hono'
import { createPublishableKey, type NewPublishableKey } from '../keys/publishable-keys-store.ts'
import { TEST_URL, type TestGateway } from './gateway.ts'
import { type RawResponse, readResponse } from './raw-client.ts'

/** The origin of the page that a test's publishable key is for. */
export const SHOP = 'https://shop.example'

export interface PageRequest {
  readonly path: string
  readonly query?: string
  readonly method?: string
  /** The page's origin. Default: the shop's; null: the browser sends none. */
  readonly origin?: string | null
  readonly headers?: Record<string, string>
  readonly app?: Pick<Hono, 'fetch'>
}

/** Creates a publishable key of the project "demo" for the shop, unless the test says otherwise. */
export async function createTestPublishableKey(
  gateway: TestGateway,
  more: Partial<NewPublishableKey> = {},
): Promise<{ projectId: number; publishableKey: string }> {
  return await createPublishableKey(gateway.owner.system, {
    project: 'demo',
    name: 'website',
    scopes: ['contracts:read', 'market:read'],
    origins: [SHOP],
    ...more,
  })
}

/** Calls the gateway as a page does in a browser. */
export async function callFromPage(
  gateway: TestGateway,
  publishableKey: string,
  { path, query = '', method = 'GET', origin = SHOP, headers, app = gateway.app }: PageRequest,
): Promise<RawResponse> {
  const sent = new Headers({ 'x-publishable-key': publishableKey, ...headers })
  if (origin !== null) sent.set('origin', origin)
  const url = `${TEST_URL}${path}${query && `?${query}`}`
  return await readResponse(await app.fetch(new Request(url, { method, headers: sent })))
}
