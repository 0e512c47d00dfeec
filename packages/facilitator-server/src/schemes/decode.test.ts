import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { paymentBody, serving, version1Body } from '../engine/testing.ts'
import { decodePayment } from './decode.ts'

const served = serving('eip155:84532', 'eip155:8453')
const reasonOf = (body: unknown) => {
  const decoded = decodePayment(body, served)
  return decoded.ok ? 'accepted' : decoded.reason
}

describe('decoding a payment', () => {
  it('reads version 2', () => {
    const body = paymentBody()
    const decoded = decodePayment(body, served)
    expect(decoded).toMatchObject({
      ok: true,
      payment: {
        version: 2,
        scheme: { name: 'exact' },
        network: 'eip155:84532',
        wireNetwork: 'eip155:84532',
        chainId: 84532,
        asset: '0x036cbd53842c5426634e7929541ec2318f3dcf7e',
        amount: 10_000n,
        domainName: 'USDC',
        domainVersion: '2',
        maxTimeoutSeconds: 60,
        request: body,
      },
    })
  })

  it('reads version 1, whose networks go by name, as the same payment', () => {
    const first = decodePayment(version1Body(paymentBody()), served)
    const second = decodePayment(paymentBody(), served)
    if (!first.ok || !second.ok) throw new Error('both are well-formed')
    expect(first.payment).toMatchObject({ version: 1, network: 'eip155:84532', wireNetwork: 'base-sepolia' })
    expect(first.payment.fingerprint).toBe(second.payment.fingerprint)
  })

  it('decoding a payment does not mind how addresses, nonce and signature are capitalised, nor what extensions come along', () => {
    const body = paymentBody()
    const shouting = paymentBody({
      authorization: { nonce: `0x${body.paymentPayload.payload.authorization.nonce.slice(2).toUpperCase()}` },
      requirements: { payTo: `0x${body.paymentRequirements.payTo.slice(2).toUpperCase()}` },
    })
    const extended = {
      ...shouting,
      hint: [1],
      paymentPayload: { ...shouting.paymentPayload, extensions: { bazaar: {} } },
    }
    const decoded = [decodePayment(body, served), decodePayment(extended, served)]
    expect(new Set(decoded.map((one) => (one.ok ? one.payment.fingerprint : one.reason))).size).toBe(1)
  })

  it('gives other fingerprints to other payments', () => {
    const bodies = [
      paymentBody(),
      paymentBody({ requirements: { amount: '10001' }, authorization: { value: '10001' } }),
      paymentBody({ authorization: { validBefore: '4000000001' } }),
      paymentBody({ authorization: { validAfter: '1' } }),
      paymentBody({ authorization: { nonce: `0x${'cd'.repeat(32)}` } }),
      paymentBody({ signature: `0x${'22'.repeat(65)}` }),
      paymentBody({ extra: { name: 'USD Coin', version: '2' } }),
      paymentBody({ extra: { name: 'USDC', version: '1' } }),
    ]
    const prints = bodies.map((body) => {
      const decoded = decodePayment(body, served)
      return decoded.ok ? decoded.payment.fingerprint : decoded.reason
    })
    expect(new Set(prints).size).toBe(bodies.length)
    expect(prints.every((print) => /^[0-9a-f]{64}$/.test(print))).toBe(true)
  })

  const body = paymentBody()
  const withPayload = (change: object) => ({ ...body, paymentPayload: { ...body.paymentPayload, ...change } })
  const withRequirements = (change: object) => ({
    ...body,
    paymentRequirements: { ...body.paymentRequirements, ...change },
  })
  it.each<[string, unknown, string]>([
    ['a body that is null', null, 'invalid_payload'],
    ['a body that is a list', [body], 'invalid_payload'],
    ['a body that is a text', JSON.stringify(body), 'invalid_payload'],
    ['no version', { ...body, x402Version: undefined }, 'invalid_x402_version'],
    ['version 3', { ...body, x402Version: 3 }, 'invalid_x402_version'],
    ['a version as a text', { ...body, x402Version: '2' }, 'invalid_x402_version'],
    ['a payload of another version', withPayload({ x402Version: 1 }), 'invalid_x402_version'],
    ['a null payload', { ...body, paymentPayload: null }, 'invalid_payload'],
    ['a payload that is a list', { ...body, paymentPayload: [] }, 'invalid_payload'],
    ['null requirements', { ...body, paymentRequirements: null }, 'invalid_payment_requirements'],
    ['an inner payload that is null', withPayload({ payload: null }), 'invalid_payload'],
    [
      'an inner payload without authorization',
      withPayload({ payload: { signature: '0x' } }),
      'invalid_payload',
    ],
    ['nothing accepted', withPayload({ accepted: undefined }), 'invalid_payload'],
    ['an unknown scheme', withRequirements({ scheme: 'deferred' }), 'unsupported_scheme'],
    [
      'an accepted scheme that differs',
      withPayload({ accepted: { ...body.paymentRequirements, scheme: 'upto' } }),
      'invalid_scheme',
    ],
    ['an unknown network', paymentBody({ requirements: { network: 'eip155:5' } }), 'invalid_network'],
    ['a network that is no chain', paymentBody({ requirements: { network: 'solana:5' } }), 'invalid_network'],
    [
      'a network written oddly',
      paymentBody({ requirements: { network: 'eip155:084532' } }),
      'invalid_network',
    ],
    [
      'a name as a network of version 2',
      paymentBody({ requirements: { network: 'base-sepolia' } }),
      'invalid_network',
    ],
    ['an unserved network by name', version1Body(body, 'polygon'), 'invalid_network'],
    ['an unknown network by name', version1Body(body, '__proto__'), 'invalid_network'],
    [
      'a network that differs',
      withPayload({ accepted: { ...body.paymentRequirements, network: 'eip155:8453' } }),
      'invalid_exact_evm_network_mismatch',
    ],
    ['no domain', paymentBody({ extra: {} }), 'invalid_exact_evm_missing_eip712_domain'],
    ['a domain that is null', paymentBody({ extra: null }), 'invalid_exact_evm_missing_eip712_domain'],
    [
      'a token name of 257 characters',
      paymentBody({ extra: { name: 'x'.repeat(257), version: '2' } }),
      'invalid_payment_requirements',
    ],
    [
      'a token version of 257 characters',
      paymentBody({ extra: { name: 'USDC', version: '2'.repeat(257) } }),
      'invalid_payment_requirements',
    ],
    [
      'a seller at the zero address',
      withRequirements({ payTo: `0x${'0'.repeat(40)}` }),
      'invalid_payment_requirements',
    ],
    ['an asset that is no address', withRequirements({ asset: '0x12' }), 'invalid_payment_requirements'],
    ['an amount as a number', withRequirements({ amount: 10000 }), 'invalid_payment_requirements'],
    ['a negative amount', withRequirements({ amount: '-1' }), 'invalid_payment_requirements'],
    ['a timeout of nothing', withRequirements({ maxTimeoutSeconds: 0 }), 'invalid_payment_requirements'],
    ['other terms than were accepted', withRequirements({ amount: '9' }), 'invalid_payment_requirements'],
    ['a value above uint256', paymentBody({ authorization: { value: `${1n << 256n}` } }), 'invalid_payload'],
    [
      'a value of many digits',
      paymentBody({ authorization: { value: '9'.repeat(100_000) } }),
      'invalid_payload',
    ],
    ['a value in hex', paymentBody({ authorization: { value: '0x10' } }), 'invalid_payload'],
    ['a value as a number', paymentBody({ authorization: { value: 10_000 } }), 'invalid_payload'],
    ['a short nonce', paymentBody({ authorization: { nonce: '0x12' } }), 'invalid_payload'],
    ['a signature of half bytes', paymentBody({ signature: '0x123' }), 'invalid_payload'],
    ['a signature that is enormous', paymentBody({ signature: `0x${'11'.repeat(5000)}` }), 'invalid_payload'],
    [
      'another recipient than required',
      paymentBody({ authorization: { to: `0x${'99'.repeat(20)}` } }),
      'invalid_exact_evm_payload_recipient_mismatch',
    ],
    [
      'another value than required',
      paymentBody({ authorization: { value: '1' } }),
      'invalid_exact_evm_payload_authorization_value_mismatch',
    ],
  ])('refuses %s', (_, malformed, reason) => {
    expect(reasonOf(malformed)).toBe(reason)
  })

  it('accepts a token name of 256 characters', () => {
    expect(reasonOf(paymentBody({ extra: { name: 'x'.repeat(256), version: '2' } }))).toBe('accepted')
  })

  it('names the fields that are wrong', () => {
    const decoded = decodePayment(
      paymentBody({ authorization: { from: 'me', nonce: 5 }, signature: 'none' }),
      served,
    )
    expect(decoded.ok ? [] : decoded.issues?.map((issue) => issue.path)).toEqual([
      'paymentPayload.payload.signature',
      'paymentPayload.payload.authorization.from',
      'paymentPayload.payload.authorization.nonce',
    ])
  })

  it('never throws, whatever comes', () => {
    fc.assert(
      fc.property(fc.anything(), (anything) => {
        expect(decodePayment(anything, served).ok).toBe(false)
      }),
      { numRuns: 2000 },
    )
  })

  it('never throws on a payment with any one part replaced, and accepts it only when nothing that counts changed', () => {
    const paths = pathsOf(body)
    fc.assert(
      fc.property(fc.constantFrom(...paths), fc.oneof(fc.jsonValue(), fc.anything()), (path, value) => {
        const decoded = decodePayment(replaced(body, path, value), served)
        if (decoded.ok) expect(decoded.payment.amount).toBe(10_000n)
        else {
          expect(decoded.reason).toMatch(/^[a-z0-9_]+$/)
          expect(decoded.issues).not.toEqual([])
          expect(decoded.message).toContain(decoded.issues[0]?.message)
        }
      }),
      { numRuns: 5000 },
    )
  })
})

function pathsOf(value: unknown): string[][] {
  if (typeof value !== 'object' || value === null) return [[]]
  return [
    [],
    ...Object.entries(value).flatMap(([name, inner]) => pathsOf(inner).map((path) => [name, ...path])),
  ]
}

function replaced(value: unknown, [name, ...rest]: string[], replacement: unknown): unknown {
  if (name === undefined) return replacement
  const object = Object.fromEntries(Object.entries(value as object))
  return { ...object, [name]: replaced(object[name], rest, replacement) }
}
