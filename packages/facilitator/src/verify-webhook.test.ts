import { createHmac, randomBytes } from 'node:crypto'
import { describe, expect, expectTypeOf, test } from 'vitest'
import {
  InvalidWebhookError,
  type SettlementEventData,
  signTestWebhook,
  type VerifyWebhookOptions,
  verifyWebhook,
} from './index.ts'

const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`
const secret = newSecret()
const id = 'evt_12'
const seconds = 1_750_000_000
const event = {
  id,
  type: 'settlement.settled',
  occurredAt: '2025-06-15T15:06:40.000Z',
  sequence: 1,
  data: {
    orderNo: 'M1',
    payer: '0xabc',
    status: 'SETTLED',
    transaction: '0x1',
    network: 'eip155:84532',
    amount: '1',
  },
}
const body = JSON.stringify(event)

function sign(text = body, { key = secret, at = seconds, of = id } = {}): string {
  const hmac = createHmac('sha256', Buffer.from(key.slice(6), 'base64')).update(`${of}.${at}.${text}`)
  return `v1,${hmac.digest('base64')}`
}
const headers = (signature = sign(), timestamp: string | number = seconds) => ({
  'webhook-id': id,
  'webhook-timestamp': String(timestamp),
  'webhook-signature': signature,
})

/** Verifies a webhook at the time of its signature. Returns the event, or the reason of the refusal. */
async function outcome(options: Partial<VerifyWebhookOptions> = {}) {
  try {
    return await verifyWebhook({
      body,
      headers: headers(),
      secrets: secret,
      now: () => seconds * 1000,
      ...options,
    })
  } catch (error) {
    if (error instanceof InvalidWebhookError) return error.reason
    throw error
  }
}

describe('verifyWebhook with a webhook that the facilitator signed', () => {
  test('returns its event, typed by its type', async () => {
    const verified = await verifyWebhook({
      body,
      headers: headers(),
      secrets: secret,
      now: () => seconds * 1000,
    })
    expect(verified).toEqual(event)
    if (verified.type === 'settlement.settled')
      expectTypeOf(verified.data).toEqualTypeOf<SettlementEventData>()
    if (verified.type === 'payer_balance.low') expectTypeOf(verified.data.balance).toEqualTypeOf<string>()
  })

  test('accepts the body as bytes, as a Node buffer and as part of a larger buffer', async () => {
    const bytes = new TextEncoder().encode(body)
    expect(await outcome({ body: bytes })).toEqual(event)
    expect(await outcome({ body: Buffer.from(body) })).toEqual(event)
    const larger = new Uint8Array(bytes.length + 20)
    larger.set(bytes, 10)
    expect(await outcome({ body: larger.subarray(10, 10 + bytes.length) })).toEqual(event)
  })

  test('verifies the signature over the UTF-8 bytes of a text', async () => {
    const text = JSON.stringify({ ...event, data: { payer: 'Zoë ☃ 🂡' } })
    expect(await outcome({ body: text, headers: headers(sign(text)) })).toMatchObject({
      data: { payer: 'Zoë ☃ 🂡' },
    })
  })

  test('finds the headers in any case, in Headers, objects and arrays', async () => {
    const cased = { 'Webhook-Id': id, 'WEBHOOK-TIMESTAMP': String(seconds), 'Webhook-Signature': sign() }
    expect(await outcome({ headers: cased })).toEqual(event)
    expect(await outcome({ headers: new Headers(cased) })).toEqual(event)
    expect(await outcome({ headers: { ...headers(), 'webhook-signature': ['v1,AAAA', sign()] } })).toEqual(
      event,
    )
  })

  test('accepts the signature of the example that Standard Webhooks publishes', async () => {
    const published = outcome({
      body: '{"test": 2432232314}',
      headers: {
        'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
        'webhook-timestamp': '1614265330',
        'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
      },
      secrets: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
      now: () => 1_614_265_330_000,
    })
    expect(await published).toBe('not_an_event')
  })
})

describe('verifyWebhook during a rotation of secrets', () => {
  test('accepts the signature of either secret, in any order', async () => {
    const other = newSecret()
    expect(await outcome({ secrets: [other, secret] })).toEqual(event)
    expect(await outcome({ secrets: [secret, other] })).toEqual(event)
    expect(await outcome({ secrets: [other] })).toBe('bad_signature')
  })

  test('accepts one valid signature of several and ignores other versions', async () => {
    const wrong = sign('something else')
    expect(await outcome({ headers: headers(`v1a,AAAA ${wrong} ${sign()}`) })).toEqual(event)
    expect(await outcome({ headers: headers(sign().replace('v1,', 'v2,')) })).toBe('bad_signature')
    expect(await outcome({ headers: headers(sign().slice(3)) })).toBe('bad_signature')
  })
})

describe('verifyWebhook with a webhook that was tampered with', () => {
  test.each<[string, Partial<VerifyWebhookOptions>]>([
    ['body', { body: body.replace('"1"', '"2"') }],
    ['body, by a space', { body: `${body} ` }],
    ['body, emptied', { body: '' }],
    ['id', { headers: { ...headers(), 'webhook-id': 'evt_13' } }],
    ['timestamp', { headers: headers(sign(), seconds + 1) }],
    ['timestamp, written otherwise', { headers: headers(sign(), `0${seconds}`) }],
    ['signature', { headers: headers(`v1,${randomBytes(32).toString('base64')}`) }],
    ['signature, cut short', { headers: headers(sign().slice(0, -8)) }],
    ['signature, emptied', { headers: headers('v1,') }],
    ['signature, no base64', { headers: headers('v1,???') }],
    ['secret', { secrets: newSecret() }],
  ])('refuses a changed %s', async (_, options) => {
    expect(await outcome(options)).toBe('bad_signature')
  })

  test('refuses headers whose parts are split at another place of the signed text', async () => {
    const moved = { 'webhook-id': 'evt_12.1', 'webhook-timestamp': '750000000', 'webhook-signature': sign() }
    expect(await outcome({ headers: moved })).toBe('bad_signature')
  })
})

describe('verifyWebhook and the timestamp of a webhook', () => {
  const at = (offset: number, more: Partial<VerifyWebhookOptions> = {}) =>
    outcome({ now: () => (seconds + offset) * 1000, ...more })

  test('accepts a timestamp up to five minutes in the past or future', async () => {
    expect(await at(300)).toEqual(event)
    expect(await at(301)).toBe('stale')
    expect(await at(-300)).toEqual(event)
    expect(await at(-301)).toBe('stale')
  })

  test('accepts a timestamp within the tolerance of the caller', async () => {
    expect(await at(3600, { toleranceSeconds: 3600 })).toEqual(event)
    expect(await at(11, { toleranceSeconds: 10 })).toBe('stale')
    expect(await at(-11, { toleranceSeconds: 10 })).toBe('stale')
  })

  test("compares the timestamp with the machine's clock by default", async () => {
    const now = Math.floor(Date.now() / 1000)
    const fresh = { body, headers: headers(sign(body, { at: now }), now), secrets: secret }
    await expect(verifyWebhook(fresh)).resolves.toEqual(event)
    await expect(verifyWebhook({ body, headers: headers(), secrets: secret })).rejects.toMatchObject({
      reason: 'stale',
    })
  })
})

describe('verifyWebhook with a request that is not a webhook', () => {
  test.each([['webhook-id'], ['webhook-timestamp'], ['webhook-signature']])(
    'refuses a request without the header %s',
    async (name) => {
      const { [name]: _, ...rest }: Record<string, string> = headers()
      expect(await outcome({ headers: rest })).toBe('missing_headers')
      expect(await outcome({ headers: { ...rest, [name]: '' } })).toBe('missing_headers')
      expect(await outcome({ headers: { ...rest, [name]: undefined } })).toBe('missing_headers')
    },
  )

  test.each(['now', '-1', '1e9', '1750000000.5', '0x10', ' 1750000000'])(
    'refuses %j as a timestamp',
    async (timestamp) => {
      expect(await outcome({ headers: headers(sign(), timestamp) })).toBe('missing_headers')
    },
  )

  test.each([
    '',
    'no JSON',
    'null',
    '1',
    '"text"',
    '[]',
    '{}',
    '{"type":"settlement.settled"}',
    '{"data":{}}',
  ])('refuses %j as a body, even with a valid signature', async (text) => {
    expect(await outcome({ body: text, headers: headers(sign(text)) })).toBe('not_an_event')
  })
})

describe('mistakes of the receiver', () => {
  test.each(['whsec_', 'whsec_%%%', '', [], [secret, ''], undefined as unknown as string])(
    'the secrets %j are reported as bad_secret',
    async (secrets) => {
      expect(await outcome({ secrets })).toBe('bad_secret')
    },
  )

  test.each([{ type: 'settlement.settled' }, undefined, [1, 2]])(
    'the body %j, which is not text or bytes, is reported as body_not_raw',
    async (parsed) => {
      const verifying = verifyWebhook({ body: parsed as never, headers: headers(), secrets: secret })
      await expect(verifying).rejects.toMatchObject({ reason: 'body_not_raw' })
      await expect(verifying).rejects.toThrow(/express\.raw\(\).*request\.text\(\)/)
    },
  )

  test('headers that are not passed are reported as missing', async () => {
    expect(await outcome({ headers: undefined as never })).toBe('missing_headers')
  })
})

test('the error of verifyWebhook contains no secret and no signature', async () => {
  const wrong = verifyWebhook({ body: `${body}x`, headers: headers(), secrets: secret })
  const error: unknown = await wrong.catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(InvalidWebhookError)
  expect(`${error} ${JSON.stringify(error)} ${(error as Error).stack}`).not.toContain(secret.slice(6))
  expect(`${error} ${JSON.stringify(error)}`).not.toContain(sign().slice(3))
})

describe('signTestWebhook', () => {
  test('signs an event as the facilitator does', async () => {
    const signed = await signTestWebhook(event, secret, () => seconds * 1000)
    expect(signed).toEqual({ body, headers: { 'content-type': 'application/json', ...headers() } })
    expect(await outcome(signed)).toEqual(event)
  })

  test('signs with both secrets of a rotation', async () => {
    const other = newSecret()
    const signed = await signTestWebhook(event, [other, secret], () => seconds * 1000)
    expect(await outcome({ ...signed, secrets: secret })).toEqual(event)
    expect(await outcome({ ...signed, secrets: other })).toEqual(event)
    expect(await outcome({ ...signed, secrets: newSecret() })).toBe('bad_signature')
  })

  test('refuses a malformed secret', async () => {
    await expect(signTestWebhook(event, 'whsec_')).rejects.toMatchObject({ reason: 'bad_secret' })
  })
})
