// Purchases at facilitators that answer late, wrongly, or not at all.
import { createMemoryStore, type SellerOptions } from '@mintmark/seller'
import type { SettleResponse } from '@x402/core/types'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import {
  createPayer,
  lose,
  openScriptedSeller,
  present,
  refuse,
  SOLANA,
  succeed,
} from './scripted-facilitator.ts'

const stops = new AsyncDisposableStack()
afterAll(() => stops.disposeAsync())
afterEach(() => void vi.useRealTimers())

/** Moves the clock of the seller and its store. */
function passTime(ms: number): void {
  const now = Date.now()
  vi.useFakeTimers({ toFake: ['Date'], now: now + ms })
}

const openSeller = (options: Partial<SellerOptions> = {}) => openScriptedSeller(stops, options)

const settled = async () => ({ state: 'settled', transaction: '0x01' }) as const

describe('a sale', () => {
  it.each([
    ['twice before the response and once after it if the seller has a status', settled, []],
    ['once more without a status, since only its process knows that it is paid', undefined, ['paid']],
  ])('is stored %s', async (_name, status, more) => {
    const store = createMemoryStore()
    const claim = vi.spyOn(store, 'claim')
    const replace = vi.spyOn(store, 'replace')
    const [seller, payer] = [await openSeller({ store, ...(status && { status }) }), createPayer()]
    expect((await payer.buy(seller.url)).status).toBe(200)
    await vi.waitFor(() => {
      const states = replace.mock.calls.map(([, { purchase }]) => purchase.state)
      expect([claim.mock.calls.length, states]).toEqual([1, ['settling', ...more, 'delivered']])
    })
  })
})

describe('a settle that takes longer than its process is left alone', () => {
  it.each([
    ['has found out', {}],
    ['has read from a status', { status: settled }],
  ])('does not deliver what another process %s and delivered meanwhile', async (_name, options) => {
    const [seller, payer] = [await openSeller(options), createPayer()]
    const held = Promise.withResolvers<SettleResponse>()
    seller.script.answers = [() => held.promise]
    const first = payer.buy(seller.url)
    await vi.waitUntil(() => seller.script.settles === 1)
    passTime(31_000)
    const second = await present(seller.url, payer.getSigned())
    held.resolve(await succeed())
    expect([second.status, (await first).status, seller.runs]).toEqual([200, 503, 1])
  })

  it('keeps what only it knows for the next call if the other process has found nothing out', async () => {
    const [seller, payer] = [await openSeller(), createPayer()]
    const held = Promise.withResolvers<SettleResponse>()
    seller.script.answers = [() => held.promise, refuse('invalid_exact_evm_nonce_already_used')]
    const first = payer.buy(seller.url)
    await vi.waitUntil(() => seller.script.settles === 1)
    passTime(31_000)
    const second = await payer.buy(seller.url)
    held.resolve(await succeed())
    expect([second.status, (await first).status]).toEqual([503, 503])
    const third = await payer.buy(seller.url)
    expect([await third.text(), seller.runs, seller.script.settles]).toEqual(['report 1', 1, 2])
  })
})

describe('a settle that was not answered', () => {
  it('is repeated although the status says that it was settled, so that its signature never buys again', async () => {
    const status = vi.fn(async () => ({ state: 'settled', transaction: '0x01' }) as const)
    const [seller, payer] = [await openSeller({ status }), createPayer()]
    // Each success is given once.
    seller.script.verify = () => ({ isValid: seller.script.settles < 2 })
    seller.script.answers = [lose]
    expect((await payer.buy(seller.url)).status).toBe(503)
    const old = payer.getSigned()
    expect(await (await present(seller.url, old)).text()).toBe('report 1')
    passTime(40 * 86_400_000)
    expect([(await present(seller.url, old)).status, seller.runs]).toEqual([402, 1])
  })

  it('stays open although the status says that it was settled, until the repeated settle is answered', async () => {
    const status = vi.fn(async () => ({ state: 'settled', transaction: '0x01' }) as const)
    const [seller, payer] = [await openSeller({ status }), createPayer()]
    seller.script.answers = [lose, lose]
    for (let time = 0; time < 2; time += 1) expect((await payer.buy(seller.url)).status).toBe(503)
    expect([(await payer.buy(seller.url)).status, seller.runs, seller.script.settles]).toEqual([200, 1, 3])
  })

  it('can be resolved for one day if the seller has no status, however often the payer retries', async () => {
    const [seller, payer] = [await openSeller(), createPayer()]
    const used = refuse('invalid_exact_evm_nonce_already_used')
    seller.script.answers = [lose, used, used]
    for (let time = 0; time < 3; time += 1) {
      expect((await payer.buy(seller.url)).status).toBe(503)
      passTime(10 * 3_600_000)
    }
    expect(await (await payer.buy(seller.url)).text()).toBe('report 2')
  })

  it('can be resolved by a payer on Solana, of whom a facilitator says nothing once the payment is settled', async () => {
    const seller = await openSeller()
    const url = `${seller.origin}/solana`
    const required = JSON.parse(
      Buffer.from((await fetch(url)).headers.get('PAYMENT-REQUIRED') ?? '', 'base64').toString(),
    )
    const [accepted] = required.accepts
    expect(accepted.network).toBe(SOLANA)
    const transaction = Buffer.concat([Buffer.from([1]), Buffer.alloc(64), Buffer.from('message')])
    const payment = { x402Version: 2, accepted, payload: { transaction: transaction.toString('base64') } }
    seller.script.verify = () => ({ isValid: true, payer: 'payer' })
    seller.script.answers = [lose]
    expect((await present(url, payment)).status).toBe(503)
    seller.script.verify = () => ({
      isValid: false,
      invalidReason: 'invalid_exact_svm_transaction_simulation_failed',
    })
    expect(await (await present(url, payment)).text()).toBe('report 1')
    expect((await present(url, payment)).status).toBe(402)
  })
})

describe('a settle that was refused', () => {
  it.each([
    ['a failed transaction without a hash', refuse('invalid_exact_evm_transaction_failed')],
    ['a failed transaction with a text', refuse('invalid_exact_evm_transaction_failed: request timed out')],
    ['a text', refuse('Timed out while waiting for the transaction')],
    [
      'a pending settlement that could not be stored',
      refuse('invalid_transaction_state', {
        errorMessage: 'settlement_pending, but failed to persist for retry: timeout',
        transaction: '0x01',
      }),
    ],
  ])('asks for no second payment if the reason is %s', async (_name, answer) => {
    const [seller, payer] = [await openSeller(), createPayer()]
    seller.script.answers = [answer]
    expect((await payer.buy(seller.url)).status).toBe(503)
    expect(await (await payer.buy(seller.url)).text()).toBe('report 1')
    expect(seller.runs).toBe(1)
  })

  it.each([
    ['settled', 503, 'report 1'],
    ['pending', 503, 'report 1'],
    ['failed', 402, 'report 2'],
    ['unknown', 402, 'report 2'],
  ] as const)('is refused for good only if the status agrees: %s', async (state, expected, report) => {
    const status = async () => (state === 'settled' ? { state, transaction: '0x01' } : { state })
    const [seller, payer] = [await openSeller({ status }), createPayer()]
    seller.script.answers = [refuse('invalid_exact_evm_nonce_already_used')]
    expect((await payer.buy(seller.url)).status).toBe(expected)
    expect(await (await payer.buy(seller.url)).text()).toBe(report)
  })

  it('asks for a new payment if the transaction failed on the chain', async () => {
    const [seller, payer] = [await openSeller(), createPayer()]
    seller.script.answers = [refuse('invalid_exact_evm_transaction_failed', { transaction: '0x01' })]
    expect((await payer.buy(seller.url)).status).toBe(402)
  })
})
