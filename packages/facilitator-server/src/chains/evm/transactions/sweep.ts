import type { Chain, FinalBlock } from '@mintmark/server-kit'
import { type Fees, replacementFees } from './fees.ts'
import { broadcast, type Lane, prepareLane, type SettlingChain, signCall } from './nonce-lanes.ts'
import { findReceipt } from '../receipts.ts'
import {
  addFill,
  addReplacement,
  finalizeBlock,
  gaps,
  listMinedBlocks,
  listMinedBlocksFromNonce,
  listSent,
  listSigners,
  type MinedBlock,
  nextNonce,
  noteMined,
  noteSuperseded,
  revertBlock,
  type Store,
  type StoredTransaction,
} from './transaction-store.ts'
import { asHex } from '../transfer.ts'

/** How many transactions were dealt with in which way. */
export interface TendReport {
  broadcast: number
  replaced: number
  filled: number
  mined: number
  final: number
}

export interface TendOptions {
  db: Store
  on: SettlingChain
  /** Seconds. */
  replaceAfter: number
  maxFeePerGas: bigint | undefined
  report: (error: unknown) => void
}

const SENT_BATCH_SIZE = 1000
const BLOCK_BATCH_SIZE = 100
const plainTransferGas = 21_000n

/**
 * Maintains the signed transactions of one chain: fills gaps between nonces, broadcasts and replaces what was not mined,
 * and marks as final what a final block holds. Every step is guarded in the database or idempotent, so any number of
 * processes may run it at the same time. A failure is reported and does not stop the rest.
 */
export async function tendChain(options: TendOptions): Promise<TendReport> {
  const { db, on, report } = options
  const counts = { broadcast: 0, replaced: 0, filled: 0, mined: 0, final: 0 }
  try {
    const final = await on.chain.finalBlock()
    for (const lane of on.lanes) {
      await prepareLane(db, lane)
      counts.filled += await fillGaps(options, lane)
    }
    const configured = on.lanes.map((lane) => lane.signer.address)
    for (const { signer, nextNonce } of await listSigners(db, on.chain.id, configured)) {
      await sweepSigner(options, { signer, nextNonce, final }, counts)
    }
    counts.final += await sweepFinalBlocks(options, final)
  } catch (error) {
    report(error)
  }
  return counts
}

/**
 * Sweeps the signer's transactions that are not mined, lowest nonce first, because the chain mines them in that order.
 * Transactions that are signed during the sweep wait for the next one.
 */
async function sweepSigner(
  options: TendOptions,
  { signer, nextNonce, final }: { signer: string; nextNonce: number; final: FinalBlock },
  counts: TendReport,
): Promise<void> {
  const { db, on, report } = options
  const where = { chainId: on.chain.id, signer }
  try {
    const minedNonces = await minedCount(on.chain, signer)
    // The chain does not count these as mined: either a reorganization removed their block or the node lags.
    const disputed = await listMinedBlocksFromNonce(db, where, minedNonces)
    for (const block of disputed) await revertIfReplaced(options, block)

    let from = 0
    while (from < nextNonce) {
      const batch = await listSent(db, where, { from, before: nextNonce, limit: SENT_BATCH_SIZE })
      for (const transaction of batch) {
        const done = await sweepSent(options, transaction, { final, minedNonces }).catch(report)
        if (done) counts[done] += 1
      }
      from = (batch.at(-1)?.nonce ?? nextNonce) + 1
    }
  } catch (error) {
    report(error)
  }
}

async function sweepSent(
  options: TendOptions,
  transaction: StoredTransaction,
  { final, minedNonces }: { final: FinalBlock; minedNonces: number },
): Promise<keyof TendReport | undefined> {
  const { db, on } = options
  const mined = await noteIfMined(db, on.chain, transaction, final)
  if (mined) return mined
  if (transaction.nonce < minedNonces) return noteIfSuperseded(db, on.chain, transaction, final)
  const stuck = transaction.age >= options.replaceAfter
  if (stuck && transaction.nonce === minedNonces && (await replace(options, transaction))) return 'replaced'
  return sendAgain(options, transaction)
}

async function revertIfReplaced({ db, on }: TendOptions, block: MinedBlock): Promise<void> {
  const canonical = await findBlockHash(on.chain, block.number)
  if (canonical !== undefined && canonical !== block.hash) await revertBlock(db, on.chain.id, block)
}

/** Decides mined transactions once, when their block is final: one header per block. @returns how many are final. */
async function sweepFinalBlocks({ db, on, report }: TendOptions, final: FinalBlock): Promise<number> {
  const chainId = on.chain.id
  let count = 0
  let after: MinedBlock = { number: -1n, hash: '' }
  for (;;) {
    const blocks = await listMinedBlocks(db, chainId, { after, upTo: final.number, limit: BLOCK_BATCH_SIZE })
    for (const block of blocks) {
      try {
        const canonical = await findBlockHash(on.chain, block.number)
        if (canonical === block.hash) count += await finalizeBlock(db, chainId, block)
        // The next sweep finds the block that they are in now, or broadcasts them again.
        else if (canonical !== undefined) await revertBlock(db, chainId, block)
      } catch (error) {
        report(error)
      }
    }
    const last = blocks.at(-1)
    if (last === undefined) return count
    after = last
  }
}

async function noteIfMined(
  db: Store,
  chain: Chain,
  { attempts }: StoredTransaction,
  final: FinalBlock,
): Promise<'mined' | 'final' | undefined> {
  for (const { hash } of attempts.toReversed()) {
    const receipt = await findReceipt(chain, hash)
    if (receipt === undefined) continue
    const { blockNumber, blockHash } = receipt
    const isFinal = blockNumber <= final.number
    await noteMined(db, hash, {
      hash,
      blockNumber,
      blockHash,
      succeeded: receipt.status === 'success',
      final: isFinal,
    })
    return isFinal ? 'final' : 'mined'
  }
  return undefined
}

/** Somebody uses the key beside us. Once that is final, ours can never be mined. */
async function noteIfSuperseded(
  db: Store,
  chain: Chain,
  transaction: StoredTransaction,
  final: FinalBlock,
): Promise<undefined> {
  const address = asHex(transaction.signer)
  const finallyUsed = await chain.client.getTransactionCount({ address, blockNumber: final.number })
  if (transaction.nonce < finallyUsed) await noteSuperseded(db, transaction)
}

async function sendAgain(
  { on, report }: TendOptions,
  { attempts }: StoredTransaction,
): Promise<'broadcast' | undefined> {
  const newest = attempts.at(-1)
  if (newest === undefined) return undefined
  const outcome = await broadcast(on.chain, newest)
  if (outcome.kind === 'rejected') {
    report(new Error(`A transaction was not accepted again: ${outcome.message}`))
    return undefined
  }
  return outcome.kind === 'accepted' ? 'broadcast' : undefined
}

/** The same call with the same nonce and more of a fee. Whichever is mined, the payment is executed at most once. */
async function replace(options: TendOptions, transaction: StoredTransaction): Promise<boolean> {
  const { db, on, report } = options
  const lane = on.lanes.find((one) => one.signer.address === transaction.signer)
  const newest = transaction.attempts.at(-1)
  // A key that was taken out of the configuration: what it signed can be sent again, but not signed anew.
  if (lane === undefined || newest === undefined) return false
  const fees = replacementFees(newest, await on.fees.quote(), options.maxFeePerGas)
  if (fees === undefined) return false
  const attempt = await signCall(lane, transaction.nonce, transaction, fees)
  if (!(await addReplacement(db, transaction, attempt))) return false
  const outcome = await broadcast(on.chain, attempt)
  if (outcome.kind === 'rejected') report(new Error(`A replacement was not accepted: ${outcome.message}`))
  return true
}

/**
 * A nonce that was allocated without a transaction, after a backup was restored or when the node's pool forgot somebody
 * else's, holds up all behind it. A transfer of nothing to the signer itself takes its place.
 */
async function fillGaps({ db, on, report }: TendOptions, lane: Lane): Promise<number> {
  const signer = lane.signer.address
  const where = { chainId: on.chain.id, signer }
  const next = (await nextNonce(db, where.chainId, signer)) ?? 0
  const missing = await gaps(db, where, await minedCount(on.chain, signer), next)
  let filled = 0
  for (const nonce of missing) {
    const fees: Fees = await on.fees.quote()
    const call = { recipient: signer, data: '0x', gas: plainTransferGas }
    const attempt = await signCall(lane, nonce, call, fees)
    if (!(await addFill(db, { ...where, nonce }, call, attempt))) continue
    const outcome = await broadcast(on.chain, attempt)
    if (outcome.kind === 'rejected') report(new Error(`A gap's filling was not accepted: ${outcome.message}`))
    filled += 1
  }
  return filled
}

const minedCount = (chain: Chain, signer: string): Promise<number> =>
  chain.client.getTransactionCount({ address: asHex(signer), blockTag: 'latest' })

/** The hash of the chain's block of that number. undefined when the node does not have the block: it may lag. */
async function findBlockHash(chain: Chain, number: bigint): Promise<string | undefined> {
  const block = await chain.client.request({
    method: 'eth_getBlockByNumber',
    params: [`0x${number.toString(16)}`, false],
  })
  return block?.hash ?? undefined
}
