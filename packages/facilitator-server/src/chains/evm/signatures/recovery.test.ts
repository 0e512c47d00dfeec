import { randomBytes } from 'node:crypto'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { hex } from '../../../engine/testing.ts'
import { createPureRecovery, createRecovery } from './recovery.ts'

const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const account = privateKeyToAccount(hex(randomBytes(32).toString('hex')))
const digest = randomBytes(32)
const signature = await account.sign({ hash: hex(digest.toString('hex')) })
const r = signature.slice(2, 66)
const s = signature.slice(66, 130)
const v = Number.parseInt(signature.slice(130), 16)
const word = (value: bigint) => value.toString(16).padStart(64, '0')
const byte = (value: number) => value.toString(16).padStart(2, '0')
const payer = account.address.toLowerCase()

it('loads the native binding on platforms for which it is prebuilt', () => {
  const prebuilt = ['linux-x64', 'darwin-arm64', 'win32-x64'].includes(`${process.platform}-${process.arch}`)
  expect(createRecovery().kind).toBe(prebuilt ? 'native' : 'pure')
})

describe.each([createRecovery(), createPureRecovery()])('$kind recovery', ({ recover }) => {
  it('finds who signed', async () => {
    expect(await recover(digest, signature)).toBe(payer)
  })

  it('takes v as 0 and 1 too', async () => {
    expect(await recover(digest, `0x${r}${s}${byte(v - 27)}`)).toBe(payer)
  })

  it('finds somebody else when the digest was altered', async () => {
    expect(await recover(randomBytes(32), signature)).not.toBe(payer)
  })

  it.each([
    ['the twin with the higher s', `0x${r}${word(order - BigInt(`0x${s}`))}${byte(v === 27 ? 28 : 27)}`],
    ['another v', `0x${r}${s}1d`],
    ['64 bytes', `0x${r}${s}`],
    ['66 bytes', `${signature}00`],
    ['no bytes', '0x'],
    ['an r of zero', `0x${word(0n)}${s}1b`],
    ['an s of zero', `0x${r}${word(0n)}1b`],
    ['an r beyond the curve', `0x${'f'.repeat(64)}${s}1b`],
  ])('recovers no address from %s', async (_, odd) => {
    expect(await recover(digest, odd)).toBeUndefined()
  })
})

it('finds the same signers natively and in JavaScript', async () => {
  const native = createRecovery()
  const pure = createPureRecovery()
  for (let run = 0; run < 200; run += 1) {
    const any = `0x${randomBytes(64).toString('hex')}${byte(27 + (run % 2))}`
    expect(await native.recover(digest, any)).toBe(await pure.recover(digest, any))
  }
})
