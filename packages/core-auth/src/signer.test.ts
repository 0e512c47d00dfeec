import { createHmac } from 'node:crypto'
import { expect, it, onTestFinished, vi } from 'vitest'
import { concatenated } from './scheme.ts'
import { createSigner } from './signer.ts'

const nothing = new Uint8Array(0)
const request = { method: 'GET', path: '/api/v1/wallet/walletInfo', query: 'address=0xaa', body: nothing }
const credentials = { apiKey: 'key', secret: 'sk_test_4f3c2b1a' }
const hmac = (secret: string, text: string) => createHmac('sha256', secret).update(text)

it('the timestamps of a signer are strictly increasing while the clock does not advance', async () => {
  const signer = createSigner({ credentials, now: () => 1_767_225_600_000 })
  const signed = await Promise.all(Array.from({ length: 50 }, () => signer.sign(request)))
  expect(signed.map((headers) => headers['x-timestamp'])).toEqual(
    Array.from({ length: 50 }, (_, i) => String(1_767_225_600_000 + i)),
  )
  expect(new Set(signed.map((headers) => headers['x-signature'])).size).toBe(50)
})

it('the timestamps of a signer are strictly increasing when the clock goes back', async () => {
  let time = 5000
  const signer = createSigner({ credentials, now: () => time })
  const before = await signer.sign(request)
  time = 4000
  const after = await signer.sign(request)
  expect([before['x-timestamp'], after['x-timestamp']]).toEqual(['5000', '5001'])
})

it.each([3_600_000, -3_600_000])(
  'the timestamps of a signer follow a clock correction of %i ms',
  async (offset) => {
    const signer = createSigner({ credentials, now: () => 1_767_225_600_000 })
    await signer.sign(request)
    signer.correct(offset)
    expect((await signer.sign(request))['x-timestamp']).toBe(String(1_767_225_600_000 + offset))
    signer.correct(0)
    expect(Number((await signer.sign(request))['x-timestamp'])).toBeLessThan(1_767_225_600_000 + 3_600_000)
  },
)

it('the timestamps of a signer differ between processes that begin in the same millisecond', async () => {
  const time = 1_767_225_600_000
  vi.useFakeTimers({ now: time })
  onTestFinished(() => void vi.useRealTimers())
  const signed = await Promise.all(
    Array.from({ length: 50 }, () => createSigner({ credentials }).sign(request)),
  )
  const timestamps = signed.map((headers) => Number(headers['x-timestamp']))
  expect(Math.min(...timestamps)).toBeGreaterThanOrEqual(time - 500)
  expect(Math.max(...timestamps)).toBeLessThanOrEqual(time)
  expect(new Set(timestamps).size).toBeGreaterThan(25)
})

it('the timestamps of a signer are whole milliseconds', async () => {
  const signer = createSigner({ credentials, now: () => 1000.7 })
  signer.correct(0.9)
  expect((await signer.sign(request))['x-timestamp']).toBe('1001')
})

const text = '1GET/api/v1/wallet/walletInfo?address=0xaa'
const options = { scheme: concatenated, now: () => 1 }

it('the credentials of a signer can be a value', async () => {
  expect(await createSigner({ ...options, credentials }).sign(request)).toEqual({
    'x-api-key': 'key',
    'x-timestamp': '1',
    'x-signature': hmac(credentials.secret, text).digest('base64'),
  })
})

it('the credentials of a signer can be a function, which is called for every attempt so that a rotated secret takes effect immediately', async () => {
  let secret = 'old'
  const signer = createSigner({ ...options, credentials: async () => ({ apiKey: secret, secret }) })
  expect((await signer.sign(request))['x-signature']).toBe(hmac('old', text).digest('base64'))
  secret = 'new'
  expect(await signer.sign(request)).toEqual({
    'x-api-key': 'new',
    'x-timestamp': '2',
    'x-signature': hmac('new', text.replace('1', '2')).digest('base64'),
  })
})

it('the credentials of a signer can be a function that signs, so that the secret stays in a key service', async () => {
  const signedTexts: string[] = []
  const sign = async (stringToSign: string) => {
    signedTexts.push(stringToSign)
    return hmac('kept elsewhere', stringToSign).digest()
  }
  const signer = createSigner({ ...options, credentials: { apiKey: 'key', sign } })
  expect((await signer.sign(request))['x-signature']).toBe(hmac('kept elsewhere', text).digest('base64'))
  expect(signedTexts).toEqual([text])
})

it('the credentials of a signer reject the signing with their own error if they cannot be loaded', async () => {
  const down = new Error('the key service is down')
  const thrown = createSigner({ ...options, credentials: () => Promise.reject(down) }).sign(request)
  await expect(thrown).rejects.toBe(down)
  const sign = () => Promise.reject(down)
  await expect(createSigner({ ...options, credentials: { apiKey: 'key', sign } }).sign(request)).rejects.toBe(
    down,
  )
})

it('the credentials of a signer reject the signing if the secret is empty', async () => {
  const signer = createSigner({ ...options, credentials: { apiKey: 'key', secret: '' } })
  await expect(signer.sign(request)).rejects.toThrow('empty')
})
