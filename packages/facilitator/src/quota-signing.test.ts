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

/** Recovers the signer of a quota, from the fields that would be sent. */
const recoverSigner = (
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

describe('signPayerQuota', () => {
  test('signs exactly the returned terms, for this facilitator, treasury and chain', async () => {
    const quota = await signPayerQuota(wallet, signing, terms)
    expect(quota).toMatchObject({
      payer: wallet.address,
      limit: '200000000000000000',
      validAfter: 1_700_000_000,
      validBefore: 1_800_000_000,
      nonce: '9',
    })
    expect(await recoverSigner(quota)).toBe(wallet.address)
    expect(await recoverSigner({ ...quota, limit: '200000000000000001' })).not.toBe(wallet.address)
    expect(await recoverSigner({ ...quota, validAfter: quota.validAfter + 1 })).not.toBe(wallet.address)
    expect(await recoverSigner({ ...quota, validBefore: quota.validBefore + 1 })).not.toBe(wallet.address)
    expect(await recoverSigner({ ...quota, nonce: '10' })).not.toBe(wallet.address)
    expect(await recoverSigner(quota, { facilitator: treasury })).not.toBe(wallet.address)
    expect(await recoverSigner(quota, { chainId: 8453 })).not.toBe(wallet.address)
  })

  test('uses the next nonce and a quota that is valid from 1970 by default', async () => {
    const quota = await signPayerQuota(wallet, signing, { limit: '1', validBefore: 1_800_000_000 })
    expect(quota).toMatchObject({ limit: '1', validAfter: 0, nonce: '7' })
    expect(await recoverSigner(quota)).toBe(wallet.address)
  })

  test('accepts the nonce 0', async () => {
    expect(await signPayerQuota(wallet, signing, { ...terms, nonce: 0n })).toMatchObject({ nonce: '0' })
  })

  test('signs amounts of 256 bits without loss of precision', async () => {
    const maximum = 2n ** 256n - 1n
    const quota = await signPayerQuota(wallet, signing, {
      ...terms,
      limit: maximum,
      nonce: String(maximum),
    })
    expect(quota).toMatchObject({ limit: String(maximum), nonce: String(maximum) })
    expect(await recoverSigner(quota)).toBe(wallet.address)
  })

  test('throws if the nonce is missing or an address is invalid', async () => {
    const { nextNonce: _, ...without } = signing
    await expect(signPayerQuota(wallet, without, { limit: 1n, validBefore: 1 })).rejects.toThrow('nonce')
    const invalidWallet = { ...wallet, address: '0x1' }
    await expect(signPayerQuota(invalidWallet, signing, terms)).rejects.toThrow('Not an address: 0x1')
    await expect(signPayerQuota(wallet, { ...signing, facilitator: 'somewhere' }, terms)).rejects.toThrow(
      'somewhere',
    )
    const invalidSigning = { ...signing, domain: { ...domain, verifyingContract: '0x2' } }
    await expect(signPayerQuota(wallet, invalidSigning, terms)).rejects.toThrow('0x2')
  })
})

describe('signRevocation', () => {
  const recoverRevoker = ({ payer, nonce, signature }: Awaited<ReturnType<typeof signRevocation>>) =>
    recoverTypedDataAddress({
      domain,
      types: quotaTypes,
      primaryType: 'RevokePayerQuota',
      message: { payer, nonce: BigInt(nonce) },
      signature: signature as `0x${string}`,
    })

  test('signs the payer and a nonce, which is the next one by default', async () => {
    const next = await signRevocation(wallet, signing)
    expect(next).toMatchObject({ payer: wallet.address, nonce: '7' })
    expect(await recoverRevoker(next)).toBe(wallet.address)
    const chosen = await signRevocation(wallet, signing, { nonce: 12n })
    expect(chosen.nonce).toBe('12')
    expect(await recoverRevoker(chosen)).toBe(wallet.address)
    expect(await recoverRevoker({ ...chosen, nonce: '13' })).not.toBe(wallet.address)
  })

  test('returns a signature that is not valid for a quota with the same numbers', async () => {
    const revocation = await signRevocation(wallet, signing, { nonce: 9n })
    const asQuota = { ...(await signPayerQuota(wallet, signing, terms)), signature: revocation.signature }
    expect(await recoverSigner(asQuota)).not.toBe(wallet.address)
  })
})
