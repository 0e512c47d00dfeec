import { type Chain, cacheLookup } from '@mintmark/server-kit'

/** Whether a chain can be read now. */
export interface ChainStatus {
  /** CAIP-2. */
  readonly network: string
  readonly isReadable: boolean
  /** Seconds since the timestamp of the newest block. Undefined if the chain cannot be read. */
  readonly headAgeSeconds: number | undefined
}

/** Callers of the readiness check need no key, so that many of them share one request to a node. */
const STATUS_TTL_MS = 5_000

/**
 * Creates the function that reads the status of all chains, at most once per five seconds. It never throws.
 */
export function createChainStatusReader(chains: readonly Chain[]): () => Promise<readonly ChainStatus[]> {
  const read = cacheLookup<readonly ChainStatus[]>(() => Promise.all(chains.map(readChainStatus)), {
    ttlMs: STATUS_TTL_MS,
  })
  return async () => (await read('all')) ?? []
}

async function readChainStatus({ network, client }: Chain): Promise<ChainStatus> {
  try {
    const { timestamp } = await client.getBlock({ blockTag: 'latest' })
    const headAgeSeconds = Math.max(0, Math.round(Date.now() / 1000) - Number(timestamp))
    return { network, isReadable: true, headAgeSeconds }
  } catch {
    // The jobs that need the chain log its errors.
    return { network, isReadable: false, headAgeSeconds: undefined }
  }
}
