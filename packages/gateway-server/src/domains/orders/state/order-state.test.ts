import { OrderStatus } from '@mintmark/orders'
import { describe, expect, it } from 'vitest'
import { findTransition, type OrderEvent, type Stock } from './order-state.ts'

type State = keyof typeof OrderStatus
const states = Object.keys(OrderStatus) as State[]
const events: readonly OrderEvent[] = [
  'reported',
  'cancelled',
  'cancelled_by_transfer',
  'expired',
  'paid',
  'paid_without_stock',
  'overpaid',
  'paid_again',
  'mismatched',
  'reverted',
  'not_paid',
  'unseen',
  'reorganized',
  'resolved_success',
  'resolved_failed',
  'refunded',
]

const late: Partial<Record<OrderEvent, string>> = {
  paid: 'SUCCESS reserve commit consume',
  paid_without_stock: 'UNRESOLVED consume flag_refund alert',
  resolved_success: 'SUCCESS reserve commit consume clear_refunds',
}
/**
 * Where each event leads from each state, with what goes with it while stock is reserved; '-' where the state
 * does not know it.
 */
const table: Record<State, Partial<Record<OrderEvent, string>>> = {
  PRE: {
    reported: 'IN_PROGRESS',
    cancelled: 'CANCELLED release',
    cancelled_by_transfer: 'CANCELLED release',
    expired: 'EXPIRED release',
    resolved_failed: 'EXPIRED release',
  },
  IN_PROGRESS: {
    reported: 'IN_PROGRESS',
    paid: 'SUCCESS commit consume',
    mismatched: 'UNRESOLVED dispute alert',
    reverted: 'FAILED release',
    not_paid: 'FAILED release',
    unseen: 'FAILED release',
    resolved_success: 'SUCCESS commit consume',
    resolved_failed: 'FAILED release',
  },
  SUCCESS: {
    paid_again: 'SUCCESS consume flag_refund alert',
    reorganized: 'UNRESOLVED alert',
    overpaid: 'SUCCESS flag_refund alert',
    refunded: 'SUCCESS settle_refund',
  },
  FAILED: { ...late, resolved_failed: 'FAILED clear_refunds' },
  CANCELLED: { ...late, resolved_failed: 'CANCELLED clear_refunds' },
  EXPIRED: { ...late, resolved_failed: 'EXPIRED clear_refunds' },
  UNRESOLVED: {
    resolved_success: 'SUCCESS commit consume clear_refunds',
    resolved_failed: 'FAILED release clear_refunds',
  },
}
/** What an order in a state has of its listing. */
const stockOf: Record<State, Stock> = {
  PRE: 'reserved',
  IN_PROGRESS: 'reserved',
  SUCCESS: 'committed',
  FAILED: 'released',
  CANCELLED: 'released',
  EXPIRED: 'released',
  UNRESOLVED: 'reserved',
}

function describeTransition(state: State, event: OrderEvent, stock: Stock): string {
  const transition = findTransition(OrderStatus[state], event, stock)
  const to = states.find((name) => OrderStatus[name] === transition?.to)
  return transition === undefined ? '-' : [to, ...transition.effects].join(' ')
}

describe.each(states)('an order in %s', (state) => {
  it.each(events.map((event) => [event, table[state][event] ?? '-']))(
    'at "%s" goes to %s',
    (event, expected) => {
      expect(describeTransition(state, event as OrderEvent, stockOf[state])).toBe(expected)
    },
  )
})

describe('effects that the inventory has had already', () => {
  it('a payment that a reorganization removed and an operator accepts does not sell twice', () => {
    expect(describeTransition('UNRESOLVED', 'resolved_success', 'committed')).toBe(
      'SUCCESS consume clear_refunds',
    )
    expect(describeTransition('UNRESOLVED', 'resolved_failed', 'committed')).toBe(
      'FAILED revert clear_refunds',
    )
  })

  it('an order whose stock was released reserves again before it sells', () => {
    expect(describeTransition('UNRESOLVED', 'resolved_success', 'released')).toBe(
      'SUCCESS reserve commit consume clear_refunds',
    )
    expect(describeTransition('UNRESOLVED', 'resolved_failed', 'released')).toBe('FAILED clear_refunds')
  })

  it('an order without inventory releases nothing and reserves nothing', () => {
    expect(describeTransition('PRE', 'expired', 'none')).toBe('EXPIRED')
    expect(describeTransition('EXPIRED', 'paid', 'none')).toBe('SUCCESS commit consume')
  })
})
