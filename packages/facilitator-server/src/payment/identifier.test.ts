import {
  declarePaymentIdentifierExtension,
  validatePaymentIdentifier,
} from '@x402/extensions/payment-identifier'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { paymentBody, serving, version1Body } from '../engine/testing.ts'
import { decodePayment } from '../schemes/decode.ts'

const served = serving('eip155:84532')
const id = 'pay_7d5d747be160e280504c099d984bcfe0'

/** Decodes a payment with the extensions. */
function decode(extensions: unknown) {
  const body = paymentBody()
  return decodePayment({ ...body, paymentPayload: { ...body.paymentPayload, extensions } }, served)
}
const decodeInfo = (info: unknown) => decode({ 'payment-identifier': { info, schema: {} } })
const withId = (value: unknown) => decodeInfo({ required: false, id: value })

test('reads the identifier of a payment, which is no term of the payment', () => {
  const decoded = withId(id)
  const without = decode(undefined)
  if (!decoded.ok || !without.ok) throw new Error('both are well-formed')
  expect(decoded.payment.identifier).toBe(id)
  expect(without.payment.identifier).toBeUndefined()
  expect(decoded.payment.fingerprint).toBe(without.payment.fingerprint)
})

test.each([
  ['no extensions', undefined],
  ['other extensions', { bazaar: {} }],
  ['an extension that is null', { 'payment-identifier': null }],
  [
    'an extension without an identifier, which the seller does not require',
    { 'payment-identifier': { info: { required: false } } },
  ],
])('accepts %s', (_, extensions) => {
  const decoded = decode(extensions)
  expect(decoded.ok && decoded.payment.identifier).toBeUndefined()
  expect(decoded.ok).toBe(true)
})

test('ignores the extension in version 1, which has none', () => {
  const body = version1Body(paymentBody())
  const extensions = { 'payment-identifier': { info: { required: false, id } } }
  const decoded = decodePayment({ ...body, paymentPayload: { ...body.paymentPayload, extensions } }, served)
  expect(decoded.ok && decoded.payment.identifier).toBeUndefined()
  expect(decoded.ok).toBe(true)
})

const path = 'paymentPayload.extensions.payment-identifier'
test.each([
  ['an extension that is a text', decode({ 'payment-identifier': id }), path],
  ['an extension that is a list', decode({ 'payment-identifier': [] }), path],
  ['no info', decode({ 'payment-identifier': {} }), `${path}.info`],
  ['no statement whether it is required', decodeInfo({ id }), `${path}.info.required`],
  ['a required identifier that is missing', decodeInfo({ required: true }), `${path}.info.id`],
  ['an identifier of 15 characters', withId('a'.repeat(15)), `${path}.info.id`],
  ['an identifier of 129 characters', withId('a'.repeat(129)), `${path}.info.id`],
  ['an identifier with a space', withId(`${id} `), `${path}.info.id`],
  ['an identifier with a line feed at its end', withId(`${id}\n`), `${path}.info.id`],
  ['an identifier with U+0000', withId(`${id}\0`), `${path}.info.id`],
  ['an identifier of other letters', withId('ідентифікатор_платежу'), `${path}.info.id`],
  ['an identifier that is a number', withId(1234567890123456), `${path}.info.id`],
  ['an identifier that is null', withId(null), `${path}.info.id`],
  ['an identifier that is a list', withId([id]), `${path}.info.id`],
])('refuses %s, because the payer believes to be protected from paying twice', (_, decoded, field) => {
  expect(decoded).toMatchObject({ ok: false, reason: 'invalid_payload', issues: [{ path: field }] })
})

test('accepts exactly the identifiers that the package of x402 accepts', () => {
  const characters = fc.constantFrom(...'abzABZ059-_ .:/\n\0é')
  const anyId = fc.oneof(
    fc.string({ unit: characters, minLength: 14, maxLength: 18 }),
    fc.stringMatching(/^[a-zA-Z0-9_-]{14,18}$/),
    fc.stringMatching(/^[a-zA-Z0-9_-]{126,130}$/),
    fc.anything(),
  )
  const info = fc.record(
    { required: fc.oneof(fc.boolean(), fc.constantFrom(null, 'true', 1)), id: anyId },
    { requiredKeys: [] },
  )
  const { schema } = declarePaymentIdentifierExtension()
  fc.assert(
    fc.property(info, (given) => {
      // What a request can contain.
      const sent = JSON.parse(JSON.stringify({ info: given, schema })) as {
        info: { required?: unknown; id?: unknown }
      }
      const isMissing = sent.info.required === true && sent.info.id === undefined
      const isAccepted = decode({ 'payment-identifier': sent }).ok
      expect(isAccepted).toBe(validatePaymentIdentifier(sent).valid && !isMissing)
    }),
    { numRuns: 500 },
  )
})
