import { setTimeout as pause } from 'node:timers/promises'
import { CommitOutcomeUnknownError } from '@mintmark/server-kit'
import type { Kysely } from 'kysely'
import { lost, notSent, refused, success } from '../../../chains/evm/transactions/upstream-responses.ts'
import { encodeBase58 } from '../../../chains/solana/base58.ts'
import type { FeePayer } from '../../../chains/solana/keys.ts'
import {
  readFromNode,
  readSignatureOutcome,
  type SignatureOutcome,
} from '../../../chains/solana/signature-outcome.ts'
import { type CallNode, callAny, type SvmChain } from '../../../chains/solana/svm-nodes.ts'
import {
  addSvmTransaction,
  findSvmTransaction,
  findSvmTransactionOf,
  listOpenSvmTransactions,
  recordSvmState,
  type StoredSvmTransaction,
} from '../../../chains/solana/svm-store.ts'
import { encodeSigned } from '../../../chains/solana/wire-transaction.ts'
import type { Tables } from '../../../database/tables.ts'
import { makeUnknownDue } from '../../../ledger/settlements/settlement.ts'
import type { Payment, Upstream, UpstreamCall, UpstreamResponse } from '../../../payment/payment.ts'
import { reasons } from '../../../payment/reasons.ts'
import type { SvmPayment } from './svm-scheme.ts'
import { svmReasons } from './transfer-rules.ts'

/** A step of a settle at which a test may end the process. */
export type SvmFaultPoint = 'svm-checked' | 'svm-stored' | 'svm-sent'

export interface SvmUpstreamOptions {
  readonly db: Kysely<Tables>
  readonly chains: readonly SvmChain[]
  readonly feePayers: readonly FeePayer[]
  readonly report: (error: unknown) => void
  readonly faultPoint?: (point: SvmFaultPoint) => void | Promise<void>
}

/** The upstream that settles payments on Solana with our own keys. */
export interface SvmUpstream extends Upstream {
  /**
   * Sends transactions again that have not landed, and records final and expired ones. Any number of
   * processes may call it concurrently.
   *
   * @param network Only those of this network (CAIP-2). Default: of all networks.
   */
  sweep(network?: string): Promise<void>
  /** Sends a settlement's transaction again after its block was abandoned. */
  rebroadcast(settlementId: number | string): Promise<void>
  /** Lists the signature under which a payment may be found on its chain. */
  listSignedTransactions(payment: Pick<Payment, 'network' | 'nonce'>): Promise<string[]>
}

/** A transaction is valid in this many blocks after the one of its blockhash. */
const BLOCKHASH_LIFETIME = 150n
const POLL_INTERVAL_MS = 400
/** How many transactions of a network a sweep checks at the same time. Nodes limit the requests of a second. */
const MAX_CONCURRENT_SWEEPS = 16

export function createSvmUpstream(options: SvmUpstreamOptions): SvmUpstream {
  const { db, chains, report } = options
  const byNetwork = new Map(chains.map((chain) => [chain.network, chain]))
  return {
    async settle(payment: SvmPayment, call) {
      try {
        return await settle(options, byNetwork.get(payment.network), payment, call)
      } catch (error) {
        report(error)
        return lost('reset', 'The transactions could not be read')
      }
    },
    async sweep(network) {
      const swept = chains.filter((chain) => network === undefined || chain.network === network)
      // A network whose nodes do not respond must not delay the others.
      await Promise.all(swept.map((chain) => sweepChain(options, chain)))
    },
    async rebroadcast(settlementId) {
      const sent = await findSvmTransactionOf(db, String(settlementId))
      const chain = sent && byNetwork.get(sent.network)
      if (sent !== undefined && chain !== undefined) await send(chain, sent, report)
    },
    async listSignedTransactions(payment) {
      const sent = await findSvmTransaction(db, payment)
      return sent === undefined ? [] : [sent.signature]
    },
  }
}

async function settle(
  options: SvmUpstreamOptions,
  chain: SvmChain | undefined,
  payment: SvmPayment,
  call: UpstreamCall,
): Promise<UpstreamResponse> {
  const { db, report, faultPoint } = options
  if (chain === undefined) return refused(reasons.invalidNetwork, `There is no access to ${payment.network}`)
  const existing = await findSvmTransaction(db, payment)
  const signed = existing ?? (await signAndStore(options, chain, payment, call))
  if ('kind' in signed) return signed
  await send(chain, signed, report)
  await faultPoint?.('svm-sent')
  return waitForOutcome(options, chain, signed, payment, call.signal)
}

/** Signs a payment and writes its transaction. Nothing is sent before that is committed. */
async function signAndStore(
  { db, feePayers, report, faultPoint }: SvmUpstreamOptions,
  chain: SvmChain,
  payment: SvmPayment,
  { settlementId, attempt }: UpstreamCall,
): Promise<StoredSvmTransaction | UpstreamResponse> {
  const { details: svm, network, nonce } = payment
  const feePayer = feePayers.find(({ address }) => address === svm.feePayer)
  if (feePayer === undefined)
    return notSent('The key of the fee payer is not configured', svmReasons.feePayerNotManaged)
  const bound = await readValidity(chain, svm.transaction.blockhash).catch(report)
  if (!bound) return notSent('The blockhash of the transaction has expired, or the chain could not be read')
  const signature = feePayer.sign(svm.transaction.message)
  const transaction = {
    signature: encodeBase58(signature),
    raw: encodeSigned(svm.transaction, signature).toString('base64'),
    ...bound,
  }
  await faultPoint?.('svm-checked')
  try {
    const added = await addSvmTransaction(db, { settlementId, attempt, network, nonce }, transaction)
    if (added === 'disowned') return notSent('The settle took longer than its lease')
    if (added === 'taken') return lost('reset', 'Another call sent the transaction', transaction.signature)
  } catch (error) {
    report(error)
    return error instanceof CommitOutcomeUnknownError
      ? lost(
          'reset',
          'The database was lost while the transaction was written, so it may be sent',
          transaction.signature,
        )
      : notSent('The transaction could not be stored')
  }
  await faultPoint?.('svm-stored')
  return { ...transaction, network, state: 'sent' }
}

/** Reads how long a blockhash can be valid at most. Undefined if it is not valid. */
async function readValidity(
  chain: SvmChain,
  blockhash: string,
): Promise<Pick<StoredSvmTransaction, 'lastValidBlockHeight' | 'signedAfterSlot'> | undefined> {
  const final = await callAny<number>(chain, 'getSlot', [{ commitment: 'finalized' }])
  const commitment = { commitment: 'processed' }
  const { context, value } = await callAny<{ context: { slot: number }; value: boolean }>(
    chain,
    'isBlockhashValid',
    [blockhash, commitment],
  )
  if (!value) return undefined
  // The node that has the slot has the block of the blockhash, so its height is not below that block's.
  const height = await callAny<number>(chain, 'getBlockHeight', [
    { ...commitment, minContextSlot: context.slot },
  ])
  return { lastValidBlockHeight: BigInt(height) + BLOCKHASH_LIFETIME, signedAfterSlot: BigInt(final) }
}

/**
 * Sends a stored transaction to every node, and waits for the first one that accepts it. That a node refuses it
 * proves nothing: it may lag, or have it already.
 */
async function send(
  { nodes }: SvmChain,
  sent: StoredSvmTransaction,
  report: (error: unknown) => void,
): Promise<void> {
  const sends = nodes.map(async (call) => {
    if (!(await sendTo(call, sent, report))) throw new Error('The node did not accept the transaction')
  })
  await Promise.any(sends).catch(() => {})
}

/** Returns whether the node accepted the transaction. */
async function sendTo(
  call: CallNode,
  { raw }: StoredSvmTransaction,
  report: (error: unknown) => void,
): Promise<boolean> {
  try {
    await call<string>('sendTransaction', [raw, { encoding: 'base64', skipPreflight: true, maxRetries: 0 }])
    return true
  } catch (error) {
    report(error)
    return false
  }
}

async function waitForOutcome(
  { db, report }: SvmUpstreamOptions,
  chain: SvmChain,
  sent: StoredSvmTransaction,
  payment: Payment,
  signal: AbortSignal,
): Promise<UpstreamResponse> {
  const landed = await waitForLanding(chain, sent, signal, report)
  if (landed === undefined)
    return lost('timeout', 'The transaction was not confirmed in time', sent.signature)
  // A sweep records it as well.
  await recordSvmState(db, sent.signature, landed.final ? 'final' : 'landed').catch(report)
  return landed.succeeded
    ? success(payment, sent.signature, { number: landed.slot })
    : failed(payment, sent.signature)
}

type Landed = SignatureOutcome & { kind: 'landed' }

/**
 * Waits until one node shows that a transaction has landed. Each node is read by itself, so that one that does
 * not respond delays nothing. Undefined if no node shows it before the signal, or before its blockhash expires.
 */
function waitForLanding(
  { nodes }: SvmChain,
  sent: StoredSvmTransaction,
  signal: AbortSignal,
  report: (error: unknown) => void,
): Promise<Landed | undefined> {
  const found = new AbortController()
  const either = AbortSignal.any([signal, found.signal])
  return new Promise((resolve) => {
    const waits = nodes.map(async (call) => {
      const landed = await pollNode(call, sent, either, report)
      if (landed === undefined) return
      found.abort()
      resolve(landed)
    })
    void Promise.all(waits).then(() => resolve(undefined))
  })
}

/** Reads a node until it shows that a transaction has landed or expired, and sends it again meanwhile. */
async function pollNode(
  call: CallNode,
  sent: StoredSvmTransaction,
  signal: AbortSignal,
  report: (error: unknown) => void,
): Promise<Landed | undefined> {
  while (!signal.aborted) {
    const outcome = await readFromNode(call, sent)
    if (outcome.kind === 'landed') return outcome
    if (outcome.kind === 'expired') return undefined
    await pause(POLL_INTERVAL_MS, undefined, { signal }).catch(() => {})
    if (!signal.aborted) await sendTo(call, sent, report)
  }
  return undefined
}

/**
 * The response for a transaction that landed and failed. Its fee is paid. Reconciliation decides when it is
 * final.
 */
const failed = ({ payer, wireNetwork }: Payment, transaction: string): UpstreamResponse => ({
  kind: 'responded',
  httpStatus: 200,
  body: {
    success: false,
    errorReason: svmReasons.failed,
    errorMessage: `${transaction} failed`,
    payer,
    transaction,
    network: wireNetwork,
  },
})

async function sweepChain(options: SvmUpstreamOptions, chain: SvmChain): Promise<void> {
  const { db, report } = options
  const open = await listOpenSvmTransactions(db, chain.network)
  for (let start = 0; start < open.length; start += MAX_CONCURRENT_SWEEPS) {
    const part = open.slice(start, start + MAX_CONCURRENT_SWEEPS)
    await Promise.all(part.map((sent) => sweepOne(options, chain, sent).catch(report)))
  }
}

async function sweepOne(
  { db, report }: SvmUpstreamOptions,
  chain: SvmChain,
  sent: StoredSvmTransaction,
): Promise<void> {
  // Before the outcome, for which all nodes must respond.
  if (sent.state === 'sent') await send(chain, sent, report)
  const outcome = await readSignatureOutcome(chain, sent)
  // Its block was abandoned.
  if (outcome.kind === 'open' && sent.state === 'landed') await send(chain, sent, report)
  const state = outcome.kind === 'landed' ? (outcome.final ? 'final' : 'landed') : outcome.kind
  const settlementId = await recordSvmState(db, sent.signature, state === 'open' ? sent.state : state)
  // Its call may have given up. Repeats of it may wait for the outcome.
  if (sent.state === 'sent' && state !== 'open' && settlementId !== undefined)
    await makeUnknownDue(db, [settlementId])
}
