import type { TracedCall } from '@mintmark/evm-reader'
import { maxUint256 } from 'viem'
import { describe, expect, it } from 'vitest'
import {
  type ExpectedPayment,
  involvesBuyer,
  nativePaid,
  outcomeOf,
  type PaymentFacts,
  tokenPaid,
  tokenPaidByOthers,
} from './transfer-rules.ts'

const buyer = `0x${'b'.repeat(40)}`
const seller = `0x${'5'.repeat(40)}`
const token = `0x${'70'.repeat(20)}`
const expected: ExpectedPayment = { afterBlock: 100, from: buyer, to: seller, amount: 1000n, token }
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const word = (address: string) => `0x${address.slice(2).padStart(64, '0')}`
const log = (value: bigint, more: object = {}) => ({
  address: token,
  topics: [TRANSFER, word(buyer), word(seller)],
  data: `0x${value.toString(16).padStart(64, '0')}`,
  ...more,
})

it('what is paid in a token is the sum of its transfers from buyer to seller', () => {
  expect(tokenPaid([log(400n), log(600n)], expected)).toBe(1000n)
  expect(tokenPaid([], expected)).toBe(0n)
})

it('a token is paid by at most the largest amount, whatever its transfers claim', () => {
  expect(tokenPaid(Array(20).fill(log(maxUint256)), expected)).toBe(maxUint256)
})

it('a token is paid in whatever case a node writes addresses', () => {
  const shouted = log(5n, { address: token.toUpperCase().replace('X', 'x') })
  expect(tokenPaid([shouted], expected)).toBe(5n)
})

it('nothing is paid in a token by another token, from or to another wallet, by an approval, or by an NFT', () => {
  const others = [
    log(1000n, { address: `0x${'71'.repeat(20)}` }),
    log(1000n, { topics: [TRANSFER, word(seller), word(buyer)] }),
    log(1000n, { topics: [TRANSFER, word(buyer), word(token)] }),
    log(1000n, { topics: [`0x8c5be1e5${'0'.repeat(56)}`, word(buyer), word(seller)] }),
    log(0n, { topics: [TRANSFER, word(buyer), word(seller), word('0x1')], data: '0x' }),
  ]
  expect(tokenPaid(others, expected)).toBe(0n)
})

describe('payments in the native token', () => {
  const call = (value: string, more: TracedCall = {}): TracedCall => ({
    type: 'CALL',
    from: buyer,
    to: seller,
    value,
    ...more,
  })

  it('what is paid in the native token is the sum of what calls moved from buyer to seller, however deep', () => {
    const inner = call('0x0', { from: token, to: buyer, calls: [call('0x3e8'), call('0x1')] })
    expect(nativePaid(call('0x2', { calls: [inner] }), expected)).toBe(1003n)
  })

  it('nothing is paid in the native token by calls that failed, nor by those within them', () => {
    const failed = call('0x3e8', { error: 'execution reverted', calls: [call('0x3e8')] })
    expect(nativePaid(call('0x0', { calls: [failed] }), expected)).toBe(0n)
  })

  it('nothing is paid in the native token by code that is borrowed, or between others', () => {
    expect(nativePaid(call('0x3e8', { type: 'DELEGATECALL' }), expected)).toBe(0n)
    expect(nativePaid(call('0x3e8', { from: seller, to: buyer }), expected)).toBe(0n)
  })
})

describe('a transaction involves the buyer', () => {
  const stranger = `0x${'4'.repeat(40)}`
  const event = `0x8c5be1e5${'0'.repeat(56)}`
  const involves = (more: Partial<Parameters<typeof involvesBuyer>[0]>) =>
    involvesBuyer({ from: stranger, to: stranger, logs: [], ...more }, expected)

  it('a transaction involves the buyer when the buyer sends it, is called by it, or is named by one of its logs', () => {
    expect(involves({ from: buyer.toUpperCase().replace('X', 'x') })).toBe(true)
    expect(involves({ to: buyer })).toBe(true)
    expect(involves({ logs: [log(1n, { address: buyer, topics: [event] })] })).toBe(true)
    expect(involves({ logs: [log(1n, { topics: [event, word(stranger), word(buyer)] })] })).toBe(true)
  })

  it('a transaction involves the buyer when any token moves from the buyer to anybody', () => {
    const other = log(1n, {
      address: `0x${'71'.repeat(20)}`,
      topics: [TRANSFER, word(buyer), word(stranger)],
    })
    expect(involves({ logs: [other] })).toBe(true)
  })

  it('a transaction does not involve the buyer when others send it, transfer nothing in the name of the buyer, or send tokens to the buyer', () => {
    expect(involves({})).toBe(false)
    expect(involves({ to: null })).toBe(false)
    expect(involves({ logs: [log(0n)] })).toBe(false)
    expect(involves({ logs: [log(1n, { topics: [TRANSFER, word(stranger), word(buyer)] })] })).toBe(false)
    expect(involves({ logs: [log(1n, { data: '0x' })] })).toBe(false)
  })
})

it('counts what other wallets paid to the seller apart from what the buyer paid', () => {
  const stranger = log(9n, { topics: [TRANSFER, word(token), word(seller)] })
  expect(tokenPaid([stranger, log(5n)], expected)).toBe(5n)
  expect(tokenPaidByOthers([stranger, log(5n)], expected)).toBe(9n)
})

it('counts a transfer whose log has no amount as nothing', () => {
  expect(tokenPaid([log(1n, { data: '0x' }), log(1n, { data: '0x01' })], expected)).toBe(0n)
})

it.each<[number, Partial<PaymentFacts>, string]>([
  [101, { paid: 1000n }, 'paid'],
  [101, { paid: 1001n }, 'paid'],
  [101, { paid: 999n }, 'not_enough'],
  [101, { paid: 0n, buyerInvolved: true }, 'not_enough'],
  [101, { paid: 0n }, 'unrelated'],
  [101, { paid: 0n, paidByOthers: 1000n }, 'other_payer'],
  [101, { paid: 0n, paidByOthers: 999n }, 'unrelated'],
  [101, { paid: 999n, paidByOthers: 1000n }, 'not_enough'],
  [101, { paid: undefined, buyerInvolved: true }, 'not_a_plain_transfer'],
  [101, { paid: undefined }, 'unrelated'],
  [100, { paid: 1000n, buyerInvolved: true }, 'mined_before_order'],
  [100, { paid: 0n, buyerInvolved: true }, 'unrelated'],
  [1, { paid: undefined, buyerInvolved: true }, 'mined_before_order'],
  [1, { paid: undefined }, 'unrelated'],
])(
  'evaluates a transaction in block %i, after block 100, that moved %o of 1000 as %s',
  (block, facts, outcome) => {
    expect(outcomeOf(block, { paid: 0n, paidByOthers: 0n, buyerInvolved: false, ...facts }, expected)).toBe(
      outcome,
    )
  },
)

it('an order that costs nothing is paid by any amount from the buyer, and by nothing else', () => {
  const free = { ...expected, amount: 0n }
  const facts = { paidByOthers: 0n, buyerInvolved: true }
  expect(outcomeOf(101, { ...facts, paid: 0n }, free)).toBe('not_enough')
  expect(outcomeOf(101, { ...facts, paid: 1n }, free)).toBe('paid')
  expect(outcomeOf(101, { paid: 0n, paidByOthers: 0n, buyerInvolved: false }, free)).toBe('unrelated')
})
