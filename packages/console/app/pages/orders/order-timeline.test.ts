import type { AuditEntry } from '@mintmark/admin'
import { type Order, OrderStatus } from '@mintmark/orders'
import { describe, expect, it } from 'vitest'
import { listAuditedSteps, listRecordedSteps } from './order-timeline.ts'

const entry = (sequence: number, changes: Record<string, unknown>, action = 'UPDATED'): AuditEntry => ({
  sequence,
  createTime: `2026-01-15T10:00:0${sequence}.000Z`,
  actor: 'job:orders',
  recordType: 'orders',
  recordId: '7',
  action,
  changes: Object.fromEntries(Object.entries(changes).map(([column, after]) => [column, { after }])),
  hash: '',
})

describe('the steps of the audit log', () => {
  it('show the way of an order from its placement to the delivery, oldest first', () => {
    const steps = listAuditedSteps([
      entry(5, { delivery: 'done' }),
      entry(4, { status: OrderStatus.SUCCESS, delivery: 'pending', reason: '' }),
      entry(3, { paid_block: 1234 }),
      entry(2, { hash: '0xab', status: OrderStatus.IN_PROGRESS }),
      entry(1, { status: OrderStatus.PRE, hash: '' }, 'CREATED'),
    ])
    expect(steps.map(({ title }) => title)).toEqual([
      'Placed',
      'Payment reported',
      'Confirming',
      'Payment found in block 1,234',
      'Paid',
      'Waits for the transfer of the token',
      'Delivered to the buyer',
    ])
    expect(steps[1]).toMatchObject({
      hash: '0xab',
      actor: 'the job “orders”',
      time: '2026-01-15T10:00:02.000Z',
    })
  })

  it('explain why an order needs a decision, and show an operator’s own reason as it was written', () => {
    const reasonOf = (reason: string) =>
      listAuditedSteps([entry(1, { status: OrderStatus.UNRESOLVED, reason })])[0]?.reason
    expect(reasonOf('not_enough')).toBe('The buyer paid too little, another token or another recipient.')
    expect(reasonOf('<b>Paid in cash</b>')).toBe('<b>Paid in cash</b>')
  })

  it('show refunds, and a payment that the chain removed', () => {
    const steps = listAuditedSteps([
      entry(1, { refund_due: true }),
      entry(2, { refund_due: false }),
      entry(3, { paid_block: 0 }),
    ])
    expect(steps.map(({ title }) => title)).toEqual([
      'A refund is due',
      'Nothing is due to the buyer',
      'The payment is no longer in a block',
    ])
  })

  it('leave out changes that mean nothing to people', () => {
    expect(listAuditedSteps([entry(1, { search_key: 'ord' })])).toEqual([])
  })
})

describe('the steps of a record', () => {
  const order = {
    createTime: '2026-01-15T10:00:00.000Z',
    updateTime: '2026-01-15T11:00:00.000Z',
    orderStatus: OrderStatus.PRE as number,
    hash: '',
    paidBlock: 0,
    reason: '',
    delivery: '',
    refundDue: false,
  } as Order

  it('show only the placement of a new order', () => {
    expect(listRecordedSteps(order).map(({ title }) => title)).toEqual(['Placed'])
  })

  it('show a paid order without times that the record does not have', () => {
    const paid = { ...order, orderStatus: OrderStatus.SUCCESS, hash: '0xab', paidBlock: 9, delivery: 'done' }
    const steps = listRecordedSteps(paid)
    expect(steps.map(({ title, time }) => [title, time])).toEqual([
      ['Placed', order.createTime],
      ['Payment reported', undefined],
      ['Payment found in block 9', undefined],
      ['Paid', undefined],
      ['Delivered to the buyer', order.updateTime],
    ])
  })
})
