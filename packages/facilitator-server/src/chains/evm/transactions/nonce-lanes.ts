import { type Chain, describeChainError, rpcErrorOf } from '@mintmark/server-kit'
import type { TransactionSerializableEIP1559 } from 'viem'
import { keccak256 } from 'viem'
import { createFeeQuotes, type FeeQuotes, type Fees } from './fees.ts'
import { createReceiptWatch, type ReceiptWatch } from '../receipts.ts'
import type { SettlementSigner } from './signers.ts'
import { type Attempt, type Call, raiseNonce, type Store } from './transaction-store.ts'
import { asHex } from '../transfer.ts'

/** One signer on one chain: a sequence of nonces. */
export interface Lane {
  readonly chain: Chain
  readonly signer: SettlementSigner
  /** Settlements of this process that reserved the signer: from the choice of the signer to the receipt. */
  busy: number
  /** Wei, as read last; undefined before. */
  balance: { wei: bigint; until: number } | undefined
  /** The balance that is being read now. */
  reading: Promise<void> | undefined
  /** Resolves when the database's next nonce is at least the chain's. */
  prepared: Promise<void> | undefined
}

/** What settles on one chain. */
export interface SettlingChain {
  readonly chain: Chain
  readonly lanes: readonly Lane[]
  readonly fees: FeeQuotes
  readonly receipts: ReceiptWatch
}

export function openSettlingChain(
  chain: Chain,
  signers: readonly SettlementSigner[],
  maxFeePerGas: bigint | undefined,
  report: (error: unknown) => void,
): SettlingChain {
  return {
    chain,
    lanes: signers.map((signer) => ({
      chain,
      signer,
      busy: 0,
      balance: undefined,
      reading: undefined,
      prepared: undefined,
    })),
    fees: createFeeQuotes(chain, maxFeePerGas),
    receipts: createReceiptWatch(chain, report),
  }
}

/**
 * Makes the database's next nonce at least the chain's, once a process and again after the chain said that a nonce was
 * too low: the larger of the two is free. Transactions in the node's pool count, so that none of them is replaced.
 */
export function prepareLane(db: Store, lane: Lane): Promise<void> {
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

const BALANCE_KEPT_MS = 2_000

/**
 * Reserves the least busy signer that can pay for the gas; undefined when none can. Balances are read before the choice,
 * so that of concurrent settlements each counts those that chose before it. The caller releases the signer.
 */
export async function reserveLane({ lanes }: SettlingChain, cost: bigint): Promise<Lane | undefined> {
  await Promise.all(lanes.map(refreshBalance))
  for (const lane of lanes.toSorted((a, b) => a.busy - b.busy)) {
    lane.busy += 1
    if (canPay(lane, cost)) return lane
    releaseLane(lane)
  }
  return undefined
}

export function releaseLane(lane: Lane): void {
  lane.busy -= 1
}

async function refreshBalance(lane: Lane): Promise<void> {
  if (lane.balance !== undefined && lane.balance.until > performance.now()) return
  lane.reading ??= readBalance(lane).finally(() => {
    lane.reading = undefined
  })
  await lane.reading
}

async function readBalance(lane: Lane): Promise<void> {
  const wei = await lane.chain.client.getBalance({ address: asHex(lane.signer.address) })
  lane.balance = { wei, until: performance.now() + BALANCE_KEPT_MS }
}

/** Whether a reserved signer's balance, as read last, pays for such a transaction of each settlement that reserved it. */
export function canPay({ balance, busy }: Lane, cost: bigint): boolean {
  return balance !== undefined && balance.wei >= cost * BigInt(busy)
}

/** Signs a call. The transaction's hash is known before anybody has seen it. */
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
    maxFeePerGas: fees.maxFeePerGas,
    maxPriorityFeePerGas: fees.maxPriorityFeePerGas,
  }
  const raw = await signer.sign(unsigned)
  const { maxFeePerGas, maxPriorityFeePerGas } = fees
  return { hash: keccak256(raw), raw, maxFeePerGas, maxPriorityFeePerGas }
}

export type Broadcast =
  | { kind: 'accepted' }
  | { kind: 'nonce-too-low' }
  | { kind: 'rejected'; message: string }

/** Hands signed bytes to the node; that it has them already is as good. */
export async function broadcast(chain: Chain, { raw }: Pick<Attempt, 'raw'>): Promise<Broadcast> {
  try {
    await chain.client.request({ method: 'eth_sendRawTransaction', params: [asHex(raw)] })
    return { kind: 'accepted' }
  } catch (error) {
    const answered = rpcErrorOf(error)?.message ?? ''
    if (/already known|already imported|known transaction|already exists/i.test(answered))
      return { kind: 'accepted' }
    if (/nonce too low|nonce is too low|OldNonce/i.test(answered)) return { kind: 'nonce-too-low' }
    return { kind: 'rejected', message: describeChainError(error) }
  }
}
