// Random payments, captures, voids and refunds of the scheme auth-capture: verify accepts exactly the payments that the
// settlement's transaction authorizes or charges at the same block, and only operations that the escrow executes and the seller has signed.
//
//     VERIFY_CASES=10000 VERIFY_SEED=7 vitest run --project unit --testTimeout 0 packages/facilitator-server/src/schemes/agreement/agreement-auth-capture.test.ts

import { devChainId } from '@mintmark/devkit/chain/chain'
import { randomFrom } from '@mintmark/devkit/random'
import { openChains } from '@mintmark/evm-reader'
import { concat, type Hex, keccak256, type LocalAccount, zeroAddress } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { allowAssets } from '../../chains/evm/settings/allowed-assets.ts'
import { hex, seller } from '../../engine/testing.ts'
import type { Payment } from '../../payment/payment.ts'
import { decodePayment } from '../decode.ts'
import { createAuthCaptureVerifier } from '../evm/auth-capture/auth-capture-verifier.ts'
import { collectorAddress, refundCollectorAddress } from '../evm/auth-capture/escrow-addresses.ts'
import { encodeCollect, encodeOperation, hasOperated } from '../evm/auth-capture/escrow-contracts.ts'
import {
  computeChargeDigest,
  computeNonce,
  computeOperationDigest,
  computeSalt,
  hashInfo,
} from '../evm/auth-capture/escrow-digests.ts'
import type {
  Charge,
  EscrowBalances,
  EscrowOperation,
  PaymentInfo,
} from '../evm/auth-capture/escrow-terms.ts'
import { combineWords } from '../evm/shared/typed-data.ts'
import {
  type AgreementCase,
  CASES,
  expectAgreement,
  FUNDS,
  NOW,
  openAgreement,
  payerKinds,
  SEED,
  sharedFaults,
  slotOf,
} from './testing-agreement.ts'

const NETWORK = `eip155:${devChainId}`
const CAPTURE_DEADLINE = NOW + 86_000n

const agreement = await openAgreement()
const { chain, tokens, placesOf, setSlot } = agreement
const { client } = chain
const operator = agreement.stranger.address
const authorizer = privateKeyToAccount(generatePrivateKey())

/** The chain's time, in milliseconds since the epoch. It does not advance between transactions. */
let chainTime = Date.now()
const verifier = createAuthCaptureVerifier({
  chains: openChains([{ id: devChainId, rpcUrls: [chain.rpcUrl], finality: { depth: 2 } }]).all,
  allowedAssets: allowAssets(`${devChainId}=${tokens.legacy},${devChainId}=${tokens.plain}`),
  transfers: agreement.verifier,
  stateTtlMs: 0,
  now: () => chainTime,
  report: (error) => {
    throw error
  },
})

const toRequirements = (
  { token, maxAmount }: Pick<PaymentInfo, 'token' | 'maxAmount'>,
  paymentFlow: string,
) => ({
  scheme: 'auth-capture',
  network: NETWORK,
  asset: token,
  amount: maxAmount.toString(),
  payTo: seller,
  maxTimeoutSeconds: 300,
  extra: {
    name: 'USDC',
    version: '2',
    captureAuthorizer: operator,
    receiverAuthorizer: authorizer.address,
    captureDeadline: Number(CAPTURE_DEADLINE),
    refundDeadline: Number(CAPTURE_DEADLINE),
    feeRecipient: zeroAddress,
    minFeeBps: 0,
    maxFeeBps: 0,
    paymentFlow,
  },
})

const toInfo = (terms: Pick<PaymentInfo, 'payer' | 'token' | 'maxAmount'>, saltNonce: Hex): PaymentInfo => ({
  ...terms,
  operator: operator.toLowerCase(),
  payer: terms.payer.toLowerCase(),
  token: terms.token.toLowerCase(),
  receiver: seller.toLowerCase(),
  preApprovalExpiry: NOW + 80_000n,
  authorizationExpiry: CAPTURE_DEADLINE,
  refundExpiry: CAPTURE_DEADLINE,
  minFeeBps: 0n,
  maxFeeBps: 0n,
  feeReceiver: zeroAddress,
  salt: computeSalt(authorizer.address.toLowerCase(), saltNonce),
})

function decode(info: PaymentInfo, payload: object, paymentFlow = 'escrow'): Payment {
  const required = toRequirements(info, paymentFlow)
  const paymentPayload = { x402Version: 2, accepted: required, payload }
  const decoded = decodePayment(
    { x402Version: 2, paymentPayload, paymentRequirements: required },
    { networks: new Set([NETWORK]), facilitators: new Set([operator.toLowerCase()]) },
  )
  if (!decoded.ok) throw new Error(decoded.message)
  return decoded.payment
}

const paymentFaults = [...sharedFaults, 'toOtherCollector', 'collected'] as const
type Fault = (typeof paymentFaults)[number]

interface PaymentCase extends AgreementCase<Fault> {
  /** What the payer signs. */
  readonly amount: bigint
  /** What the seller charges of it. Undefined: it is held. */
  readonly charged?: bigint | undefined
}

const RECEIVE = {
  ReceiveWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const

const infoOf = ({ token, amount, faults, nonce, ...one }: PaymentCase): PaymentInfo => {
  const { address } = agreement.payerOf({ token, faults, nonce, ...one })
  const info = toInfo({ payer: address, token, maxAmount: amount }, nonce)
  return faults.has('expired') ? { ...info, preApprovalExpiry: NOW - 10n } : info
}

async function signPayment(one: PaymentCase): Promise<Payment> {
  const { faults, token, nonce: saltNonce } = one
  const info = infoOf(one)
  const nonce = hex(computeNonce(info, devChainId))
  const signature = await agreement.signerOf(one).signTypedData({
    domain: { name: 'USDC', version: '2', chainId: devChainId, verifyingContract: token },
    types: RECEIVE,
    primaryType: 'ReceiveWithAuthorization',
    message: {
      from: hex(info.payer),
      to: faults.has('toOtherCollector') ? hex(seller) : hex(collectorAddress),
      value: info.maxAmount,
      validAfter: faults.has('notYetValid') ? NOW + 40_000n : 0n,
      validBefore: info.preApprovalExpiry,
      nonce,
    },
  })
  const authorization = {
    from: info.payer,
    to: collectorAddress,
    value: info.maxAmount.toString(),
    validAfter: '0',
    validBefore: info.preApprovalExpiry.toString(),
    nonce,
  }
  const flow = one.charged === undefined ? 'escrow' : 'authorization'
  const payment = decode(info, { authorization, signature, salt: info.salt, saltNonce }, flow)
  return completeCharge(agreement.disturb(payment, one), one)
}

/** Signs what the seller charges of a payment. */
async function completeCharge(payment: Payment, { charged }: PaymentCase): Promise<Payment> {
  if (charged === undefined) return payment
  const details: Charge = {
    kind: 'charge',
    info: infoOfPayment(payment),
    authorizer: authorizer.address.toLowerCase(),
  }
  const hash = hex(`0x${computeChargeDigest({ ...payment, amount: charged, details })}`)
  const authorizerSignature = await authorizer.sign({ hash })
  return { ...payment, amount: charged, details: { ...details, authorizerSignature } }
}

const infoOfPayment = ({ details }: Payment): PaymentInfo => (details as { info: PaymentInfo }).info

/** Sends a call of the operator. Returns its receipt, also if it reverted. */
async function send(call: { recipient: string; data: Hex }) {
  const hash = await client.sendTransaction({
    account: operator,
    chain: null,
    to: hex(call.recipient),
    data: call.data,
    gas: 2_000_000n,
  })
  return client.waitForTransactionReceipt({ hash })
}

test('verify accepts exactly the payments that the settlement’s transaction authorizes or charges at the same block', async () => {
  await expectAgreement<Fault, PaymentCase>(
    { ...agreement, verifier },
    {
      kinds: payerKinds,
      // Multicall3 would deploy the wallet, and is not the operator. The other wallet's code refuses every signature.
      neverPays: ['undeployed', 'otherDelegate'],
      kindOf: ({ kind }) => kind,
      pick: (random) => {
        const count = random.pick([0, 0, 0, 1, 1, 1, 2])
        const faults = new Set(Array.from({ length: count }, () => random.pick(paymentFaults)))
        const amount = faults.has('tooLittle') ? FUNDS + 1n : random.pick([1n, FUNDS])
        return {
          kind: random.pick(payerKinds),
          token: random.pick([tokens.usdc, tokens.usdc, tokens.legacy, tokens.plain]),
          faults,
          salt: hex(random.hex(32)),
          nonce: hex(random.hex(32)),
          amount,
          charged: random.chance(0.4) ? undefined : random.pick([1n, amount]),
        }
      },
      sign: signPayment,
      async prepare(one, payment) {
        const { token, faults } = one
        await agreement.prepareToken(one, hex(payment.payer))
        if (faults.has('collected'))
          await send(encodeCollect({ kind: 'authorize', info: infoOf(one) }, one.amount, payment.signature))
        const { authorizations } = placesOf(token)
        if (!faults.has('usedNonce') || authorizations === undefined) return
        const slot = keccak256(concat([hex(payment.nonce), slotOf(hex(payment.payer), authorizations)]))
        await setSlot(token, slot, 1n)
      },
    },
  )
})

const AUTHORIZED = 100n
const payer = privateKeyToAccount(generatePrivateKey())

/** Authorizes a payment, of which a part may be captured. */
async function openCaptured(saltNonce: Hex, captured: bigint): Promise<PaymentInfo> {
  const one = { kind: 'key', token: tokens.usdc, faults: new Set<Fault>(), salt: saltNonce } as const
  const terms = { ...one, nonce: saltNonce, amount: AUTHORIZED }
  await agreement.prepareToken(terms, agreement.payerOf(terms).address)
  const payment = await signPayment(terms)
  expect(await agreement.execute(payment)).toBe(true)
  const info = infoOf(terms)
  if (captured === 0n) return info
  const expected = { capturable: AUTHORIZED, refundable: 0n }
  const signed = { info, authorizer: '', signature: '0x' }
  const { status } = await send(encodeOperation({ kind: 'capture', ...signed, amount: captured, expected }))
  expect(status).toBe('success')
  return info
}

const toJson = (info: PaymentInfo) => ({
  ...info,
  maxAmount: info.maxAmount.toString(),
  preApprovalExpiry: Number(info.preApprovalExpiry),
  authorizationExpiry: Number(info.authorizationExpiry),
  refundExpiry: Number(info.refundExpiry),
  minFeeBps: 0,
  maxFeeBps: 0,
})

/** Signs for exactly a refund of a state, as the wallet that pays it does. */
async function signFunding(
  info: PaymentInfo,
  amount: bigint,
  expected: EscrowBalances,
  signer: LocalAccount,
) {
  const nonce = combineWords(hashInfo(info, devChainId), expected.capturable, expected.refundable)
  const signature = await signer.signTypedData({
    domain: { name: 'USDC', version: '2', chainId: devChainId, verifyingContract: hex(info.token) },
    types: RECEIVE,
    primaryType: 'ReceiveWithAuthorization',
    message: {
      from: payer.address,
      to: hex(refundCollectorAddress),
      value: amount,
      validAfter: 0n,
      validBefore: info.refundExpiry,
      nonce,
    },
  })
  return { from: payer.address.toLowerCase(), signature }
}

test('verify accepts exactly the captures, voids and refunds that the escrow executes, and that the seller has signed for its state', async () => {
  const random = randomFrom(SEED)
  const seen = new Set<string>()
  const balance = slotOf(payer.address, placesOf(tokens.usdc).balances)
  for (let number = 0; number < CASES; number += 1) {
    const snapshot = await client.snapshot()
    const captured = random.pick([0n, 1n, 40n, AUTHORIZED])
    const capturable = AUTHORIZED - captured
    const saltNonce = hex(random.hex(32))
    const info = await openCaptured(saltNonce, captured)
    const kind = random.pick(['capture', 'capture', 'void', 'refund', 'refund'] as const)
    const amount = random.pick(kind === 'refund' ? [1n, 39n, 40n, 41n] : [1n, 59n, 60n, 61n, AUTHORIZED])
    const isCurrent = random.chance(0.8)
    // An amount above what is expected is refused before anything is read.
    const isExpected = isCurrent && amount <= (kind === 'refund' ? captured : capturable)
    const expected = isExpected
      ? { capturable, refundable: captured }
      : { capturable: AUTHORIZED, refundable: 43n }
    const isSigned = random.chance(0.8)
    const isLate = random.chance(0.2)
    const funds = random.pick([0n, FUNDS, FUNDS, FUNDS])
    await setSlot(tokens.usdc, balance, funds)
    const funder = random.pick([payer, payer, payer, authorizer])
    const signed = { info, authorizer: authorizer.address.toLowerCase(), signature: '0x' }
    const operation: EscrowOperation =
      kind === 'void'
        ? { kind, ...signed }
        : kind === 'capture'
          ? { kind, ...signed, amount, expected }
          : { kind, ...signed, amount, expected, funding: await signFunding(info, amount, expected, funder) }
    const hash = hex(`0x${computeOperationDigest(operation, devChainId)}`)
    const authorizerSignature = await (isSigned ? authorizer : payer).sign({ hash })
    const payload = {
      type: kind,
      paymentInfo: toJson(info),
      saltNonce,
      authorizerSignature,
      ...(operation.kind !== 'void' && {
        amount: amount.toString(),
        expectedCapturableAmount: expected.capturable.toString(),
        expectedRefundableAmount: expected.refundable.toString(),
      }),
      ...(operation.kind === 'capture' && { feeAmount: '0', feeReceiver: zeroAddress }),
      ...(operation.kind === 'refund' && { funding: operation.funding }),
    }
    if (isLate) {
      await client.setNextBlockTimestamp({ timestamp: CAPTURE_DEADLINE })
      await client.mine({ blocks: 1 })
    }
    chainTime = Number((await client.getBlock()).timestamp) * 1000
    const payment = decode(info, payload)
    const verified = await verifier.verify(payment)
    const call = encodeOperation(operation)
    const { status, logs } = await send(call)
    await client.revert({ id: snapshot })

    const isExecuted = status === 'success'
    expect(isExecuted).toBe(hasOperated(logs, call.data, devChainId))
    const context = `seed ${SEED}, case ${number}: ${kind} of ${amount}, ${captured} captured, signed ${isSigned}, current ${isExpected}, late ${isLate}, ${funds} of ${funder.address}`
    const accepted = isExecuted && isSigned && (isExpected || kind === 'void')
    expect({ context, accepted: verified.isValid }).toEqual({ context, accepted })
    seen.add(`${kind}: ${verified.isValid}`)
  }
  expect([...seen].toSorted()).toEqual([
    'capture: false',
    'capture: true',
    'refund: false',
    'refund: true',
    'void: false',
    'void: true',
  ])
})
