import { type Check, defineCheck, failIf, isLocal, type Problems, warnIf } from '@mintmark/server-kit/doctor'
import type { ChainConfig } from '../chains.ts'
import { type NodeFacts, readNode } from './read-node.ts'

export interface ChainCheckOptions {
  /** Blocks per request for logs. */
  readonly logBlocks: number
  /** What to do about a node that refuses `logBlocks`. */
  readonly logAction: string
  /** Milliseconds. Default: the clock of this machine. */
  readonly now?: (() => number) | undefined
}

/** Creates the check of each chain: its nodes, what the server needs from them, and its clock. */
export const createChainChecks = (
  chains: readonly ChainConfig[],
  options: ChainCheckOptions,
): readonly Check[] =>
  chains.map((chain) =>
    defineCheck({
      area: 'chains',
      name: `Chain ${chain.id}`,
      read: async () => [
        await Promise.all(chain.rpcUrls.map((url) => readNode(url, chain, options.logBlocks))),
      ],
      problems: (nodes) => [
        ...listAddressProblems(chain),
        ...nodes.flatMap((node, index) =>
          listNodeProblems(node, `node ${index + 1} of chain ${chain.id}`, options),
        ),
        ...listHeadProblems(chain, nodes, options.now ?? Date.now),
      ],
      ok: (nodes) => `${nodes.length} nodes of chain ${chain.id} respond, at block ${nodes[0]?.head?.number}`,
    }),
  )

const listAddressProblems = ({ id, rpcUrls, finality }: ChainConfig): Problems => [
  warnIf(new Set(rpcUrls).size < rpcUrls.length)`CHAINS has a node of chain ${id} twice, which is no fallback
    Replace it by another one`,
  warnIf(rpcUrls.length === 1)`Chain ${id} has one node, so nothing works there while it fails
    Add a second node to CHAINS`,
  warnIf(rpcUrls.map((url) => new URL(url)).some((url) => url.protocol === 'http:' && !isLocal(url)))`
    The connection to a node of chain ${id} is not encrypted, so others can forge its responses
    Use an address with https:// in CHAINS`,
  warnIf('depth' in finality && finality.depth === 0)`
    FINALITY of chain ${id} is 0: a payment counts in a block that can still be replaced
    Set FINALITY to ${id}=finalized, or to a number of blocks`,
]

const listNodeProblems = (
  { chainId, problem, refusals = {} }: NodeFacts,
  label: string,
  { logBlocks, logAction }: ChainCheckOptions,
): Problems => [
  warnIf(problem !== undefined)`The ${label} does not respond: ${problem}
    Correct its address in CHAINS, or check its key, the node and the network`,
  failIf(chainId !== undefined)`The ${label} is a node of chain ${chainId}
    Correct CHAINS`,
  warnIf(refusals.batches !== undefined)`
    The ${label} refuses JSON-RPC batches, which prove that one node returned related data
    Use it only if it is a single node that does not lag, or replace it in CHAINS`,
  failIf(refusals.finalBlock !== undefined)`The ${label} has no final block (${refusals.finalBlock})
    Set FINALITY of this chain to a number of blocks, or replace the node in CHAINS`,
  warnIf(refusals.state !== undefined)`
    The ${label} does not return the state of its final block by hash: ${refusals.state}
    Replace it in CHAINS by a node that keeps at least the state since the final block`,
  warnIf(refusals.range !== undefined)`
    The ${label} refuses the logs of ${logBlocks} blocks in one request: ${refusals.range}
    ${logAction}, or accept that the server requests fewer blocks after each refusal`,
  failIf(refusals.blockLogs !== undefined)`
    The ${label} does not return the logs of a block by its hash: ${refusals.blockLogs}
    Replace it in CHAINS: without them the server does not notice reorganizations`,
]

/** Blocks that nodes of one chain may differ by: they receive blocks at different times. */
const HEAD_TOLERANCE = 5
/** Public chains have a block every 12 seconds or faster. */
const MAX_HEAD_AGE_SECONDS = 120
const MAX_HEAD_FUTURE_SECONDS = 20

function listHeadProblems({ id }: ChainConfig, nodes: readonly NodeFacts[], now: () => number): Problems {
  const heads = nodes.flatMap(({ head }) => head ?? [])
  const newest = Math.max(...heads.map(({ number }) => number))
  const age = Math.round(now() / 1000) - Math.max(...heads.map(({ time }) => time))
  return [
    failIf(heads.length === 0)`No node of chain ${id} can be used, so nothing is paid or settled there
      Add a node to CHAINS`,
    ...nodes.map(
      ({ head: { number } = { number: newest } }, index) => warnIf(newest - number > HEAD_TOLERANCE)`
        The node ${index + 1} of chain ${id} is ${newest - number} blocks behind another one
        Wait until it is synchronized, move it to the end of the list in CHAINS, or replace it`,
    ),
    warnIf(heads.length > 0 && age > MAX_HEAD_AGE_SECONDS, 'clocks')`
      The newest block of chain ${id} is ${age} seconds old
      Compare it with an explorer: if the explorer has newer blocks, replace the nodes, otherwise set the clock of this machine`,
    failIf(heads.length > 0 && age < -MAX_HEAD_FUTURE_SECONDS, 'clocks')`
      The newest block of chain ${id} is ${-age} seconds in the future
      Set the clock of this machine by NTP (chrony, systemd-timesyncd)`,
  ]
}
