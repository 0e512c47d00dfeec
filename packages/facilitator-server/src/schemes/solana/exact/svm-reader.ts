import type { BlockComparison, BlockIdentity } from '@mintmark/evm-reader'
import type { Kysely } from 'kysely'
import { readSignatureOutcome } from '../../../chains/solana/signature-outcome.ts'
import { type CallNode, callAny, type SvmChain, SvmRpcError } from '../../../chains/solana/svm-nodes.ts'
import { findSvmTransaction } from '../../../chains/solana/svm-store.ts'
import type { Tables } from '../../../database/tables.ts'
import type { ChainOutcome, ChainReader } from '../../../payment/payment.ts'
import { svmReasons } from './transfer-rules.ts'

/**
 * Creates the reader of the outcomes of payments on Solana. A payment has one transaction, so its outcome is
 * that of the signature which was recorded before it was sent. Without a record nothing was sent.
 *
 * @param report Receives the errors of blocks that cannot be compared.
 */
export function createSvmReader(
  chains: readonly SvmChain[],
  db: Kysely<Tables>,
  report: (error: unknown) => void,
): ChainReader {
  const byNetwork = new Map(chains.map((chain) => [chain.network, chain]))
  const requireChain = (network: string): SvmChain => {
    const chain = byNetwork.get(network)
    if (chain === undefined) throw new Error(`The network ${network} is not configured`)
    return chain
  }
  return {
    networks: new Set(byNetwork.keys()),
    readable: (network) => byNetwork.has(network),
    async inspect({ network, nonce }) {
      const sent = await findSvmTransaction(db, { network, nonce })
      if (sent === undefined) return { kind: 'open', unused: true }
      const chain = requireChain(network)
      const outcome = await readSignatureOutcome(chain, sent)
      if (outcome.kind === 'open') return { kind: 'open' }
      // The payer's signature is in no other transaction, and this one can never land.
      if (outcome.kind === 'expired') return { kind: 'failed', reason: svmReasons.failed }
      return toChainOutcome(chain, sent.signature, outcome)
    },
    async compareWithFinal(network, blocks) {
      const chain = requireChain(network)
      const final = await callAny<number>(chain, 'getSlot', [{ commitment: 'finalized' }])
      return { final: BigInt(final), comparisons: await compareBlocks(chain, blocks, report) }
    },
  }
}

async function toChainOutcome(
  chain: SvmChain,
  signature: string,
  { slot, succeeded, final }: { slot: bigint; succeeded: boolean; final: boolean },
): Promise<ChainOutcome> {
  if (!succeeded) {
    return final ? { kind: 'failed', reason: svmReasons.failed, reverted: signature } : { kind: 'open' }
  }
  const hash = await readBlockhash((method, params) => callAny(chain, method, params), slot)
  if (hash === undefined) return { kind: 'open' }
  return { kind: 'settled', transaction: signature, blockNumber: slot, blockHash: hash, final }
}

/** How many blocks are read at the same time. Nodes limit the requests of a second. */
const MAX_CONCURRENT_BLOCKS = 16

/** Compares blocks. One that cannot be read is `unknown`, so that it does not hide the others. */
async function compareBlocks(
  chain: SvmChain,
  blocks: readonly BlockIdentity[],
  report: (error: unknown) => void,
): Promise<BlockComparison[]> {
  const comparisons: BlockComparison[] = []
  const fail = (error: unknown): BlockComparison => {
    report(error)
    return 'unknown'
  }
  for (let start = 0; start < blocks.length; start += MAX_CONCURRENT_BLOCKS) {
    const part = blocks.slice(start, start + MAX_CONCURRENT_BLOCKS)
    comparisons.push(...(await Promise.all(part.map((block) => compareBlock(chain, block).catch(fail)))))
  }
  return comparisons
}

async function compareBlock(chain: SvmChain, { number, hash }: BlockIdentity): Promise<BlockComparison> {
  const slot = BigInt(number)
  const found = await readBlockhash((method, params) => callAny(chain, method, params), slot)
  if (found !== undefined) return found === hash ? 'same' : 'different'
  return (await isSkipped(chain, slot)) ? 'different' : 'unknown'
}

/**
 * Whether the final chain has no block of a slot: the parent of the next final block is before the slot. That
 * a node has no block of the slot proves nothing.
 */
async function isSkipped(chain: SvmChain, slot: bigint): Promise<boolean> {
  const commitment = { commitment: 'finalized' }
  const [next] = await callAny<number[]>(chain, 'getBlocksWithLimit', [Number(slot), 1, commitment])
  if (next === undefined || BigInt(next) <= slot) return false
  const block = await callAny<{ parentSlot: number } | null>(chain, 'getBlock', [
    next,
    { ...BLOCK_WITHOUT_TRANSACTIONS, ...commitment },
  ])
  return block !== null && BigInt(block.parentSlot) < slot
}

const BLOCK_WITHOUT_TRANSACTIONS = {
  transactionDetails: 'none',
  rewards: false,
  maxSupportedTransactionVersion: 0,
}

/** The node has no block of the slot: it was skipped, was deleted or has not arrived. */
const NO_BLOCK_CODES: ReadonlySet<number> = new Set([-32001, -32004, -32007, -32009, -32014])

/** Reads the blockhash of a slot. Undefined if the node has no block of it. */
async function readBlockhash(call: CallNode, slot: bigint): Promise<string | undefined> {
  try {
    const block = await call<{ blockhash: string } | null>('getBlock', [
      Number(slot),
      { ...BLOCK_WITHOUT_TRANSACTIONS, commitment: 'confirmed' },
    ])
    return block?.blockhash
  } catch (error) {
    if (error instanceof SvmRpcError && NO_BLOCK_CODES.has(error.code)) return undefined
    throw error
  }
}
