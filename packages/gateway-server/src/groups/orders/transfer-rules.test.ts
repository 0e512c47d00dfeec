import { describe, expect, it } from 'vitest'
import { type AskedPayment, nativePaid, outcomeOf, type TracedCall, tokenPaid } from './transfer-rules.ts'

const buyer = `0x${'b'.repeat(40)}`
const seller = `0x${'5'.repeat(40)}`
const token = `0x${'70'.repeat(20)}`
const asked: AskedPayment = { afterBlock: 100, from: buyer, to: seller, amount: 1000n, token }
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const word = (address: string) => `0x${address.slice(2).padStart(64, '0')}`
const log = (value: bigint, more: object = {}) => ({
  address: token,
  topics: [TRANSFER, word(buyer), word(seller)],
  data: `0x${value.toString(16).padStart(64, '0')}`,
  ...more,
})

describe('of a token is paid', () => {
  it('the sum of its transfers from buyer to seller', () => {
    expect(tokenPaid([log(400n), log(600n)], asked)).toBe(1000n)
    expect(tokenPaid([], asked)).toBe(0n)
  })

  it('whatever case a node writes addresses in', () => {
    const shouted = log(5n, { address: token.toUpperCase().replace('X', 'x') })
    expect(tokenPaid([shouted], asked)).toBe(5n)
  })

  it('nothing by another token, from or to another wallet, by an approval, or by an NFT', () => {
    const others = [
      log(1000n, { address: `0x${'71'.repeat(20)}` }),
      log(1000n, { topics: [TRANSFER, word(seller), word(buyer)] }),
      log(1000n, { topics: [TRANSFER, word(buyer), word(token)] }),
      log(1000n, { topics: [`0x8c5be1e5${'0'.repeat(56)}`, word(buyer), word(seller)] }),
      log(0n, { topics: [TRANSFER, word(buyer), word(seller), word('0x1')], data: '0x' }),
    ]
    expect(tokenPaid(others, asked)).toBe(0n)
  })
})

describe('of the native token is paid', () => {
  const call = (value: string, more: TracedCall = {}): TracedCall => ({
    type: 'CALL',
    from: buyer,
    to: seller,
    value,
    ...more,
  })

  it('the sum of what calls moved from buyer to seller, however deep', () => {
    const inner = call('0x0', { from: token, to: buyer, calls: [call('0x3e8'), call('0x1')] })
    expect(nativePaid(call('0x2', { calls: [inner] }), asked)).toBe(1003n)
  })

  it('nothing by calls that failed, nor by those within them', () => {
    const failed = call('0x3e8', { error: 'execution reverted', calls: [call('0x3e8')] })
    expect(nativePaid(call('0x0', { calls: [failed] }), asked)).toBe(0n)
  })

  it('nothing by code that is borrowed, or between others', () => {
    expect(nativePaid(call('0x3e8', { type: 'DELEGATECALL' }), asked)).toBe(0n)
    expect(nativePaid(call('0x3e8', { from: seller, to: buyer }), asked)).toBe(0n)
  })
})

it.each<[number, bigint | undefined, string]>([
  [101, 1000n, 'paid'],
  [101, 1001n, 'paid'],
  [101, 999n, 'not_enough'],
  [101, 0n, 'not_enough'],
  [101, undefined, 'not_a_plain_transfer'],
  [100, 1000n, 'mined_before_order'],
  [1, undefined, 'mined_before_order'],
])('in block %i, after block 100, %s of 1000 is %s', (block, paid, outcome) => {
  expect(outcomeOf(block, paid, asked)).toBe(outcome)
})

it('a transaction that moved nothing to the seller is no payment, of an order that costs nothing either', () => {
  expect(outcomeOf(101, 0n, { ...asked, amount: 0n })).toBe('not_enough')
  expect(outcomeOf(101, 1n, { ...asked, amount: 0n })).toBe('paid')
})
