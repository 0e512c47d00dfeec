import { type Chain, describeChainError, findRpcError, type RequestEach } from '@mintmark/evm-reader'
import type { TransactionSerializableEIP1559 } from 'viem'
import type { Store } from '../../../database/store.ts'
import { createReceiptWatch, type ReceiptWatch } from '../reads/receipts.ts'
import { asHex } from '../reads/transfer.ts'
import type { ApprovalLimits } from '../settings/approval-limits.ts'
import type { GasCaps } from '../settings/gas-caps.ts'
import { hashDigits } from '../signatures/keccak.ts'
import { createFeeQuotes, type FeeQuotes, type Fees } from './fees.ts'
import { raiseNonce } from './nonce-store.ts'
import type { SettlementSigner } from './signers.ts'
import type { Attempt, Call } from './transaction-store.ts'

/** The nonces of one signer on one chain. */
export interface NonceLane {
  readonly chain: Chain
  readonly signer: SettlementSigner
  /** Whether the signer only finishes what it has sent, and sends payments that only it can send. */
  readonly isRetired: boolean
  /** How many settlements of this process have reserved the signer, from its selection to the receipt. */
  busy: number
  /** The latest reading in wei. Undefined before the first one. */
  balance: { wei: bigint; until: number } | undefined
  /** The reading in progress. */
  reading: Promise<void> | undefined
  /** Resolves when the database's next nonce is at least the chain's. */
  prepared: Promise<void> | undefined
  /**
   * Whether a transaction of the signer waits longer than usual to be mined, so that later ones would wait
   * behind it.
   */
  isDelayed: boolean
}

/** A chain with its signers. */
export interface SettlingChain {
  readonly chain: Chain
  readonly lanes: readonly NonceLane[]
  /** The most wei per unit of gas that a transaction offers. Undefined: no cap. */
  readonly maxFeePerGas: bigint | undefined
  /** A transfer that needs more gas is refused. */
  readonly gasCaps: GasCaps
  readonly fees: FeeQuotes
  /** What payers are given for the gas of their approvals. Undefined: nothing. */
  readonly approvalLimits: ApprovalLimits | undefined
  readonly receipts: ReceiptWatch
}

type SettlingLimits = Pick<SettlingChain, 'maxFeePerGas' | 'gasCaps' | 'approvalLimits'>

export function openSettlingChain(
  chain: Chain,
  signers: readonly SettlementSigner[],
  { retired, ...limits }: SettlingLimits & { readonly retired: ReadonlySet<string> },
  report: (error: unknown) => void,
): SettlingChain {
  return {
    chain,
    lanes: signers.map((signer) => ({
      chain,
      signer,
      isRetired: retired.has(signer.address),
      busy: 0,
      balance: undefined,
      reading: undefined,
      prepared: undefined,
      isDelayed: false,
    })),
    ...limits,
    fees: createFeeQuotes(chain, limits.maxFeePerGas),
    receipts: createReceiptWatch(chain, report),
  }
}

/**
 * Raises the database's next nonce to the chain's, once per process and again after the chain reported a
 * nonce as too low. The larger of the two is unused. Transactions in the node's pool count, so that none of
 * them is replaced.
 */
export function prepareNonceLane(db: Store, lane: NonceLane): Promise<void> {
  lane.prepared ??= (async () => {
    const count = await lane.chain.client.getTransactionCount({
      address: asHex(lane.signer.address),
      blockTag: 'pending',
    })
    await raiseNonce(db, lane.chain.id, lane.signer.address, count)
  })().catch((error: unknown) => {
    lane.prepared = undefined
    throw error
  })
  return lane.prepared
}

const BALANCE_TTL_MS = 2_000

/**
 * Lists the signers that can send a transaction.
 *
 * @param only The address of the only signer that can, retired or not. Default: all that are not retired.
 */
export const listSenders = ({ lanes }: Pick<SettlingChain, 'lanes'>, only?: string): readonly NonceLane[] =>
  lanes.filter(({ signer, isRetired }) => (only === undefined ? !isRetired : signer.address === only))

/**
 * Reserves the least busy signer that can pay for the gas, and a delayed one only if no other can. Returns
 * undefined if none can. Balances are read before the selection, so that concurrent settlements count the
 * ones that selected before them. The caller releases the signer.
 *
 * @param only The address of the only signer that can send the transaction. Default: all that are not
 * retired.
 */
export async function reserveNonceLane(
  on: SettlingChain,
  cost: bigint,
  only?: string,
): Promise<NonceLane | undefined> {
  const lanes = listSenders(on, only)
  await Promise.all(lanes.map(refreshBalance))
  const byPreference = lanes.toSorted((a, b) => Number(a.isDelayed) - Number(b.isDelayed) || a.busy - b.busy)
  for (const lane of byPreference) {
    lane.busy += 1
    if (canPay(lane, cost)) return lane
    releaseNonceLane(lane)
  }
  return undefined
}

export function releaseNonceLane(lane: NonceLane): void {
  lane.busy -= 1
}

/** Reads the signer's balance, unless it was read recently. @throws Error if the chain cannot be read. */
export async function refreshBalance(lane: NonceLane): Promise<void> {
  if (lane.balance !== undefined && lane.balance.until > performance.now()) return
  lane.reading ??= readBalance(lane).finally(() => {
    lane.reading = undefined
  })
  await lane.reading
}

async function readBalance(lane: NonceLane): Promise<void> {
  const wei = await lane.chain.client.getBalance({ address: asHex(lane.signer.address) })
  lane.balance = { wei, until: performance.now() + BALANCE_TTL_MS }
}

/**
 * Whether the latest balance of a reserved signer pays for such a transaction for each settlement that
 * reserved it.
 */
export function canPay({ balance, busy }: NonceLane, cost: bigint): boolean {
  return balance !== undefined && balance.wei >= cost * BigInt(busy)
}

/** Signs a call. The transaction's hash is known before it is broadcast. */
export async function signCall(
  { chain, signer }: { chain: Pick<Chain, 'id'>; signer: SettlementSigner },
  nonce: number,
  call: Call,
  fees: Fees,
): Promise<Attempt> {
  const unsigned: TransactionSerializableEIP1559 = {
    type: 'eip1559',
    chainId: chain.id,
    nonce,
    to: asHex(call.recipient),
    data: asHex(call.data),
    gas: call.gas,
    value: call.value ?? 0n,
    maxFeePerGas: fees.maxFeePerGas,
    maxPriorityFeePerGas: fees.maxPriorityFeePerGas,
  }
  const raw = await signer.sign(unsigned)
  const { maxFeePerGas, maxPriorityFeePerGas } = fees
  return { hash: `0x${hashDigits(raw.slice(2))}`, raw, maxFeePerGas, maxPriorityFeePerGas }
}

export type Broadcast =
  | { kind: 'accepted' }
  | { kind: 'nonce-too-low' }
  | { kind: 'rejected'; message: string }

/** Sends signed bytes to the node. They are also accepted if the node already has them. */
export async function broadcast(chain: Chain, { raw }: Pick<Attempt, 'raw'>): Promise<Broadcast> {
  try {
    await chain.client.request({ method: 'eth_sendRawTransaction', params: [asHex(raw)] })
    return { kind: 'accepted' }
  } catch (error) {
    return toBroadcast(findRpcError(error)?.message ?? '', describeChainError(error))
  }
}

/**
 * Sends signed bytes again, to all nodes: one that accepts transactions and does not forward them must not be
 * the only one that has them. The first node that accepts them decides, so that a silent one delays nothing.
 */
export async function broadcastAgain({ nodes }: Chain, { raw }: Pick<Attempt, 'raw'>): Promise<Broadcast> {
  const sends = nodes.map((node) => sendTo(node, raw))
  try {
    return await Promise.any(sends.map(requireAccepted))
  } catch {
    const refusals = await Promise.all(sends)
    const isUsed = refusals.find(({ kind }) => kind === 'nonce-too-low')
    return isUsed ?? refusals[0] ?? { kind: 'rejected', message: 'The chain has no node' }
  }
}

async function requireAccepted(send: Promise<Broadcast>): Promise<Broadcast> {
  const outcome = await send
  if (outcome.kind !== 'accepted') throw new Error('The node did not accept the transaction')
  return outcome
}

async function sendTo(node: RequestEach, raw: string): Promise<Broadcast> {
  try {
    const [outcome] = await node([{ method: 'eth_sendRawTransaction', params: [raw] }])
    if (outcome === undefined) return { kind: 'rejected', message: 'The node returned no result' }
    if ('result' in outcome) return { kind: 'accepted' }
    return toBroadcast(outcome.error.message, outcome.error.message)
  } catch (error) {
    return { kind: 'rejected', message: describeChainError(error) }
  }
}

function toBroadcast(errorMessage: string, description: string): Broadcast {
  if (/already known|already imported|known transaction|already exists/i.test(errorMessage))
    return { kind: 'accepted' }
  if (/nonce too low|nonce is too low|OldNonce/i.test(errorMessage)) return { kind: 'nonce-too-low' }
  return { kind: 'rejected', message: description }
}
