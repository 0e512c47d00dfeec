import { getHttpRpcClient } from 'viem/utils'
import type { ChainConfig } from '../chains.ts'
import { type BlockHeader, parseHeader, toQuantity } from '../header-parsing.ts'
import { limitWholeResponse } from '../node-http.ts'
import { describeChainError } from '../rpc-error.ts'
import { readOutcome, requestTogether } from '../rpc-request.ts'

/** What one node of a chain returned. Its address may contain a key, so it is not among the facts. */
export interface NodeFacts {
  /** Why the node did not respond. */
  readonly problem?: string
  /** The chain of the node, if it is another one. */
  readonly chainId?: number
  /** Undefined if the node cannot be used. */
  readonly head?: BlockHeader
  /** Why the node does not return what the server needs. */
  readonly refusals?: Readonly<Partial<Record<Feature, string | undefined>>>
}

type Feature = 'batches' | 'finalBlock' | 'state' | 'range' | 'blockLogs'

const REQUEST_TIMEOUT_MS = 5_000
/** No contract has this address, and no event this topic. */
const NOBODY = `0x${'0'.repeat(38)}d0`
const NO_EVENT = `0x${'0'.repeat(62)}d0`

/** Reads what the servers need from a node. It never throws. */
export async function readNode(url: string, chain: ChainConfig, logBlocks: number): Promise<NodeFacts> {
  try {
    return await readFacts(url, chain, logBlocks)
  } catch (failure) {
    return { problem: describeChainError(failure) }
  }
}

async function readFacts(url: string, { id, finality }: ChainConfig, logBlocks: number): Promise<NodeFacts> {
  const http = getHttpRpcClient(url, limitWholeResponse({ timeout: REQUEST_TIMEOUT_MS }))
  const request = async (method: string, ...params: readonly unknown[]) => {
    const outcome = readOutcome(await http.request({ body: { method, params, id: 1 } }))
    return 'error' in outcome
      ? { result: undefined, error: outcome.error.message }
      : { ...outcome, error: undefined }
  }
  const readBlock = async (block: string) => await request('eth_getBlockByNumber', block, false)
  const readLogs = async (blocks: object) =>
    await request('eth_getLogs', { address: NOBODY, topics: [NO_EVENT], ...blocks })

  const chainId = await request('eth_chainId')
  if (chainId.error !== undefined) return { problem: chainId.error }
  if (Number(chainId.result) !== id) return { chainId: Number(chainId.result) }
  const latest = await readBlock('latest')
  const head = parseHeader(latest.result)
  if (head === undefined) return { problem: latest.error ?? 'it has no block yet' }
  const before = (blocks: number) => toQuantity(Math.max(0, head.number - blocks))
  const finalName = 'tag' in finality ? finality.tag : before(finality.depth)
  const finalBlock = parseHeader((await readBlock(finalName)).result)
  const call = { method: 'eth_chainId', params: [] }
  const batch = await requestTogether(http, [call, call])
  const refusals = {
    batches: batch === undefined ? 'refused' : undefined,
    finalBlock: finalBlock === undefined ? finalName : undefined,
    // By the hash of the block (EIP-1898).
    state: finalBlock && (await request('eth_getBalance', NOBODY, { blockHash: finalBlock.hash })).error,
    range: (await readLogs({ fromBlock: before(logBlocks - 1), toBlock: before(0) })).error,
    blockLogs: (await readLogs({ blockHash: head.hash })).error,
  }
  return { head, refusals }
}
