import { encodeFunctionData, getAddress, type Hex, parseAbi } from 'viem'
import { describe, expect, it } from 'vitest'
import { canPay, type PendingTransaction } from './pending-rules.ts'
import type { ExpectedPayment } from './transfer-rules.ts'

const buyer = `0x${'b1'.repeat(20)}`
const seller = `0x${'5e'.repeat(20)}`
const stranger = `0x${'44'.repeat(20)}`
const token = `0x${'70'.repeat(20)}`
const inToken: ExpectedPayment = { afterBlock: 100, from: buyer, to: seller, amount: 1000n, token }
const inNative: ExpectedPayment = { ...inToken, token: '' }

const abi = parseAbi([
  'function transfer(address to, uint256 value)',
  'function transferFrom(address from, address to, uint256 value)',
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)',
  'function approve(address spender, uint256 value)',
  'function execute(address target, uint256 value, bytes data)',
])
const zero: Hex = `0x${'0'.repeat(64)}`
const transfer = (to: string, value: bigint) =>
  encodeFunctionData({ abi, functionName: 'transfer', args: [getAddress(to), value] })
const transferFrom = (from: string, to: string, value: bigint) =>
  encodeFunctionData({ abi, functionName: 'transferFrom', args: [getAddress(from), getAddress(to), value] })
const authorize = (from: string, to: string, value: bigint) =>
  encodeFunctionData({
    abi,
    functionName: 'transferWithAuthorization',
    args: [getAddress(from), getAddress(to), value, 0n, 0n, zero, '0x'],
  })
const execute = (target: string, value: bigint, data: Hex) =>
  encodeFunctionData({ abi, functionName: 'execute', args: [getAddress(target), value, data] })

const pending = (more: Partial<PendingTransaction>): PendingTransaction => ({
  from: buyer,
  to: token,
  value: 0n,
  input: '0x',
  ...more,
})

describe('a pending transaction can pay an order in a token', () => {
  it.each<[string, Partial<PendingTransaction>, boolean]>([
    ['as a transfer by the buyer', { input: transfer(seller, 1000n) }, true],
    ['as a transfer of more', { input: transfer(seller, 1001n) }, true],
    [
      'as a transfer that somebody makes for the buyer',
      { from: stranger, input: transferFrom(buyer, seller, 1000n) },
      true,
    ],
    [
      'as an authorization that somebody submits',
      { from: stranger, input: authorize(buyer, seller, 1000n) },
      true,
    ],
    [
      'as a call of a wallet that is a contract',
      { from: stranger, to: buyer, input: execute(token, 0n, transfer(seller, 1000n)) },
      true,
    ],
    ['not as a transfer of less', { input: transfer(seller, 999n) }, false],
    ['not as a transfer to others', { input: transfer(stranger, 1000n) }, false],
    ['not as a transfer by others', { from: stranger, input: transfer(seller, 1000n) }, false],
    ['not as a transfer from others', { input: transferFrom(stranger, seller, 1000n) }, false],
    [
      'not as an authorization of others',
      { from: stranger, input: authorize(stranger, seller, 1000n) },
      false,
    ],
    ['not in another token', { to: stranger, input: transfer(seller, 1000n) }, false],
    [
      'not as an approval of others',
      { input: encodeFunctionData({ abi, functionName: 'approve', args: [getAddress(stranger), 1000n] }) },
      false,
    ],
    [
      'not as a call of a wallet for another amount',
      { from: stranger, to: buyer, input: execute(token, 0n, transfer(seller, 999n)) },
      false,
    ],
    [
      'not as a call of a wallet to others',
      { from: stranger, to: buyer, input: execute(token, 0n, transfer(stranger, 1000n)) },
      false,
    ],
    ['not as a deployment', { to: null, input: '0x6000' }, false],
    ['not as a call cut short', { input: transfer(seller, 1000n).slice(0, 80) }, false],
  ])('a pending transaction can pay an order in a token %s', (_, transaction, expected) => {
    expect(canPay(pending(transaction), inToken)).toBe(expected)
  })
})

it.each<[string, Partial<PendingTransaction>, boolean]>([
  ['from buyer to seller', { to: seller, value: 1000n }, true],
  [
    'in whatever case a node writes addresses',
    { from: getAddress(buyer), to: getAddress(seller), value: 1000n },
    true,
  ],
  [
    'as a call of a wallet that is a contract',
    { from: stranger, to: buyer, input: execute(seller, 1000n, '0x') },
    true,
  ],
  ['not with less', { to: seller, value: 999n }, false],
  ['not to others', { to: stranger, value: 1000n }, false],
  ['not from others', { from: stranger, to: seller, value: 1000n }, false],
  ['not as a transfer of a token', { input: transfer(stranger, 1000n) }, false],
])('a pending transaction can pay an order in the native token %s', (_, transaction, expected) => {
  expect(canPay(pending(transaction), inNative)).toBe(expected)
})

it('a pending transaction without value does not pay an order that costs nothing', () => {
  expect(canPay(pending({ to: seller, value: 0n }), { ...inNative, amount: 0n })).toBe(false)
  expect(canPay(pending({ to: seller, value: 1n }), { ...inNative, amount: 0n })).toBe(true)
})
