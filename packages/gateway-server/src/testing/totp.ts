import { createHmac } from 'node:crypto'

const PERIOD_MS = 30_000
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

export function decodeBase32(text: string): Buffer {
  const bits = [...text.replace(/=+$/, '')].map((sign) => ALPHABET.indexOf(sign).toString(2).padStart(5, '0'))
  const bytes = bits.join('').match(/.{8}/g) ?? []
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)))
}

/** Computes the code that an authenticator app shows for the address of its QR code, by RFC 6238. */
export function computeTotp(uri: string, time = Date.now()): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(time / PERIOD_MS)))
  const secret = decodeBase32(new URL(uri).searchParams.get('secret') ?? '')
  const mac = createHmac('sha1', secret).update(counter).digest()
  const offset = mac.readUInt8(mac.length - 1) & 0x0f
  return String((mac.readUInt32BE(offset) & 0x7fff_ffff) % 1_000_000).padStart(6, '0')
}

/** Returns a code that is wrong now and in the periods before and after. */
export function computeWrongTotp(uri: string): string {
  const right = [-1, 0, 1].map((periods) => computeTotp(uri, Date.now() + periods * PERIOD_MS))
  const wrong = ['000000', '111111', '222222', '333333'].find((code) => !right.includes(code))
  if (wrong === undefined) throw new Error('Three periods have at most three codes')
  return wrong
}
