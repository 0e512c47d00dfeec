// What the tests with stock sellers share.
import { once } from 'node:events'
import { HTTPFacilitatorClient } from '@x402/core/server'
import type { Express } from 'express'

/**
 * Creates the client with which a stock seller calls the operations below an address, under the account of a
 * key.
 *
 * @param more Headers of the seller.
 */
export function openFacilitatorClient(
  url: string,
  token: string,
  more: Readonly<Record<string, string>> = {},
): HTTPFacilitatorClient {
  const headers = { Authorization: `Bearer ${token}`, ...more }
  return new HTTPFacilitatorClient({
    url,
    createAuthHeaders: async () => ({ verify: headers, settle: headers, supported: headers }),
  })
}

/** A seller on a free port. */
export interface ServedSeller {
  readonly url: string
  stop(): void
}

/** Serves a seller's application. */
export async function serveSeller(app: Express): Promise<ServedSeller> {
  const server = app.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The seller has no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}
