import { toEventSelector } from 'viem'
import {
  addressTopic,
  isTransferFrom,
  isTransferOf,
  type Log,
  listLogsOf,
} from '../../../chains/evm/reads/transfer.ts'
import type { LogEvidence } from '../../../chains/evm/reads/transfer-method.ts'
import type { PaymentOnChain } from '../../../payment/payment.ts'

/** Topics of a token's events for authorizations (EIP-3009). */
export const authorizationTopics = {
  used: toEventSelector('AuthorizationUsed(address,bytes32)'),
  canceled: toEventSelector('AuthorizationCanceled(address,bytes32)'),
}

/** The terms of a transfer by an authorization. */
type AuthorizationTerms = Pick<PaymentOnChain, 'asset' | 'payer' | 'payTo' | 'amount' | 'nonce'>

/** What the logs show, with the token's logs after those of the payment, if it was made. */
type AuthorizationEvidence =
  | { readonly kind: 'paid'; readonly later: readonly Log[] }
  | { readonly kind: Exclude<LogEvidence, 'paid'> }

/**
 * Finds out from the logs of one successful transaction whether a payment was made: its nonce was used, with a
 * transfer of the amount from the payer to the recipient.
 *
 * Only events of the token count, because contracts can emit any, and of these only the payer's transfers and
 * uses of authorizations. No payer can change what another one has paid, and other events, such as those of
 * hooks and approvals, may be anywhere.
 *
 * The span of a use are the payer's transfers between its previous use and its next one. If the transaction
 * uses more than one authorization of the payer, two uses would share the transfers between them, and each
 * transfer may prove one use only. All uses of one token are alike: if every use is followed by a transfer,
 * and not every one is preceded by a transfer, the span begins at the use. In the reverse case it ends there.
 * If nothing tells these apart, both halves must show the payment.
 *
 * A span without a transfer of the payment shows that it was not made. In a transaction of ours, one such
 * transfer shows that it was made, because our call has exactly the payment's terms: the others are fees.
 * Another party's transaction may contain other payments of the payer, or have used the nonce for another
 * recipient. So it is ambiguous unless all transfers of the span are the payment's.
 */
export function evaluateAuthorization(
  logs: readonly Log[],
  terms: AuthorizationTerms,
  isOwn: boolean,
): AuthorizationEvidence {
  const { own, usesByPayer } = readTokenLogs(logs, terms.asset)
  const uses = usesByPayer.get(addressTopic(terms.payer)) ?? []
  const place = uses.findIndex((index) => own[index]?.topics[2]?.toLowerCase() === terms.nonce)
  const used = uses[place]
  if (used === undefined) return { kind: 'absent' }
  // Of the logs before the first use, between two uses, and after the last one.
  const gaps = [0, ...uses].map((start, index) => listTransfers(own, start, uses[index] ?? own.length, terms))
  const matches = listSpans(gaps, place).map((span) => matchSpan(span, terms, isOwn))
  const isPaid = matches.every(({ kind }) => kind === 'paid')
  if (!isPaid) return { kind: matches.every(({ kind }) => kind === 'unpaid') ? 'unpaid' : 'ambiguous' }
  const last = Math.max(used, ...matches.map(({ transfer }) => transfer))
  return { kind: 'paid', later: own.slice(last + 1) }
}

/** A transfer of the payer, with its place among the token's logs. */
interface PlacedTransfer {
  readonly index: number
  readonly log: Log
}

const listTransfers = (
  own: readonly Log[],
  start: number,
  end: number,
  { payer }: AuthorizationTerms,
): PlacedTransfer[] =>
  own
    .slice(start, end)
    .map((log, offset) => ({ index: start + offset, log }))
    .filter(({ log }) => isTransferFrom(log, payer))

/**
 * Lists the spans of which each must show the payment. A single use has one span. Of several uses, each has the
 * span before it or the one after it, and both if nothing tells them apart.
 */
function listSpans(
  gaps: readonly (readonly PlacedTransfer[])[],
  place: number,
): (readonly PlacedTransfer[])[] {
  const before = gaps[place] ?? []
  const after = gaps[place + 1] ?? []
  if (gaps.length === 2) return [[...before, ...after]]
  const isUsedFirst = gaps.slice(1).every((gap) => gap.length > 0)
  const isTransferredFirst = gaps.slice(0, -1).every((gap) => gap.length > 0)
  if (isUsedFirst !== isTransferredFirst) return [isUsedFirst ? after : before]
  return [before, after]
}

/** What a span shows, with the place of the transfer, or -1. */
function matchSpan(
  span: readonly PlacedTransfer[],
  terms: AuthorizationTerms,
  isOwn: boolean,
): { readonly kind: 'paid' | 'unpaid' | 'ambiguous'; readonly transfer: number } {
  const matching = span.filter(({ log }) => isTransferOf(log, terms))
  const [first] = matching
  if (first === undefined) return { kind: 'unpaid', transfer: -1 }
  const isCertain = isOwn || matching.length === span.length
  return { kind: isCertain ? 'paid' : 'ambiguous', transfer: first.index }
}

/** A token's logs of one transaction, in their order. */
interface TokenLogs {
  readonly own: readonly Log[]
  /** The places of the uses of authorizations, by the topic of the payer. */
  readonly usesByPayer: ReadonlyMap<string, readonly number[]>
}

/** Of each transaction by token: all payments of a batch read the same logs. */
const tokenLogs = new WeakMap<readonly Log[], Map<string, TokenLogs>>()

function readTokenLogs(logs: readonly Log[], token: string): TokenLogs {
  const byToken = tokenLogs.get(logs) ?? new Map<string, TokenLogs>()
  tokenLogs.set(logs, byToken)
  const known = byToken.get(token)
  if (known !== undefined) return known
  const own = listLogsOf(logs, token)
  const usesByPayer = new Map<string, number[]>()
  for (const [index, { topics }] of own.entries()) {
    const [event, authorizer] = topics
    if (event !== authorizationTopics.used || authorizer === undefined) continue
    const payer = authorizer.toLowerCase()
    const uses = usesByPayer.get(payer)
    if (uses === undefined) usesByPayer.set(payer, [index])
    else uses.push(index)
  }
  const read = { own, usesByPayer }
  byToken.set(token, read)
  return read
}
