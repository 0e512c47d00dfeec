import { authCaptureEscrowAbi } from '@mintmark/devkit/chain/artifacts/abi'
import {
  encodeAbiParameters,
  encodeEventTopics,
  encodeFunctionData,
  getAbiItem,
  type Hex,
  keccak256,
  toHex,
} from 'viem'
import { expect, it } from 'vitest'
import type { Log } from '../../../chains/evm/reads/transfer.ts'
import type { PaymentOnChain } from '../../../payment/payment.ts'
import { authorizeScheme, operationScheme } from './auth-capture-schemes.ts'
import { escrowAddress } from './escrow-addresses.ts'

const abi = authCaptureEscrowAbi
const CHAIN_ID = 84532n
const OTHER = '0x00000000000000000000000000000000000000ff'
const info = {
  operator: '0x0000000000000000000000000000000000000001',
  payer: '0x0000000000000000000000000000000000000002',
  receiver: '0x0000000000000000000000000000000000000003',
  token: '0x0000000000000000000000000000000000000004',
  maxAmount: 100n,
  preApprovalExpiry: 1_000,
  authorizationExpiry: 2_000,
  refundExpiry: 3_000,
  minFeeBps: 0,
  maxFeeBps: 0,
  feeReceiver: '0x0000000000000000000000000000000000000000',
  salt: 7n,
} as const
type Info = {
  [Name in keyof typeof info]: (typeof info)[Name] extends Hex
    ? Hex
    : (typeof info)[Name] extends bigint
      ? bigint
      : number
}

const typehash = keccak256(
  toHex(
    'PaymentInfo(address operator,address payer,address receiver,address token,uint120 maxAmount,uint48 preApprovalExpiry,uint48 authorizationExpiry,uint48 refundExpiry,uint16 minFeeBps,uint16 maxFeeBps,address feeReceiver,uint256 salt)',
  ),
)
const infoInput = getAbiItem({ abi, name: 'getHash' }).inputs[0]

/** Computes the escrow's hash of a payment, as the contract does. */
const hashOf = (payment: Info): Hex =>
  keccak256(
    encodeAbiParameters(
      [{ type: 'uint256' }, { type: 'address' }, { type: 'bytes32' }],
      [
        CHAIN_ID,
        escrowAddress,
        keccak256(encodeAbiParameters([{ type: 'bytes32' }, infoInput], [typehash, payment])),
      ],
    ),
  )
const zero = '0x0000000000000000000000000000000000000000' as const

const toPayment = (payment: Info): PaymentOnChain => ({
  scheme: authorizeScheme,
  network: `eip155:${CHAIN_ID}`,
  asset: payment.token,
  domain: payment.token,
  payer: payment.payer,
  payTo: payment.receiver,
  amount: payment.maxAmount,
  nonce: hashOf({ ...payment, payer: zero }),
  validBefore: BigInt(payment.preApprovalExpiry),
})

const authorized = (payment: Info, amount = payment.maxAmount, address: string = escrowAddress): Log => ({
  address,
  topics: encodeEventTopics({
    abi,
    eventName: 'PaymentAuthorized',
    args: { paymentInfoHash: hashOf(payment) },
  }) as Hex[],
  data: encodeAbiParameters([infoInput, { type: 'uint256' }, { type: 'address' }], [payment, amount, OTHER]),
  logIndex: 0,
})

it('proves an authorization only by the event of the escrow of exactly this payment', () => {
  const payment = toPayment(info)
  expect(authorizeScheme.evaluateLogs([authorized(info)], payment, false)).toBe('paid')
  const others: Info[] = [
    { ...info, payer: OTHER },
    { ...info, receiver: OTHER },
    { ...info, operator: OTHER },
    { ...info, token: OTHER },
    { ...info, authorizationExpiry: 2_001 },
    { ...info, salt: 8n },
  ]
  for (const other of others)
    expect(authorizeScheme.evaluateLogs([authorized(other)], payment, true)).toBe('absent')
  expect(authorizeScheme.evaluateLogs([authorized(info, 99n)], payment, true)).toBe('absent')
  expect(authorizeScheme.evaluateLogs([authorized(info, 100n, OTHER)], payment, true)).toBe('absent')
  const elsewhere = { ...payment, network: 'eip155:8453' }
  expect(authorizeScheme.evaluateLogs([authorized(info)], elsewhere, true)).toBe('absent')
})

it('proves a charge only by the event of the escrow of exactly this payment and amount', () => {
  const payment = { ...toPayment(info), amount: 40n }
  const charged = (of: Info, amount: bigint): Log => ({
    ...authorized(of),
    topics: encodeEventTopics({
      abi,
      eventName: 'PaymentCharged',
      args: { paymentInfoHash: hashOf(of) },
    }) as Hex[],
    data: encodeAbiParameters(
      [infoInput, { type: 'uint256' }, { type: 'address' }, { type: 'uint256' }, { type: 'address' }],
      [of, amount, OTHER, 0n, zero],
    ),
  })
  expect(authorizeScheme.evaluateLogs([charged(info, 40n)], payment, false)).toBe('paid')
  expect(authorizeScheme.evaluateLogs([charged(info, 41n)], payment, true)).toBe('absent')
  expect(authorizeScheme.evaluateLogs([charged({ ...info, salt: 8n }, 40n)], payment, true)).toBe('absent')
})

it('a use of the nonce without the event of the escrow shows that nothing was authorized', () => {
  const payment = toPayment(info)
  const used: Log = {
    address: info.token,
    topics: [
      keccak256(toHex('AuthorizationUsed(address,bytes32)')),
      `0x${info.payer.slice(2).padStart(64, '0')}`,
      payment.nonce,
    ],
    data: '0x',
    logIndex: 0,
  }
  expect(authorizeScheme.evaluateLogs([used], payment, true)).toBe('unpaid')
})

it('proves a capture, a void and a refund only by the event of the escrow for this payment and amount', () => {
  const payment = { ...toPayment(info), scheme: operationScheme, domain: escrowAddress }
  const captured = (of: Info, amount: bigint): Log => ({
    address: escrowAddress,
    topics: encodeEventTopics({
      abi,
      eventName: 'PaymentCaptured',
      args: { paymentInfoHash: hashOf(of) },
    }) as Hex[],
    data: encodeAbiParameters(
      [{ type: 'uint256' }, { type: 'uint256' }, { type: 'address' }],
      [amount, 0n, zero],
    ),
    logIndex: 0,
  })
  const voided = (of: Info): Log => ({
    address: escrowAddress,
    topics: encodeEventTopics({
      abi,
      eventName: 'PaymentVoided',
      args: { paymentInfoHash: hashOf(of) },
    }) as Hex[],
    data: encodeAbiParameters([{ type: 'uint256' }], [60n]),
    logIndex: 0,
  })
  const capture = encodeFunctionData({ abi, functionName: 'capture', args: [info, 40n, 0n, zero] })
  const refunded = (of: Info, amount: bigint): Log => ({
    ...voided(of),
    topics: encodeEventTopics({
      abi,
      eventName: 'PaymentRefunded',
      args: { paymentInfoHash: hashOf(of) },
    }) as Hex[],
    data: encodeAbiParameters([{ type: 'uint256' }, { type: 'address' }], [amount, OTHER]),
  })
  const refund = encodeFunctionData({ abi, functionName: 'refund', args: [info, 40n, OTHER, '0x'] })
  const release = encodeFunctionData({ abi, functionName: 'void', args: [info] })
  const isMissing = (logs: Log[], input: string) =>
    operationScheme.findMissingEffect?.(logs, payment, input) !== undefined
  const other = { ...info, salt: 8n }
  expect(isMissing([refunded(info, 40n)], refund)).toBe(false)
  for (const logs of [[], [refunded(other, 40n)], [refunded(info, 41n)], [captured(info, 40n)]])
    expect(isMissing(logs, refund)).toBe(true)
  expect(isMissing([captured(info, 40n)], capture)).toBe(false)
  expect(isMissing([voided(info)], release)).toBe(false)
  for (const logs of [[], [captured(other, 40n)], [captured(info, 41n)], [voided(info)]])
    expect(isMissing(logs, capture)).toBe(true)
  for (const logs of [[], [voided(other)], [captured(info, 40n)]]) expect(isMissing(logs, release)).toBe(true)
})
