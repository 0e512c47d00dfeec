import { OrderStatus } from '@mintmark/orders'
import { expect, it } from 'vitest'
import { findTransition, type OrderEvent, type Stock } from './order-state.ts'

const { PRE, EXPIRED, UNRESOLVED } = OrderStatus
const listEffects = (status: number, event: OrderEvent, stock: Stock) =>
  findTransition(status, event, stock)?.effects

it('a payment that a reorganization removed and an operator accepts does not sell twice', () => {
  expect(listEffects(UNRESOLVED, 'resolved_success', 'committed')).toEqual(['consume', 'clear_refunds'])
  expect(listEffects(UNRESOLVED, 'resolved_failed', 'committed')).toEqual(['revert', 'clear_refunds'])
})

it('an order whose stock is reserved releases it, and takes back nothing', () => {
  expect(listEffects(UNRESOLVED, 'resolved_success', 'reserved')).toEqual([
    'commit',
    'consume',
    'clear_refunds',
  ])
  expect(listEffects(UNRESOLVED, 'resolved_failed', 'reserved')).toEqual(['release', 'clear_refunds'])
})

it('an order whose stock was released reserves again before it sells', () => {
  const effects = ['reserve', 'commit', 'consume', 'clear_refunds']
  expect(listEffects(UNRESOLVED, 'resolved_success', 'released')).toEqual(effects)
  expect(listEffects(UNRESOLVED, 'resolved_failed', 'released')).toEqual(['clear_refunds'])
})

it('an order without inventory releases nothing and reserves nothing', () => {
  expect(listEffects(PRE, 'expired', 'none')).toEqual([])
  expect(listEffects(EXPIRED, 'paid', 'none')).toEqual(['commit', 'consume'])
})
