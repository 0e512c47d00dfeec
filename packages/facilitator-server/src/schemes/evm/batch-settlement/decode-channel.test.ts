import { computeChannelId as computeStockId } from '@x402/evm/batch-settlement/client'
import { describe, expect, it } from 'vitest'
import { decodePayment } from '../../decode.ts'
import { computeChannelId } from './channel-digests.ts'

const address = (digit: string): string => `0x${digit.repeat(40)}`
const config = {
  payer: address('1'),
  payerAuthorizer: address('2'),
  receiver: address('3'),
  receiverAuthorizer: address('4'),
  token: address('5'),
  withdrawDelay: 900,
  salt: `0x${'6'.repeat(64)}`,
}
const CHAIN_ID = 84532
const channelId = computeChannelId(config, CHAIN_ID)
const signature = `0x${'7'.repeat(130)}`
const voucher = { channelId, maxClaimableAmount: '10', signature }
const requirements = {
  scheme: 'batch-settlement',
  network: `eip155:${CHAIN_ID}`,
  asset: config.token,
  amount: '10',
  payTo: config.receiver,
  maxTimeoutSeconds: 60,
  extra: { receiverAuthorizer: config.receiverAuthorizer, withdrawDelay: 900, name: 'USDC', version: '2' },
}
const claim = { voucher: { channel: config, maxClaimableAmount: '10' }, signature, totalClaimed: '10' }
const payloads = {
  voucher: { type: 'voucher', channelConfig: config, voucher },
  deposit: {
    type: 'deposit',
    channelConfig: config,
    voucher,
    deposit: {
      amount: '100',
      authorization: {
        erc3009Authorization: { validAfter: '0', validBefore: '9', salt: config.salt, signature },
      },
    },
  },
  'permit2 deposit': {
    type: 'deposit',
    channelConfig: config,
    voucher,
    deposit: {
      amount: '100',
      authorization: {
        permit2Authorization: {
          from: config.payer,
          permitted: { token: config.token, amount: '100' },
          spender: '0x4020425FAf3B746C082C2f942b4E5159887B0005',
          nonce: '1',
          deadline: '9',
          witness: { channelId },
          signature,
        },
      },
    },
  },
  claim: { type: 'claim', claims: [claim], claimAuthorizerSignature: signature },
  settle: { type: 'settle', receiver: config.receiver, token: config.token },
  refund: {
    type: 'refund',
    channelConfig: config,
    voucher,
    amount: '5',
    refundNonce: '0',
    claims: [claim],
    refundAuthorizerSignature: signature,
    claimAuthorizerSignature: signature,
  },
}
const served = { networks: new Set([requirements.network]), facilitators: new Set([address('9')]) }
const decode = (payload: unknown, terms: object = requirements, given = served) =>
  decodePayment(
    {
      x402Version: 2,
      paymentPayload: { x402Version: 2, accepted: terms, payload },
      paymentRequirements: terms,
    },
    given,
  )

/** The values that a caller may send instead of one of the body. */
const strange = [null, undefined, 1, -1, 1.5, true, '', 'x', '-1', '0x', [], {}, [null], String(2n ** 128n)]

/** Lists the body with every one of its values replaced, at any depth. */
function* replaceEach(value: unknown): Generator<unknown> {
  for (const other of strange) yield other
  if (typeof value !== 'object' || value === null) return
  for (const [name, inner] of Object.entries(value)) {
    for (const changed of replaceEach(inner)) {
      yield Array.isArray(value)
        ? value.map((each, index) => (String(index) === name ? changed : each))
        : { ...value, [name]: changed }
    }
  }
}

describe('requests of payment channels', () => {
  it.each(Object.entries(payloads))('decodes a %s', (_, payload) => {
    const { type: kind } = payload
    expect(decode(payload)).toMatchObject({
      ok: true,
      payment: {
        scheme: { name: 'batch-settlement' },
        details: { kind },
        amount: kind === 'deposit' ? 100n : 0n,
      },
    })
  })

  it.each(Object.entries(payloads))(
    'returns a reason or a payment for any other value in a %s',
    (_, payload) => {
      let refused = 0
      for (const changed of replaceEach(payload)) {
        const decoded = decode(changed)
        if (!decoded.ok) {
          expect(decoded.reason).toMatch(/^invalid_|^unsupported_/)
          expect(decoded.issues).not.toEqual([])
          refused += 1
        }
      }
      expect(refused).toBeGreaterThan(20)
    },
  )

  it.each(Object.entries(payloads))(
    'counts reverts of a %s for its payer only if it deposits',
    (_, payload) => {
      const decoded = decode(payload)
      const counted = decoded.ok ? decoded.payment.scheme.revertsCountFor : 'refused'
      expect(counted).toBe(payload.type === 'deposit' ? undefined : 'account')
    },
  )

  it('computes the ids of channels as the stock package does', () => {
    expect(channelId).toBe(computeStockId(config as Parameters<typeof computeStockId>[0], CHAIN_ID))
  })

  it('refuses more than 100 claims, a claim above its voucher, and claims of several authorizers', () => {
    const many = { ...payloads.claim, claims: Array.from({ length: 101 }, () => claim) }
    expect(decode(many)).toMatchObject({ reason: 'invalid_payload' })
    const above = { ...payloads.claim, claims: [{ ...claim, totalClaimed: '11' }] }
    expect(decode(above)).toMatchObject({ reason: 'invalid_payload' })
    const foreign = { ...config, receiverAuthorizer: address('8') }
    const mixed = { ...claim, voucher: { ...claim.voucher, channel: foreign } }
    expect(decode({ ...payloads.claim, claims: [claim, mixed] })).toMatchObject({
      reason: 'invalid_batch_settlement_evm_authorizer_address_mismatch',
    })
  })

  it('refuses channels whose delay of withdrawals is out of range, or without an authorizer', () => {
    const quick = { ...config, withdrawDelay: 899 }
    const channel = { ...claim, voucher: { ...claim.voucher, channel: quick } }
    expect(decode({ ...payloads.claim, claims: [channel] })).toMatchObject({
      reason: 'invalid_batch_settlement_evm_withdraw_delay_out_of_range',
    })
    const open = { ...config, receiverAuthorizer: address('0') }
    const unauthorized = { ...claim, voucher: { ...claim.voucher, channel: open } }
    expect(decode({ ...payloads.claim, claims: [unauthorized] })).toMatchObject({
      reason: 'invalid_batch_settlement_evm_receiver_authorizer_mismatch',
    })
  })

  it('refuses other networks, and a facilitator that forwards settles', () => {
    const elsewhere = { ...requirements, network: 'eip155:1' }
    expect(decode(payloads.voucher, elsewhere)).toMatchObject({ reason: 'invalid_network' })
    const forwarding = { ...served, facilitators: new Set<string>() }
    expect(decode(payloads.voucher, requirements, forwarding)).toMatchObject({ reason: 'unsupported_scheme' })
  })

  it('refuses what the payer accepted for other terms', () => {
    const accepted = { ...requirements, payTo: address('8') }
    const decoded = decodePayment(
      {
        x402Version: 2,
        paymentPayload: { x402Version: 2, accepted, payload: payloads.voucher },
        paymentRequirements: requirements,
      },
      served,
    )
    expect(decoded).toMatchObject({ reason: 'invalid_payment_requirements' })
  })
})
