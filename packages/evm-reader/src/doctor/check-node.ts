import { type Outcome, reportError, reportOk, reportWarning } from '@mintmark/server-kit/doctor'
import type { ChainConfig } from '../chains.ts'
import type { RpcOutcome } from '../rpc-request.ts'
import { type CheckedNode, type NodeBlock, readBlock, toHex } from './node-requests.ts'

interface FeatureOptions {
  readonly head: NodeBlock
  readonly logBlocks: number
  readonly logSetting?: string
}

/** No contract has this address, and no event this topic. */
const NOBODY = `0x${'0'.repeat(38)}d0`
const NO_EVENT = `0x${'0'.repeat(62)}d0`

/** Checks what the servers need from a node. @throws Error if the node does not respond. */
export async function checkNodeFeatures(
  node: CheckedNode,
  { finality }: Pick<ChainConfig, 'finality'>,
  options: FeatureOptions,
): Promise<readonly Outcome[]> {
  const { label } = node
  const finalBlock = await readFinalBlock(node, finality, options.head)
  const problems = [
    await checkBatches(node),
    finalBlock === undefined
      ? reportError(
          `The ${label} has no final block${'tag' in finality ? ` (${finality.tag})` : ''}`,
          'Set FINALITY of this chain to a number of blocks, or replace the node in CHAINS',
        )
      : await checkState(node, finalBlock),
    await checkRanges(node, options),
    await checkBlockLogs(node, options.head),
  ].filter((outcome) => outcome !== undefined)
  return problems.length > 0
    ? problems
    : [reportOk(`The ${label} responds, at block ${options.head.number}, with all that the server needs`)]
}

async function readFinalBlock(
  node: CheckedNode,
  finality: ChainConfig['finality'],
  head: NodeBlock,
): Promise<NodeBlock | undefined> {
  const block = 'tag' in finality ? finality.tag : toHex(head.number - finality.depth)
  return readBlock(await node.request('eth_getBlockByNumber', [block, false]))
}

async function checkBatches(node: CheckedNode): Promise<Outcome | undefined> {
  if (await node.acceptsBatches()) return undefined
  return reportWarning(
    `The ${node.label} refuses JSON-RPC batches, which prove that one node returned related data`,
    'Use it only if it is a single node that does not lag, or replace it in CHAINS',
  )
}

/**
 * Checks that the node has the state of the final block, and reads it by the hash of the block (EIP-1898).
 */
async function checkState(node: CheckedNode, { hash }: NodeBlock): Promise<Outcome | undefined> {
  const outcome = await node.request('eth_getBalance', [NOBODY, { blockHash: hash }])
  if (!('error' in outcome)) return undefined
  return reportWarning(
    `The ${node.label} does not return the state of its final block by hash: ${outcome.error.message}`,
    'Replace it in CHAINS by a node that keeps at least the state since the final block',
  )
}

async function checkRanges(
  node: CheckedNode,
  { head, logBlocks, logSetting }: FeatureOptions,
): Promise<Outcome | undefined> {
  const outcome = await requestLogs(node, {
    fromBlock: toHex(head.number - logBlocks + 1),
    toBlock: toHex(head.number),
  })
  if (!('error' in outcome)) return undefined
  const action = logSetting === undefined ? 'Use a node without this limit' : `Lower ${logSetting}`
  return reportWarning(
    `The ${node.label} refuses the logs of ${logBlocks} blocks in one request: ${outcome.error.message}`,
    `${action}, or accept that the server requests fewer blocks after each refusal`,
  )
}

async function checkBlockLogs(node: CheckedNode, { hash }: NodeBlock): Promise<Outcome | undefined> {
  const outcome = await requestLogs(node, { blockHash: hash })
  if (!('error' in outcome)) return undefined
  return reportError(
    `The ${node.label} does not return the logs of a block by its hash: ${outcome.error.message}`,
    'Replace it in CHAINS: without them the server does not notice reorganizations',
  )
}

const requestLogs = (node: CheckedNode, blocks: Readonly<Record<string, string>>): Promise<RpcOutcome> =>
  node.request('eth_getLogs', [{ address: NOBODY, topics: [NO_EVENT], ...blocks }])
