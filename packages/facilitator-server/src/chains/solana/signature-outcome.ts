import type { CallNode, SvmChain } from './svm-nodes.ts'

/** A signed transaction, with what bounds where it can land. */
export interface SentTransaction {
  /** Base58. Known before the transaction is sent. */
  readonly signature: string
  /** No block above this height can contain the transaction. */
  readonly lastValidBlockHeight: bigint
  /** A slot before the transaction was signed. */
  readonly signedAfterSlot: bigint
}

/** Where a transaction is on its chain. */
export type SignatureOutcome =
  | { readonly kind: 'landed'; readonly slot: bigint; readonly succeeded: boolean; readonly final: boolean }
  /** Final: no block contains the transaction, and none ever will. */
  | { readonly kind: 'expired' }
  /** Not known yet. */
  | { readonly kind: 'open' }

interface Status {
  readonly slot: number
  readonly err: unknown
  readonly confirmationStatus: 'processed' | 'confirmed' | 'finalized' | null
}

/**
 * Finds out whether a transaction has landed. One node that has it is enough. That it is lost must follow
 * from every node: a node that lags, or has deleted old blocks, finds nothing although the transaction has
 * landed.
 */
export async function readSignatureOutcome(
  { nodes }: SvmChain,
  sent: SentTransaction,
): Promise<SignatureOutcome> {
  const outcomes = await Promise.all(nodes.map((call) => readFromNode(call, sent)))
  const landed = outcomes.filter((outcome) => outcome.kind === 'landed')
  const best = landed.find(({ final }) => final) ?? landed[0]
  if (best !== undefined) return best
  return outcomes.every(({ kind }) => kind === 'expired') ? { kind: 'expired' } : { kind: 'open' }
}

/** Reads what one node shows. It never throws: a node that does not respond proves nothing. */
export async function readFromNode(call: CallNode, sent: SentTransaction): Promise<SignatureOutcome> {
  try {
    // Read before the status: what is final now was complete then.
    const final = await call<{ absoluteSlot: number; blockHeight: number }>('getEpochInfo', [
      { commitment: 'finalized' },
    ])
    const { context, value } = await call<{ context: { slot: number }; value: (Status | null)[] }>(
      'getSignatureStatuses',
      [[sent.signature], { searchTransactionHistory: true }],
    )
    const status = value[0]
    if (status) return toLanded(status)
    const isPastValidity = BigInt(final.blockHeight) > sent.lastValidBlockHeight
    // A load balancer may have sent the second call to a node that lags behind the first one.
    if (!isPastValidity || context.slot < final.absoluteSlot) return { kind: 'open' }
    const first = await call<number>('getFirstAvailableBlock')
    return BigInt(first) <= sent.signedAfterSlot ? { kind: 'expired' } : { kind: 'open' }
  } catch {
    // Another node may have the transaction.
    return { kind: 'open' }
  }
}

function toLanded({ slot, err, confirmationStatus }: Status): SignatureOutcome {
  // A block that is only processed may be abandoned.
  if (confirmationStatus !== 'confirmed' && confirmationStatus !== 'finalized') return { kind: 'open' }
  return {
    kind: 'landed',
    slot: BigInt(slot),
    succeeded: err === null,
    final: confirmationStatus === 'finalized',
  }
}
