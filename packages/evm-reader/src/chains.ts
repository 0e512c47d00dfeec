import type { Tracing } from '@mintmark/server-kit'
import { createPublicClient, fallback, http, type PublicClient } from 'viem'
import { type FinalBlock, readBlockOfDepth } from './final-block.ts'
import { type NodeAccess, openNodeAccess } from './node-access.ts'
import { limitWholeResponse, runTransportBy } from './node-http.ts'
import { createNodes, createRequestEach, type RequestEach } from './request-each.ts'
import type { RpcCall } from './rpc-request.ts'
import { createSendBatch, type SendBatch } from './send-batch.ts'

/** Returns the CAIP-2 name of an EVM chain. */
export const toNetwork = (chainId: number): string => `eip155:${chainId}`

/** When a block is final: by the node's tag, or by the number of later blocks. */
export type Finality = { tag: 'finalized' | 'safe' } | { depth: number }

export interface ChainConfig {
  id: number
  /** In order of preference. A later one is used when an earlier one fails. */
  rpcUrls: readonly string[]
  finality: Finality
  /** Milliseconds until a node that has not sent its whole response is given up. Default: 10,000. */
  requestTimeoutMs?: number
}

/** One chain that can be read. */
export interface Chain {
  readonly id: number
  /** CAIP-2. */
  readonly network: string
  readonly client: PublicClient
  /**
   * The same nodes, for requests that cannot be split: accepts responses of up to `MAX_BULK_RESPONSE_BYTES`.
   */
  readonly bulkClient: PublicClient
  /**
   * Sends calls to one node, which responds to all of them. Returns the results in order. A node that refuses
   * batches receives them in order.
   */
  readonly requestBatch: SendBatch
  /** Sends independent calls together. Returns the outcome of each, in order. */
  readonly requestEach: RequestEach
  /** Sends calls to one node each, in order of preference, as `requestEach` does. */
  readonly nodes: readonly RequestEach[]
  readonly finality: Finality
  /** Reads the number of the newest block. The result is no older than the call. */
  newestBlock(): Promise<bigint>
  /** The newest final block; the chain's first when none is final yet. */
  finalBlock(): Promise<FinalBlock>
}

export interface Chains {
  readonly all: readonly Chain[]
  byId(chainId: number): Chain | undefined
  byNetwork(network: string): Chain | undefined
}

/**
 * Creates clients of the configured chains. They connect with the first request.
 *
 * @param tracing Where each request of a traced call is a span.
 */
export function openChains(configs: readonly ChainConfig[], tracing?: Tracing): Chains {
  const byId = new Map(configs.map((config) => [config.id, openChain(config, tracing)]))
  const byNetwork = new Map([...byId.values()].map((chain) => [chain.network, chain]))
  return {
    all: [...byId.values()],
    byId: (chainId) => byId.get(chainId),
    byNetwork: (network) => byNetwork.get(network),
  }
}

const REQUEST_TIMEOUT_MS = 10_000
/** Parsing a larger response would block the event loop for too long. A range of blocks is split instead. */
const MAX_RESPONSE_BYTES = 10 * 1024 * 1024
/** One block contains at most about 30 MiB of logs at a gas limit of 100 million. */
const MAX_BULK_RESPONSE_BYTES = 64 * 1024 * 1024

function openChain(config: ChainConfig, tracing: Tracing | undefined): Chain {
  const { id, rpcUrls, finality, requestTimeoutMs: timeout = REQUEST_TIMEOUT_MS } = config
  const limits = { timeout, maxResponseBodySize: MAX_RESPONSE_BYTES }
  const accesses = openNodeAccess({ rpcUrls, timeout, tracing })
  const client = createClient(accesses, limits)
  const nodes = createNodes(accesses, limits)
  const newestBlock = () => readNewestBlock(client)
  const requestBatch = createSendBatch({
    nodes: accesses,
    ...limits,
    sendAlone: (call) => sendAlone(client, call),
  })
  return {
    id,
    network: toNetwork(id),
    client,
    bulkClient: createClient(accesses, { timeout, maxResponseBodySize: MAX_BULK_RESPONSE_BYTES }),
    requestBatch,
    requestEach: createRequestEach(nodes),
    nodes,
    finality,
    newestBlock,
    finalBlock: () =>
      'tag' in finality
        ? readTaggedBlock(client, finality.tag)
        : readBlockOfDepth({ newestBlock, requestBatch }, finality.depth),
  }
}

function createClient(
  nodes: readonly NodeAccess[],
  limits: { readonly timeout: number; readonly maxResponseBodySize: number },
): PublicClient {
  const transports = nodes.map(({ url, run }) => runTransportBy(http(url, limitWholeResponse(limits)), run))
  return createPublicClient({ transport: fallback(transports, { retryCount: 1 }) })
}

function sendAlone(client: PublicClient, call: RpcCall): Promise<unknown> {
  // viem's types list only the methods that it formats.
  const request = client.request as (call: RpcCall) => Promise<unknown>
  return request(call)
}

/**
 * viem's `getBlockNumber` caches the number, and shares a request that another caller sent before a block was
 * mined.
 */
const readNewestBlock = async (client: PublicClient): Promise<bigint> =>
  BigInt(await client.request({ method: 'eth_blockNumber' }))

async function readTaggedBlock(client: PublicClient, blockTag: 'finalized' | 'safe'): Promise<FinalBlock> {
  const { number, hash, timestamp } = await client.getBlock({ blockTag })
  return { number, hash, timestamp }
}

/**
 * Reads `CHAINS` and `FINALITY`.
 *
 * `CHAINS`: JSON, `{"84532": "http://…"}` or `{"84532": ["http://…", "http://…"]}`, or the short form
 * `84532=http://…,http://…,8453=http://…`, where a URL without a chain id belongs to the chain before it.
 *
 * `FINALITY`: `finalized`, `safe` or a number of blocks, for all chains; or by chain, as JSON or
 * `84532=2,8453=finalized`.
 *
 * @param defaultFinality The finality of chains that `FINALITY` does not name. Default: the node's
 * `finalized` tag.
 * @throws Error that names the problem without the URLs, which often contain a key.
 */
export function parseChains(
  chains: string,
  finality = '',
  defaultFinality: (chainId: number) => Finality = () => ({ tag: 'finalized' }),
): ChainConfig[] {
  const urls = readChains(chains)
  const finalityOf = readFinality(finality, defaultFinality)
  return [...urls].map(([id, rpcUrls]) => ({ id, rpcUrls, finality: finalityOf(id) }))
}

function readChains(text: string): Map<number, string[]> {
  const chains = new Map<number, string[]>()
  const add = (id: string, urls: readonly unknown[]) => {
    const chainId = readChainId(id, 'CHAINS')
    const list = urls.map((url) => readUrl(url, chainId))
    if (list.length === 0) throw new Error(`CHAINS: chain ${chainId} has no RPC address.`)
    chains.set(chainId, [...(chains.get(chainId) ?? []), ...list])
  }
  if (text.trim().startsWith('{')) {
    for (const [id, urls] of Object.entries(readJson(text, 'CHAINS'))) {
      add(id, Array.isArray(urls) ? urls : [urls])
    }
    return chains
  }
  let current: string | undefined
  for (const entry of text.split(/[\s,]+/).filter((one) => one !== '')) {
    const [, id, url] = /^(\d+)=(.*)$/.exec(entry) ?? [undefined, current, entry]
    if (id === undefined) throw new Error('CHAINS: must begin with a chain id, as in 84532=http://….')
    current = id
    add(id, [url])
  }
  return chains
}

function readFinality(
  text: string,
  defaultFinality: (chainId: number) => Finality,
): (chainId: number) => Finality {
  const trimmed = text.trim()
  if (trimmed === '') return defaultFinality
  if (!trimmed.includes('=') && !trimmed.startsWith('{')) {
    const all = parseFinality(trimmed)
    return () => all
  }
  const entries = trimmed.startsWith('{')
    ? Object.entries(readJson(trimmed, 'FINALITY'))
    : trimmed.split(/[\s,]+/).map((entry): [string, unknown] => {
        const [id = '', value] = entry.split('=')
        return [id, value]
      })
  const byChain = new Map(entries.map(([id, value]) => [readChainId(id, 'FINALITY'), parseFinality(value)]))
  return (chainId) => byChain.get(chainId) ?? defaultFinality(chainId)
}

function parseFinality(value: unknown): Finality {
  if (value === 'finalized' || value === 'safe') return { tag: value }
  const text = String(value)
  if (/^\d{1,9}$/.test(text)) return { depth: Number(text) }
  throw new Error(`FINALITY: ${JSON.stringify(value)} is neither finalized, safe nor a number of blocks.`)
}

function readChainId(text: string, setting: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text)
  throw new Error(`${setting}: ${JSON.stringify(text)} is not a chain id.`)
}

function readUrl(url: unknown, chainId: number): string {
  if (typeof url === 'string' && /^https?:\/\//.test(url) && URL.canParse(url)) return url
  throw new Error(`CHAINS: an RPC address of chain ${chainId} is not an http or https address.`)
}

function readJson(text: string, setting: string): object {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  } catch {
    // The message of JSON.parse would repeat the URLs.
  }
  throw new Error(`${setting}: is not a JSON object.`)
}
