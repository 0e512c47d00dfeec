import type { Chain, FinalBlock } from '@mintmark/server-kit'
import { type Fees, replacementFees } from './fees.ts'
import { broadcast, type Lane, prepareLane, type SettlingChain, signCall } from './lanes.ts'
import { findReceipt } from './receipts.ts'
import {
  addFill,
  addReplacement,
  gaps,
  nextNonce,
  noteMined,
  noteSuperseded,
  noteUnmined,
  type Store,
  type StoredTransaction,
  unfinished,
} from './transaction-store.ts'
import { asHex } from './transfer.ts'

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

/** Transactions of a chain looked after in one turn; the lowest nonces come first, since the others wait for them. */
const atOnce = 1000
const plainTransferGas = 21_000n

/**
 * Looks after what was signed for one chain. Every step is guarded in the database or harmless when done twice, so that
 * any number of processes may do it at once. A transaction that makes trouble is reported and does not stop the rest.
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
    const counted = new Map<string, Promise<number>>()
    const canonical = new Map<bigint, Promise<string | undefined>>()
    for (const transaction of await unfinished(db, on.chain.id, atOnce)) {
      try {
        const done = await tendOne(options, transaction, final, {
          mined: (signer) => remember(counted, signer, () => minedCount(on.chain, signer)),
          blockHash: (number) => remember(canonical, number, () => blockHash(on.chain, number)),
        })
        if (done) counts[done] += 1
      } catch (error) {
        report(error)
      }
    }
  } catch (error) {
    report(error)
  }
  return counts
}

/** What is asked once a turn. */
interface Asked {
  /** How many transactions of the signer are mined: the nonce that is next in line. */
  mined(signer: string): Promise<number>
  blockHash(number: bigint): Promise<string | undefined>
}

async function tendOne(
  options: TendOptions,
  transaction: StoredTransaction,
  final: FinalBlock,
  asked: Asked,
): Promise<keyof TendReport | undefined> {
  const { db, on } = options
  const { blockNumber, blockHash: minedIn } = transaction
  if (transaction.state === 'mined' && blockNumber !== undefined) {
    const standing = (await asked.blockHash(blockNumber)) === minedIn
    if (standing && blockNumber > final.number) return undefined
    // A reorganisation took the block away; the transaction may stand in another one.
    if (!standing) await noteUnmined(db, transaction)
  }
  const mined = await noteIfMined(db, on.chain, transaction, final)
  if (mined) return mined

  const next = await asked.mined(transaction.signer)
  if (transaction.nonce < next) return noteIfSuperseded(db, on.chain, transaction, final)
  const stuck = transaction.age >= options.replaceAfter
  if (stuck && transaction.nonce === next && (await replace(options, transaction))) return 'replaced'
  return sendAgain(options, transaction)
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

async function blockHash(chain: Chain, number: bigint): Promise<string | undefined> {
  const block = await chain.client.request({
    method: 'eth_getBlockByNumber',
    params: [`0x${number.toString(16)}`, false],
  })
  return block?.hash ?? undefined
}

function remember<Key, Value>(
  known: Map<Key, Promise<Value>>,
  key: Key,
  ask: () => Promise<Value>,
): Promise<Value> {
  const standing = known.get(key)
  if (standing !== undefined) return standing
  const asked = ask()
  known.set(key, asked)
  return asked
}
