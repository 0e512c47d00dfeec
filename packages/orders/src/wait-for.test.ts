import { ForbiddenError, isMintmarkError, NetworkError, TimeoutError } from '@mintmark/envelope'
import { respondTo, testClient } from '@mintmark/transport/testing'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Order, OrderStatus, orders } from './index.ts'

const orderNo = 'o-7'
const waiting: Partial<Order> = { orderNo, orderStatus: OrderStatus.IN_PROGRESS, delivery: '' }
const paid: Partial<Order> = { orderNo, orderStatus: OrderStatus.SUCCESS, delivery: 'pending' }
const delivered: Partial<Order> = { ...paid, delivery: 'done' }

/** A client whose answers follow each other; the last one is repeated. Errors are thrown. */
function clientWith(...answers: (Partial<Order> | Error)[]) {
  let calls = 0
  return testClient('gateway', [
    respondTo(orders.get, () => {
      const answer = answers[Math.min(calls++, answers.length - 1)]
      if (answer instanceof Error) throw answer
      return answer as Order
    }),
  ])
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/**
 * Runs a wait to its end on the simulated clock. Returns its order or error, and the milliseconds that it
 * took.
 */
async function run(waitingFor: Promise<Order>): Promise<{ result: unknown; milliseconds: number }> {
  const startedAt = Date.now()
  let milliseconds = 0
  const ended = waitingFor
    .catch((error: unknown) => error)
    .finally(() => {
      milliseconds = Date.now() - startedAt
    })
  await vi.runAllTimersAsync()
  return { result: await ended, milliseconds }
}

describe('orders.waitFor', () => {
  it('returns the order as soon as it has ended', async () => {
    const gateway = clientWith(waiting, waiting, paid)
    const { result, milliseconds } = await run(orders.waitFor(gateway, { orderNo }))
    expect(result).toEqual(paid)
    expect(milliseconds).toBe(500 + 750)
    expect(gateway.calls).toEqual(Array(3).fill({ operation: 'orders.get', input: { orderNo } }))
  })

  it('returns an order that has ended already without a pause', async () => {
    expect((await run(orders.waitFor(clientWith(paid), { orderNo }))).milliseconds).toBe(0)
  })

  it.each(['FAILED', 'CANCELLED', 'EXPIRED', 'UNRESOLVED'] as const)(
    'returns an order that ended as %s, also while waiting for the delivery',
    async (status) => {
      const ended = { ...waiting, orderStatus: OrderStatus[status] }
      const { result } = await run(
        orders.waitFor(clientWith(waiting, ended), { orderNo, until: 'delivered' }),
      )
      expect(result).toEqual(ended)
    },
  )

  it('waits until the chain has confirmed the delivery', async () => {
    const gateway = clientWith(waiting, paid, paid, delivered)
    expect((await run(orders.waitFor(gateway, { orderNo, until: 'delivered' }))).result).toEqual(delivered)
  })

  it('waits until a function of the order returns true', async () => {
    const gateway = clientWith(waiting, { ...waiting, hash: '0x7' })
    const { result } = await run(orders.waitFor(gateway, { orderNo, until: ({ hash }) => hash === '0x7' }))
    expect(result).toMatchObject({ hash: '0x7', orderStatus: OrderStatus.IN_PROGRESS })
  })

  it('reads at least every 5 seconds, and ends in a TimeoutError that states the last status', async () => {
    const gateway = clientWith(waiting)
    const { result, milliseconds } = await run(orders.waitFor(gateway, { orderNo, timeout: 60_000 }))
    expect(result).toBeInstanceOf(TimeoutError)
    expect(result).toMatchObject({
      operation: 'orders.waitFor',
      message: 'orders.waitFor: after 60000 ms, order o-7 still has the status IN_PROGRESS',
    })
    expect(milliseconds).toBe(60_000)
    expect(gateway.calls.length).toBeGreaterThan(12)
  })

  it('continues after errors that pass', async () => {
    const broken = new NetworkError('reset', { operation: 'orders.get' })
    const { result } = await run(orders.waitFor(clientWith(broken, waiting, broken, paid), { orderNo }))
    expect(result).toEqual(paid)
  })

  it('ends in a TimeoutError with the last error as its cause if the order could not be read', async () => {
    const broken = new NetworkError('reset', { operation: 'orders.get' })
    const { result } = await run(orders.waitFor(clientWith(broken), { orderNo, timeout: 10_000 }))
    expect(result).toMatchObject({ cause: broken, message: expect.stringMatching(/could not be read$/) })
  })

  it('throws an error that does not pass', async () => {
    const forbidden = new ForbiddenError('403', { operation: 'orders.get' })
    const { result } = await run(orders.waitFor(clientWith(forbidden), { orderNo }))
    expect(isMintmarkError(result) && result.kind).toBe('Forbidden')
  })

  it('rejects with the reason of its signal, and stops to read', async () => {
    const gateway = clientWith(waiting)
    const abort = new AbortController()
    const ended = orders.waitFor(gateway, { orderNo, signal: abort.signal }).catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(600)
    const calls = gateway.calls.length
    abort.abort(new Error('the shop closes'))
    expect(await ended).toMatchObject({ message: 'the shop closes' })
    await vi.runAllTimersAsync()
    expect(gateway.calls.length).toBe(calls)
  })
})
