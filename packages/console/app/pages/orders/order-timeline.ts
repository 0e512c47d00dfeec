import type { AuditEntry } from '@mintmark/admin'
import { type Order, OrderStatus } from '@mintmark/orders'
import type { Tone } from '../../components/badge.tsx'
import { formatOrderReason, formatOrderStatus, getOrderTone } from '../../components/order-status.tsx'
import { formatActor } from '../../format/actor.ts'
import { formatCount } from '../../format/number.ts'
import { t } from '../../language/translate.ts'
import { orderTexts } from '../../texts/orders.ts'

const texts = orderTexts.events

/** A step of an order. */
export interface OrderStep {
  readonly title: string
  /** ISO 8601. Undefined if the record does not have it. */
  readonly time: string | undefined
  readonly tone: Tone
  /** Why it happened; `''` for no reason. */
  readonly reason: string
  /** Who or what did it; `''` if that is not known. */
  readonly actor: string
  /** The transaction that it is about; `''` for none. */
  readonly hash: string
}

const NO_DETAILS = { reason: '', actor: '', hash: '' }

/** Lists the steps of an order from the changes that the audit log has of it, oldest first. */
export function listAuditedSteps(entries: readonly AuditEntry[]): readonly OrderStep[] {
  return [...entries]
    .sort((one, other) => one.sequence - other.sequence)
    .flatMap((entry) => listStepsOfChange(entry))
}

function listStepsOfChange({ action, createTime: time, actor, changes }: AuditEntry): OrderStep[] {
  const shared = { ...NO_DETAILS, time, actor: formatActor(actor) }
  if (action === 'CREATED') return [{ ...shared, title: texts.placed, tone: 'neutral' }]
  if (action === 'DELETED') return [{ ...shared, title: texts.removed, tone: 'neutral' }]
  const after = (column: string) => changes[column]?.after
  const hash = String(after('hash') ?? '')
  const steps: OrderStep[] = []
  if (hash !== '') steps.push({ ...shared, title: texts.reported, tone: 'info', hash })
  const block = after('paid_block')
  if (block !== undefined) steps.push({ ...shared, ...describeBlock(Number(block)) })
  const status = after('status')
  if (status !== undefined) steps.push({ ...shared, ...describeStatus(Number(status), after('reason')) })
  const delivery = DELIVERIES[String(after('delivery'))]
  if (delivery !== undefined) steps.push({ ...shared, ...delivery })
  const paid = after('paid_amount')
  const refund = after('refund_due')
  if (paid !== undefined && status === undefined && refund === undefined)
    steps.push({ ...shared, title: t('A part of the price was paid'), tone: 'info' })
  if (after('refunded_amount') !== undefined)
    steps.push({ ...shared, title: t('Money was sent back to the buyer'), tone: 'success' })
  if (refund === true) steps.push({ ...shared, title: texts.refundDue, tone: 'danger' })
  if (refund === false) steps.push({ ...shared, title: t('Nothing is due to the buyer'), tone: 'success' })
  if (after('deleted') === true) steps.push({ ...shared, title: texts.removed, tone: 'neutral' })
  return steps
}

const DELIVERIES: Readonly<Record<string, { readonly title: string; readonly tone: Tone }>> = {
  pending: { title: t('Waits for the transfer of the token'), tone: 'info' },
  done: { title: t('Delivered to the buyer'), tone: 'success' },
}

function describeBlock(block: number): { readonly title: string; readonly tone: Tone } {
  if (block === 0) return { title: t('The payment is no longer in a block'), tone: 'warning' }
  return { title: texts.mined(formatCount(block)), tone: 'info' }
}

function describeStatus(
  status: number,
  reason: unknown,
): { readonly title: string; readonly tone: Tone; readonly reason: string } {
  const title = formatOrderStatus(status)
  return { title, tone: getOrderTone(status), reason: formatOrderReason(String(reason ?? '')) }
}

/**
 * Lists the steps of an order that its record shows, for people who may not read the audit log. Most have no
 * time.
 */
export function listRecordedSteps(order: Order): readonly OrderStep[] {
  const { createTime, updateTime, orderStatus, hash, paidBlock, reason, delivery, refundDue } = order
  const steps: OrderStep[] = [{ ...NO_DETAILS, title: texts.placed, time: createTime, tone: 'neutral' }]
  const add = (title: string, tone: Tone, details: Partial<OrderStep> = {}) =>
    steps.push({ ...NO_DETAILS, time: undefined, title, tone, ...details })
  if (hash !== '') add(texts.reported, 'info', { hash })
  if (paidBlock > 0) add(texts.mined(formatCount(paidBlock)), 'info')
  if (orderStatus !== OrderStatus.PRE) {
    const { title, tone, reason: text } = describeStatus(orderStatus, reason)
    add(title, tone, { reason: text, ...(delivery === '' && { time: updateTime }) })
  }
  const delivered = DELIVERIES[delivery]
  if (delivered !== undefined) add(delivered.title, delivered.tone, { time: updateTime })
  if (refundDue) add(texts.refundDue, 'danger')
  return steps
}
