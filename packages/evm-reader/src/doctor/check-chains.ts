import {
  type Check,
  isLocal,
  type Outcome,
  reportError,
  reportOk,
  reportWarning,
} from '@mintmark/server-kit/doctor'
import type { ChainConfig } from '../chains.ts'
import { checkNodeFeatures } from './check-node.ts'
import { type CheckedNode, type NodeBlock, openNode, readBlock } from './node-requests.ts'

export interface ChainCheckOptions {
  readonly chains: readonly ChainConfig[]
  /** Blocks per request for logs. */
  readonly logBlocks: number
  /** The setting of `logBlocks`, if there is one. */
  readonly logSetting?: string
  /** Milliseconds. Default: the clock of this machine. */
  readonly now?: () => number
}

/** Creates a check of each chain: its nodes and what the server needs from them. */
export function createChainChecks(options: ChainCheckOptions): readonly Check[] {
  return options.chains.map((chain) => ({
    area: 'chains',
    name: `Chain ${chain.id}`,
    run: () => checkChain(chain, options),
  }))
}

async function checkChain(chain: ChainConfig, options: ChainCheckOptions): Promise<readonly Outcome[]> {
  const nodes = chain.rpcUrls.map((url, index) => openNode(url, `node ${index + 1} of chain ${chain.id}`))
  const states = await Promise.all(nodes.map((node) => checkNode(node, chain, options)))
  const heads = states.flatMap(({ node, head }) => (head === undefined ? [] : [{ node, head }]))
  return [
    ...checkAddresses(chain),
    ...states.flatMap(({ outcomes }) => outcomes),
    ...compareHeads(heads),
    ...(heads.length === 0 ? [reportNoNode(chain)] : []),
    ...checkHeadTime(chain, heads, options.now ?? Date.now),
  ]
}

const reportNoNode = ({ id }: ChainConfig): Outcome =>
  reportError(
    `No node of chain ${id} can be used, so nothing is paid or settled there`,
    `Add a node to CHAINS`,
  )

function checkAddresses({ id, rpcUrls, finality }: ChainConfig): Outcome[] {
  const outcomes: Outcome[] = []
  if (new Set(rpcUrls).size < rpcUrls.length)
    outcomes.push(
      reportWarning(
        `CHAINS has a node of chain ${id} twice, which is no fallback`,
        'Replace it by another one',
      ),
    )
  if (rpcUrls.length === 1)
    outcomes.push(
      reportWarning(
        `Chain ${id} has one node, so nothing works there while it fails`,
        'Add a second node to CHAINS',
      ),
    )
  if (rpcUrls.some((url) => new URL(url).protocol === 'http:' && !isLocal(new URL(url).hostname)))
    outcomes.push(
      reportWarning(
        `The connection to a node of chain ${id} is not encrypted, so others can forge its responses`,
        'Use an address with https:// in CHAINS',
      ),
    )
  if ('depth' in finality && finality.depth === 0)
    outcomes.push(
      reportWarning(
        `FINALITY of chain ${id} is 0: a payment counts in a block that can still be replaced`,
        `Set FINALITY to ${id}=finalized, or to a number of blocks`,
      ),
    )
  return outcomes
}

interface NodeState {
  readonly node: CheckedNode
  /** Undefined if the node cannot be used. */
  readonly head: NodeBlock | undefined
  readonly outcomes: readonly Outcome[]
}

async function checkNode(
  node: CheckedNode,
  chain: ChainConfig,
  options: ChainCheckOptions,
): Promise<NodeState> {
  const unusable = (...outcomes: Outcome[]): NodeState => ({ node, head: undefined, outcomes })
  const { label } = node
  try {
    const id = await node.request('eth_chainId', [])
    if ('error' in id)
      return unusable(
        reportWarning(
          `The ${label} refuses requests: ${id.error.message}`,
          'Check its key and its plan at the provider',
        ),
      )
    if (Number(id.result) !== chain.id)
      return unusable(
        reportError(
          `The ${label} is a node of chain ${Number(id.result)}`,
          `Correct CHAINS: a node of chain ${chain.id} belongs there`,
        ),
      )
    const head = readBlock(await node.request('eth_getBlockByNumber', ['latest', false]))
    if (head === undefined)
      return unusable(
        reportWarning(`The ${label} has no block`, 'Wait until it is synchronized, or replace it in CHAINS'),
      )
    return { node, head, outcomes: await checkNodeFeatures(node, chain, { ...options, head }) }
  } catch (failure) {
    const reason = failure instanceof Error ? failure.message : String(failure)
    return unusable(
      reportWarning(
        `The ${label} does not respond: ${reason}`,
        'Correct its address in CHAINS, or check the node and the network',
      ),
    )
  }
}

/** Blocks that nodes of one chain may differ by: they receive blocks at different times. */
const HEAD_TOLERANCE = 5

function compareHeads(heads: readonly { node: CheckedNode; head: NodeBlock }[]): Outcome[] {
  const newest = Math.max(...heads.map(({ head }) => head.number))
  return heads
    .filter(({ head }) => newest - head.number > HEAD_TOLERANCE)
    .map(({ node, head }) =>
      reportWarning(
        `The ${node.label} is ${newest - head.number} blocks behind another one`,
        'Wait until it is synchronized, move it to the end of the list in CHAINS, or replace it',
      ),
    )
}

/** Public chains have a block every 12 seconds or faster. */
const MAX_HEAD_AGE_SECONDS = 120
const MAX_HEAD_FUTURE_SECONDS = 20

function checkHeadTime(
  { id }: ChainConfig,
  heads: readonly { head: NodeBlock }[],
  now: () => number,
): Outcome[] {
  if (heads.length === 0) return []
  const newest = Math.max(...heads.map(({ head }) => head.timestamp))
  const age = Math.round(now() / 1000) - newest
  const found = (outcome: Outcome): Outcome => ({ ...outcome, area: 'clocks' })
  if (age > MAX_HEAD_AGE_SECONDS)
    return [
      found(
        reportWarning(
          `The newest block of chain ${id} is ${age} seconds old`,
          'Compare it with an explorer: if the explorer has newer blocks, replace the nodes, otherwise set the clock of this machine',
        ),
      ),
    ]
  if (age < -MAX_HEAD_FUTURE_SECONDS)
    return [
      found(
        reportError(
          `The newest block of chain ${id} is ${-age} seconds in the future`,
          'Set the clock of this machine by NTP (chrony, systemd-timesyncd)',
        ),
      ),
    ]
  return [found(reportOk(`The newest block of chain ${id} is ${Math.max(0, age)} seconds old`))]
}
