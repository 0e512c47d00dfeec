import type { StuckOrder } from '@mintmark/admin'
import { stuckOrdersTexts as texts } from '../../texts/operator.ts'
import type { StuckDecision } from './stuck-decisions.ts'

/** What an operator has entered. */
export interface EnteredDecision {
  readonly reason: string
  /** The hash of a reported payment, `other`, `none`, or `''` for what the server finds. */
  readonly payment: string
  /** The hash of another transaction, or of a refund. */
  readonly hash: string
}

/** What is wrong with a decision, by field. */
interface DecisionIssues {
  readonly reason?: string
  readonly hash?: string
}

/** Whether a text is the hash of a transaction. */
export function isHash(text: string): boolean {
  return /^0x[0-9a-f]{64}$/i.test(text.trim())
}

/** Checks what an operator has entered. */
export function findDecisionIssues(
  decision: StuckDecision,
  { reason, payment, hash }: EnteredDecision,
): DecisionIssues {
  const needsHash = decision === 'success' && payment === 'other'
  const isWrong = needsHash ? !isHash(hash) : decision === 'refund' && hash.trim() !== '' && !isHash(hash)
  return {
    ...(reason.trim() === '' && { reason: texts.reason.missing }),
    ...(isWrong && { hash: texts.notHash }),
  }
}

/** The fields of the operations that decide an order. */
interface DecisionInput {
  readonly shared: { readonly projectId: number; readonly orderNo: string; readonly reason: string }
  readonly success: { readonly hash?: string; readonly withoutPayment?: boolean }
  readonly refund: { readonly payment?: string; readonly hash?: string }
}

/** Finds the payment whose refund is recorded: the chosen one, or the first that is due. */
export function findRefundedPayment(
  { payments }: Pick<StuckOrder, 'payments'>,
  { payment }: Pick<EnteredDecision, 'payment'>,
): StuckOrder['payments'][number] | undefined {
  const due = payments.filter(({ refundDue }) => refundDue !== '0')
  return due.find(({ hash }) => hash === payment) ?? due[0]
}

/** Converts what an operator has entered to the input of the operations. */
export function toDecisionInput(
  order: Pick<StuckOrder, 'projectId' | 'orderNo' | 'payments'>,
  entered: EnteredDecision,
): DecisionInput {
  const { projectId, orderNo } = order
  const { reason, payment, hash } = entered
  const refunded = findRefundedPayment(order, entered)
  return {
    shared: { projectId, orderNo, reason: reason.trim() },
    success: toSuccess(payment, hash),
    refund: {
      ...(refunded !== undefined && { payment: refunded.hash }),
      ...(hash.trim() !== '' && { hash: hash.trim() }),
    },
  }
}

function toSuccess(payment: string, hash: string): DecisionInput['success'] {
  if (payment === 'none') return { withoutPayment: true }
  if (payment === 'other') return { hash: hash.trim() }
  return payment === '' ? {} : { hash: payment }
}
