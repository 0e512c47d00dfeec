import { OrderStatus } from '@mintmark/orders'
import { describe, expect, it } from 'vitest'
import { type OrderEvent, type Stock, stepOf } from './order-state.ts'

type State = keyof typeof OrderStatus
const states = Object.keys(OrderStatus) as State[]
const events: readonly OrderEvent[] = [
  'reported',
  'cancelled',
  'withdrawn',
  'expired',
  'paid',
  'paid_without_stock',
  'paid_again',
  'misfit',
  'reverted',
  'unseen',
  'reorganised',
  'resolved_success',
  'resolved_failed',
]

/** Where each event leads from each state, with what goes with it while stock is reserved; '-' where the state does not know it. */
const table: Record<State, Partial<Record<OrderEvent, string>>> = {
  PRE: {
    reported: 'IN_PROGRESS',
    cancelled: 'CANCELLED release',
    withdrawn: 'CANCELLED release',
    expired: 'EXPIRED release',
  },
  IN_PROGRESS: {
    reported: 'IN_PROGRESS',
    paid: 'SUCCESS take consume',
    misfit: 'UNRESOLVED alert',
    reverted: 'FAILED release',
    unseen: 'FAILED release',
  },
  SUCCESS: { paid_again: 'SUCCESS consume flag_refund alert', reorganised: 'UNRESOLVED alert' },
  FAILED: { paid: 'SUCCESS reserve take consume', paid_without_stock: 'UNRESOLVED alert' },
  CANCELLED: { paid: 'SUCCESS reserve take consume', paid_without_stock: 'UNRESOLVED alert' },
  EXPIRED: { paid: 'SUCCESS reserve take consume', paid_without_stock: 'UNRESOLVED alert' },
  UNRESOLVED: { resolved_success: 'SUCCESS take consume', resolved_failed: 'FAILED release' },
}
/** What an order in a state has of its listing. */
const stockOf: Record<State, Stock> = {
  PRE: 'held',
  IN_PROGRESS: 'held',
  SUCCESS: 'taken',
  FAILED: 'released',
  CANCELLED: 'released',
  EXPIRED: 'released',
  UNRESOLVED: 'held',
}

function told(state: State, event: OrderEvent, stock: Stock): string {
  const step = stepOf(OrderStatus[state], event, stock)
  const to = states.find((name) => OrderStatus[name] === step?.to)
  return step === undefined ? '-' : [to, ...step.effects].join(' ')
}

describe.each(states)('an order in %s', (state) => {
  it.each(events.map((event) => [event, table[state][event] ?? '-']))(
    'at "%s" goes to %s',
    (event, expected) => {
      expect(told(state, event as OrderEvent, stockOf[state])).toBe(expected)
    },
  )
})

describe('what was had before is not done again', () => {
  it('a payment that a reorganisation took back and an operator accepts does not sell twice', () => {
    expect(told('UNRESOLVED', 'resolved_success', 'taken')).toBe('SUCCESS consume')
    expect(told('UNRESOLVED', 'resolved_failed', 'taken')).toBe('FAILED take_back')
  })

  it('an order whose stock was given back reserves before it sells', () => {
    expect(told('UNRESOLVED', 'resolved_success', 'released')).toBe('SUCCESS reserve take consume')
    expect(told('UNRESOLVED', 'resolved_failed', 'released')).toBe('FAILED')
  })

  it('an order without a listing gives nothing back and reserves nothing', () => {
    expect(told('PRE', 'expired', 'none')).toBe('EXPIRED')
    expect(told('EXPIRED', 'paid', 'none')).toBe('SUCCESS take consume')
  })
})
