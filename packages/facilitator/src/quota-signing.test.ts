import { recoverTypedDataAddress } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { quotaTypes, signPayerQuota, signRevocation } from './quota-signing.ts'

const treasury = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const facilitator = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const domain = {
  name: 'Mintmark Facilitator',
  version: '1',
  chainId: 84532,
  verifyingContract: treasury,
} as const
const signing = { domain, facilitator, nextNonce: '7' }
const wallet = privateKeyToAccount(generatePrivateKey())
const terms = { limit: 2n * 10n ** 17n, validAfter: 1_700_000_000, validBefore: 1_800_000_000, nonce: 9n }

type Quota = Awaited<ReturnType<typeof signPayerQuota>>

/** Whose signature it is, over a quota put together here from what would be sent. */
const signerOf = (
  quota: Quota,
  changed: Partial<Record<'facilitator', `0x${string}`>> & { chainId?: number } = {},
) =>
  recoverTypedDataAddress({
    domain: { ...domain, chainId: changed.chainId ?? domain.chainId },
    types: quotaTypes,
    primaryType: 'PayerQuota',
    message: {
      payer: quota.payer,
      facilitator: changed.facilitator ?? facilitator,
      limit: BigInt(quota.limit),
      validAfter: BigInt(quota.validAfter),
      validBefore: BigInt(quota.validBefore),
      nonce: BigInt(quota.nonce),
    },
    signature: quota.signature as `0x${string}`,
  })

describe('a signed quota', () => {
  test("is the wallet's over exactly what is sent, for this facilitator, treasury and chain", async () => {
    const quota = await signPayerQuota(wallet, signing, terms)
    expect(quota).toMatchObject({
      payer: wallet.address,
      limit: '200000000000000000',
      validAfter: 1_700_000_000,
      validBefore: 1_800_000_000,
      nonce: '9',
    })
    expect(await signerOf(quota)).toBe(wallet.address)
    expect(await signerOf({ ...quota, limit: '200000000000000001' })).not.toBe(wallet.address)
    expect(await signerOf({ ...quota, validAfter: quota.validAfter + 1 })).not.toBe(wallet.address)
    expect(await signerOf({ ...quota, validBefore: quota.validBefore + 1 })).not.toBe(wallet.address)
    expect(await signerOf({ ...quota, nonce: '10' })).not.toBe(wallet.address)
    expect(await signerOf(quota, { facilitator: treasury })).not.toBe(wallet.address)
    expect(await signerOf(quota, { chainId: 8453 })).not.toBe(wallet.address)
  })

  test('takes the next nonce, and is valid from the beginning of time, unless told', async () => {
    const quota = await signPayerQuota(wallet, signing, { limit: '1', validBefore: 1_800_000_000 })
    expect(quota).toMatchObject({ limit: '1', validAfter: 0, nonce: '7' })
    expect(await signerOf(quota)).toBe(wallet.address)
  })

  test('may have the nonce 0', async () => {
    expect(await signPayerQuota(wallet, signing, { ...terms, nonce: 0n })).toMatchObject({ nonce: '0' })
  })

  test('holds amounts of 256 bits exactly', async () => {
    const most = 2n ** 256n - 1n
    const quota = await signPayerQuota(wallet, signing, { ...terms, limit: most, nonce: String(most) })
    expect(quota).toMatchObject({ limit: String(most), nonce: String(most) })
    expect(await signerOf(quota)).toBe(wallet.address)
  })

  test('is not made without a nonce, or for an address that is none', async () => {
    const { nextNonce: _, ...without } = signing
    await expect(signPayerQuota(wallet, without, { limit: 1n, validBefore: 1 })).rejects.toThrow('nonce')
    const nobody = { ...wallet, address: '0x1' }
    await expect(signPayerQuota(nobody, signing, terms)).rejects.toThrow('Not an address: 0x1')
    await expect(signPayerQuota(wallet, { ...signing, facilitator: 'somewhere' }, terms)).rejects.toThrow(
      'somewhere',
    )
    const astray = { ...signing, domain: { ...domain, verifyingContract: '0x2' } }
    await expect(signPayerQuota(wallet, astray, terms)).rejects.toThrow('0x2')
  })
})

describe('a signed revocation', () => {
  const revokerOf = ({ payer, nonce, signature }: Awaited<ReturnType<typeof signRevocation>>) =>
    recoverTypedDataAddress({
      domain,
      types: quotaTypes,
      primaryType: 'RevokePayerQuota',
      message: { payer, nonce: BigInt(nonce) },
      signature: signature as `0x${string}`,
    })

  test("is the wallet's over the payer and a nonce, the next one unless told", async () => {
    const next = await signRevocation(wallet, signing)
    expect(next).toMatchObject({ payer: wallet.address, nonce: '7' })
    expect(await revokerOf(next)).toBe(wallet.address)
    const told = await signRevocation(wallet, signing, { nonce: 12n })
    expect(told.nonce).toBe('12')
    expect(await revokerOf(told)).toBe(wallet.address)
    expect(await revokerOf({ ...told, nonce: '13' })).not.toBe(wallet.address)
  })

  test('is no quota, whatever its numbers', async () => {
    const revocation = await signRevocation(wallet, signing, { nonce: 9n })
    const asQuota = { ...(await signPayerQuota(wallet, signing, terms)), signature: revocation.signature }
    expect(await signerOf(asQuota)).not.toBe(wallet.address)
  })
})
