// Random deposits and vouchers of payment channels: verify accepts exactly the deposits that the settlement's transaction executes
// at the same block, and only vouchers that the seller can claim.
//
//     VERIFY_CASES=10000 VERIFY_SEED=7 vitest run --project unit --testTimeout 0 packages/facilitator-server/src/schemes/agreement/agreement-channels.test.ts

import { batchSettlementAbi } from '@mintmark/devkit/chain/artifacts/abi'
import { batchSettlementAddress, devChainId, permit2Address } from '@mintmark/devkit/chain/chain'
import { randomFrom } from '@mintmark/devkit/random'
import { openChains } from '@mintmark/evm-reader'
import { type Address, concat, encodeAbiParameters, type Hex, keccak256, maxUint256, pad } from 'viem'
import { generatePrivateKey, type LocalAccount, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { allowAssets } from '../../chains/evm/settings/allowed-assets.ts'
import { PERMIT2_DEPOSIT_TYPES } from '../../e2e/testing-channels.ts'
import { hex, seller } from '../../engine/testing.ts'
import type { Payment } from '../../payment/payment.ts'
import { decodePayment } from '../decode.ts'
import {
  depositCollectorAddress,
  encodeOperation,
  hasClaimed,
  permit2CollectorAddress,
} from '../evm/batch-settlement/channel-contracts.ts'
import {
  computeChannelId,
  computeClaimsDigest,
  computeVoucherDigest,
} from '../evm/batch-settlement/channel-digests.ts'
import type { ChannelConfig, ChannelOperation } from '../evm/batch-settlement/channel-terms.ts'
import { createChannelVerifier } from '../evm/batch-settlement/channel-verifier.ts'
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
const WITHDRAW_DELAY = 900

const agreement = await openAgreement()
const { chain, tokens, placesOf, setSlot } = agreement
const { client } = chain
const authorizer = privateKeyToAccount(generatePrivateKey())

/** The chain's time, in milliseconds since the epoch. It does not advance between transactions. */
let chainTime = Date.now()
const verifier = createChannelVerifier({
  chains: openChains([{ id: devChainId, rpcUrls: [chain.rpcUrl], finality: { depth: 2 } }]).all,
  allowedAssets: allowAssets(`${devChainId}=${tokens.legacy},${devChainId}=${tokens.plain}`),
  transfers: agreement.verifier,
  stateTtlMs: 0,
  now: () => chainTime,
  report: (error) => {
    throw error
  },
})

const methods = ['eip3009', 'permit2'] as const
const depositFaults = [...sharedFaults, 'noAllowance', 'smallAllowance', 'toOtherCollector'] as const
type Fault = (typeof depositFaults)[number]

interface DepositCase extends AgreementCase<Fault> {
  readonly method: (typeof methods)[number]
  readonly amount: bigint
}

const toConfig = (payer: Address, key: Address, token: Address, salt: Hex): ChannelConfig => ({
  payer: payer.toLowerCase(),
  payerAuthorizer: key.toLowerCase(),
  receiver: seller.toLowerCase(),
  receiverAuthorizer: authorizer.address.toLowerCase(),
  token: token.toLowerCase(),
  withdrawDelay: WITHDRAW_DELAY,
  salt,
})

/** Decodes a request about a channel. */
function decode(
  { token, receiver, receiverAuthorizer, withdrawDelay }: ChannelConfig,
  payload: object,
): Payment {
  const required = {
    scheme: 'batch-settlement',
    network: NETWORK,
    asset: token,
    amount: '1',
    payTo: receiver,
    maxTimeoutSeconds: 300,
    extra: { name: 'USDC', version: '2', receiverAuthorizer, withdrawDelay },
  }
  const paymentPayload = { x402Version: 2, accepted: required, payload }
  const decoded = decodePayment(
    { x402Version: 2, paymentPayload, paymentRequirements: required },
    { networks: new Set([NETWORK]), facilitators: new Set([agreement.stranger.address.toLowerCase()]) },
  )
  if (!decoded.ok) throw new Error(decoded.message)
  return decoded.payment
}

async function signVoucher(config: ChannelConfig, maximum: bigint, key: LocalAccount) {
  if (key.sign === undefined) throw new Error('The key cannot sign a digest')
  const channelId = computeChannelId(config, devChainId)
  const signature = await key.sign({ hash: computeVoucherDigest(channelId, maximum, devChainId) })
  return { channelId, maxClaimableAmount: maximum.toString(), signature }
}

/** What `signer` signs of a deposit, for both methods. */
async function signDeposit(config: ChannelConfig, signer: LocalAccount, one: DepositCase): Promise<object> {
  const { method, token, faults, nonce, amount } = one
  const channelId = computeChannelId(config, devChainId)
  const validAfter = faults.has('notYetValid') ? NOW + 40_000n : 0n
  const validBefore = faults.has('expired') ? NOW - 10n : NOW + 80_000n
  if (method === 'eip3009') {
    const signature = await signer.signTypedData({
      domain: { name: 'USDC', version: '2', chainId: devChainId, verifyingContract: token },
      types: {
        ReceiveWithAuthorization: [
          { name: 'from', type: 'address' },
          { name: 'to', type: 'address' },
          { name: 'value', type: 'uint256' },
          { name: 'validAfter', type: 'uint256' },
          { name: 'validBefore', type: 'uint256' },
          { name: 'nonce', type: 'bytes32' },
        ],
      },
      primaryType: 'ReceiveWithAuthorization',
      message: {
        from: hex(config.payer),
        // Somebody else's collector: the tokens would never get into the channel.
        to: faults.has('toOtherCollector') ? hex(seller) : hex(depositCollectorAddress),
        value: amount,
        validAfter,
        validBefore,
        nonce: combineWords(channelId, BigInt(nonce)),
      },
    })
    const times = { validAfter: validAfter.toString(), validBefore: validBefore.toString() }
    return { erc3009Authorization: { ...times, salt: nonce, signature } }
  }
  const terms = {
    permitted: { token, amount },
    nonce: BigInt(nonce),
    deadline: validBefore,
    witness: { channelId },
  }
  const signature = await signer.signTypedData({
    domain: { name: 'Permit2', chainId: devChainId, verifyingContract: permit2Address },
    types: PERMIT2_DEPOSIT_TYPES,
    primaryType: 'PermitWitnessTransferFrom',
    message: {
      ...terms,
      spender: faults.has('toOtherCollector') ? hex(seller) : hex(permit2CollectorAddress),
    },
  })
  return {
    permit2Authorization: {
      from: config.payer,
      permitted: { token, amount: amount.toString() },
      spender: permit2CollectorAddress,
      nonce: BigInt(nonce).toString(),
      deadline: validBefore.toString(),
      witness: { channelId },
      signature,
    },
  }
}

async function signDepositPayment(one: DepositCase): Promise<Payment> {
  const { account, address } = agreement.payerOf(one)
  const config = toConfig(address, account.address, one.token, one.salt)
  const voucher = await signVoucher(config, one.amount, account)
  const authorization = await signDeposit(config, agreement.signerOf(one), one)
  const deposit = { amount: one.amount.toString(), authorization }
  return agreement.disturb(decode(config, { type: 'deposit', channelConfig: config, voucher, deposit }), one)
}

async function prepareDeposit(one: DepositCase, payment: Payment): Promise<void> {
  const { method, token, faults, amount } = one
  const payer = hex(payment.payer)
  await agreement.prepareToken(one, payer)
  const { authorizations, allowances } = placesOf(token)
  if (method === 'eip3009') {
    if (!faults.has('usedNonce') || authorizations === undefined) return
    return setSlot(token, keccak256(concat([hex(payment.nonce), slotOf(payer, authorizations)])), 1n)
  }
  const allowance = faults.has('noAllowance') ? 0n : faults.has('smallAllowance') ? amount - 1n : maxUint256
  await setSlot(token, keccak256(concat([pad(permit2Address), slotOf(payer, allowances)])), allowance)
  if (!faults.has('usedNonce')) return
  const word = encodeAbiParameters([{ type: 'uint256' }], [BigInt(payment.nonce) >> 8n])
  const bit = 1n << (BigInt(payment.nonce) & 0xffn)
  await setSlot(permit2Address, keccak256(concat([word, slotOf(payer, 0)])), bit)
}

test('verify accepts exactly the deposits that the settlement’s transaction executes at the same block', async () => {
  await expectAgreement<Fault, DepositCase>(
    { ...agreement, verifier },
    {
      kinds: methods.flatMap((method) => payerKinds.map((kind) => `${method} ${kind}`)),
      // The payer's code is another contract and refuses every signature.
      neverPays: ['eip3009 otherDelegate', 'permit2 otherDelegate'],
      kindOf: ({ method, kind }) => `${method} ${kind}`,
      pick: (random) => {
        const count = random.pick([0, 0, 0, 1, 1, 1, 2])
        const faults = new Set(Array.from({ length: count }, () => random.pick(depositFaults)))
        return {
          method: random.pick(methods),
          kind: random.pick(payerKinds),
          token: random.pick([tokens.usdc, tokens.usdc, tokens.legacy, tokens.plain]),
          faults,
          salt: hex(random.hex(32)),
          nonce: hex(random.hex(32)),
          amount: faults.has('tooLittle') ? FUNDS + 1n : random.pick([1n, FUNDS]),
        }
      },
      sign: signDepositPayment,
      prepare: prepareDeposit,
    },
  )
})

test('a contract’s signature of a deposit is passed on unchanged, so that verify and settle agree on one that ends with 0 or 1', async () => {
  const one: DepositCase = {
    method: 'eip3009',
    kind: 'contract',
    token: tokens.usdc,
    faults: new Set(['lowV']),
    salt: `0x${'01'.repeat(32)}`,
    nonce: `0x${'02'.repeat(32)}`,
    amount: 1n,
  }
  const payment = await signDepositPayment(one)
  await prepareDeposit(one, payment)
  expect((await verifier.verify(payment)).isValid).toBe(false)
  expect((await verifier.verify(payment, { simulate: true })).isValid).toBe(false)
})

const contract = { address: batchSettlementAddress, abi: batchSettlementAbi } as const
const payer = privateKeyToAccount(generatePrivateKey())
const stranger = privateKeyToAccount(generatePrivateKey())

/** Sends a call that anyone may send. Returns its receipt, also if it reverted. */
async function send(call: { recipient: string; data: Hex }, from: Address = agreement.stranger.address) {
  const hash = await client.sendTransaction({
    account: from,
    chain: null,
    to: hex(call.recipient),
    data: call.data,
    gas: 2_000_000n,
  })
  return client.waitForTransactionReceipt({ hash })
}

/** Claims `total` by a voucher, as the seller's authorizer. Returns whether anything was claimed. */
async function claim(config: ChannelConfig, total: bigint, signature: string): Promise<boolean> {
  const claims = [
    { config, channelId: computeChannelId(config, devChainId), maximum: total, total, signature },
  ]
  const payload = {
    type: 'claim',
    claims: [
      {
        voucher: { channel: config, maxClaimableAmount: total.toString() },
        signature,
        totalClaimed: total.toString(),
      },
    ],
    claimAuthorizerSignature: await authorizer.sign({ hash: computeClaimsDigest(claims, devChainId) }),
  }
  const { status, logs } = await send(encodeOperation(decode(config, payload) as Payment<ChannelOperation>))
  return status === 'success' && hasClaimed(logs)
}

const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const signatureFaults = ['none', 'none', 'none', 'stranger', 'highS', 'lowV'] as const

function changeSignature(signature: Hex, fault: (typeof signatureFaults)[number]): Hex {
  const v = signature.slice(130)
  if (fault === 'lowV') return `0x${signature.slice(2, 130)}${v === '1b' ? '00' : '01'}`
  if (fault !== 'highS') return signature
  const s = (CURVE_ORDER - BigInt(`0x${signature.slice(66, 130)}`)).toString(16).padStart(64, '0')
  return `0x${signature.slice(2, 66)}${s}${v === '1b' ? '1c' : '1b'}`
}

/** Opens a channel with a deposit, of which some may be claimed. */
async function openClaimed(salt: Hex, deposit: bigint, claimed: bigint): Promise<ChannelConfig> {
  const config = toConfig(payer.address, payer.address, tokens.usdc, salt)
  if (deposit === 0n) return config
  await setSlot(tokens.usdc, slotOf(payer.address, placesOf(tokens.usdc).balances), deposit)
  const one = { method: 'eip3009', token: tokens.usdc, faults: new Set<Fault>(), kind: 'key' } as const
  const authorization = await signDeposit(config, payer, { ...one, salt, nonce: salt, amount: deposit })
  const voucher = await signVoucher(config, 1n, payer)
  const payload = {
    type: 'deposit',
    channelConfig: config,
    voucher,
    deposit: { amount: deposit.toString(), authorization },
  }
  expect(await agreement.execute(decode(config, payload))).toBe(true)
  if (claimed === 0n) return config
  const { signature } = await signVoucher(config, claimed, payer)
  expect(await claim(config, claimed, signature)).toBe(true)
  return config
}

const toStruct = (config: ChannelConfig) => ({
  ...config,
  payer: hex(config.payer),
  payerAuthorizer: hex(config.payerAuthorizer),
  receiver: hex(config.receiver),
  receiverAuthorizer: hex(config.receiverAuthorizer),
  token: hex(config.token),
  salt: hex(config.salt),
})

test('verify accepts only vouchers that the seller can claim, and all of them while no withdrawal is announced', async () => {
  const random = randomFrom(SEED)
  const seen = new Set<string>()
  await client.impersonateAccount({ address: payer.address })
  await client.setBalance({ address: payer.address, value: 10n ** 18n })
  for (let number = 0; number < CASES; number += 1) {
    const snapshot = await client.snapshot()
    const deposit = random.pick([0n, 1n, 100n, 100n])
    const claimed = deposit === 100n ? random.pick([0n, 1n, 40n, 100n]) : random.pick([0n, deposit])
    const withdrawn = deposit > claimed && random.chance(0.2) ? deposit - claimed : 0n
    const maximum = random.pick([0n, 1n, 39n, 40n, 41n, 99n, 100n, 101n, 2n ** 128n - 1n])
    const fault = random.pick(signatureFaults)
    const config = await openClaimed(hex(random.hex(32)), deposit, claimed)
    if (withdrawn > 0n) {
      const args = [toStruct(config), withdrawn] as const
      await chain.confirm(
        client.writeContract({
          ...contract,
          account: payer.address,
          chain: null,
          functionName: 'initiateWithdraw',
          args,
        }),
      )
    }
    const signed = await signVoucher(config, maximum, fault === 'stranger' ? stranger : payer)
    const signature = changeSignature(signed.signature, fault)
    const payload = { type: 'voucher', channelConfig: config, voucher: { ...signed, signature } }
    chainTime = Number((await client.getBlock()).timestamp) * 1000
    const verified = await verifier.verify(decode(config, payload))
    const isClaimable = await claim(config, maximum, signature)
    await client.revert({ id: snapshot })

    const context = `seed ${SEED}, case ${number}: ${deposit} deposited, ${claimed} claimed, ${withdrawn} announced, voucher of ${maximum}, ${fault}`
    const outcome = verified.isValid ? 'valid' : verified.invalidReason
    // The contract of the development chain accepts the counterpart of a signature, x402's does not.
    const accepted = isClaimable && fault !== 'highS'
    // A withdrawal that is only announced leaves the seller time to claim.
    expect({ context, accepted: verified.isValid }, outcome).toEqual({ context, accepted })
    seen.add(`${fault}: ${verified.isValid}`)
  }
  expect([...seen].toSorted()).toEqual(
    ['highS: false', 'lowV: false', 'none: false', 'none: true', 'stranger: false'].toSorted(),
  )
})
