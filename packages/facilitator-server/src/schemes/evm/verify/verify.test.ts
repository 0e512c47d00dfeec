import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { devAccount } from '@mintmark/devkit/chain/accounts'
import { devUsdcAbi, smartWalletAbi } from '@mintmark/devkit/chain/artifacts/abi'
import smartWallet from '@mintmark/devkit/chain/artifacts/SmartWallet.json' with { type: 'json' }
import { signCancellation } from '@mintmark/devkit/chain/authorization'
import { testChain } from '@mintmark/devkit/chain/testing'
import { openChains } from '@mintmark/evm-reader'
import type { Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allowAssets } from '../../../chains/evm/settings/allowed-assets.ts'
import { hex, paymentBody, type Signed, signedBody, version1Body } from '../../../engine/testing.ts'
import type { Payment } from '../../../payment/payment.ts'
import { decodeBody } from '../../agreement/testing-payers.ts'
import { createVerifier, type VerifierOptions } from './verify.ts'

const devChain = await testChain()
const payer = devAccount(1)
const stranger = devAccount(2)
const relayer = devChain.as(9)
const token = { address: devChain.token, abi: devUsdcAbi } as const
const notAToken = '0x00000000000000000000000000000000000F00d5'

const chainsAt = (rpcUrl: string) => openChains([{ id: 84532, rpcUrls: [rpcUrl], finality: { depth: 2 } }])
const verifierWith = (options: Partial<VerifierOptions> = {}) =>
  createVerifier({
    chains: chainsAt(devChain.rpcUrl),
    allowedAssets: allowAssets(`84532=${notAToken} 84532=${devChain.multicall}`),
    ...options,
  })
const verifier = verifierWith()

const decoded = (body: unknown): Payment => decodeBody(body, ['eip155:84532', 'eip155:8453'])
const signed = async (terms: Partial<Signed> = {}) => decoded(await signedBody({ account: payer, ...terms }))
const reasonOf = async (payment: Payment, by = verifier) => {
  const verdict = await by.verify(payment)
  return verdict.isValid ? 'valid' : verdict.invalidReason
}
const submit = async ({ payer: from, payTo, amount, validAfter, validBefore, nonce, signature }: Payment) =>
  devChain.client.waitForTransactionReceipt({
    hash: await relayer.writeContract({
      ...token,
      functionName: 'transferWithAuthorization',
      args: [hex(from), hex(payTo), amount, validAfter, validBefore, hex(nonce), hex(signature)],
    }),
  })

describe('verifying', () => {
  it('finds a signed payment valid, of either version, and names the payer and the balance with its block', async () => {
    const body = await signedBody({ account: payer })
    const funds = {
      balance: expect.any(BigInt),
      block: await devChain.client.getBlockNumber(),
      readAt: expect.any(Number),
    }
    const expected = { isValid: true, payer: payer.address.toLowerCase(), funds }
    expect(await verifier.verify(decoded(body))).toEqual(expected)
    expect(await verifier.verify(decoded(version1Body(body)))).toEqual(expected)
  })

  it('finds what it calls valid to be accepted by the token', async () => {
    const payment = await signed()
    expect(await reasonOf(payment)).toBe('valid')
    expect((await submit(payment)).status).toBe('success')
  })

  it('refuses a nonce as soon as it was used', async () => {
    const payment = await signed()
    expect(await reasonOf(payment)).toBe('valid')
    await submit(payment)
    expect(await reasonOf(payment)).toBe('invalid_exact_evm_nonce_already_used')
  })

  it('refuses a cancelled nonce', async () => {
    const payment = await signed()
    const nonce = hex(payment.nonce)
    const signature = await signCancellation(payer, payer.address, nonce)
    const args = [payer.address, nonce, signature] as const
    await devChain.confirm(relayer.writeContract({ ...token, functionName: 'cancelAuthorization', args }))
    expect(await reasonOf(payment)).toBe('invalid_exact_evm_nonce_already_used')
  })

  it('refuses a payer who holds less than the amount, and not one who holds exactly it', async () => {
    const held = await devChain.client.readContract({
      ...token,
      functionName: 'balanceOf',
      args: [stranger.address],
    })
    expect(await reasonOf(await signed({ account: stranger, value: held }))).toBe('valid')
    expect(await reasonOf(await signed({ account: stranger, value: held + 1n }))).toBe('insufficient_funds')
  })

  it('refuses what somebody else signed', async () => {
    expect(await reasonOf(await signed({ account: stranger, from: payer.address }))).toBe(
      'invalid_exact_evm_payload_signature',
    )
  })

  it.each([
    ['the amount', { amount: 10_001n }],
    ['the recipient', { payTo: '0x0000000000000000000000000000000000000bad' }],
    ['the start', { validAfter: 1n }],
    ['the end', { validBefore: BigInt(Math.floor(Date.now() / 1000) + 3_000) }],
    ['the nonce', { nonce: `0x${'12'.repeat(32)}` }],
  ])('refuses a payment of which %s was altered', async (_, change) => {
    expect(await reasonOf({ ...(await signed()), ...change })).toBe('invalid_exact_evm_payload_signature')
  })

  it('refuses the twin signature with the higher s', async () => {
    const payment = await signed()
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
    const s = (order - BigInt(`0x${payment.signature.slice(66, 130)}`)).toString(16).padStart(64, '0')
    const v = payment.signature.endsWith('1b') ? '1c' : '1b'
    const twin = `${payment.signature.slice(0, 66)}${s}${v}`
    expect(await reasonOf({ ...payment, signature: twin })).toBe('invalid_exact_evm_payload_signature')
  })

  it('refuses a domain that is not the token’s, and says which part', async () => {
    expect(await reasonOf(await signed({ name: 'USD Coin' }))).toBe('invalid_exact_evm_token_name_mismatch')
    expect(await reasonOf(await signed({ version: '1' }))).toBe('invalid_exact_evm_token_version_mismatch')
  })

  it('refuses an asset that is not on the list', async () => {
    expect(await reasonOf(await signed({ asset: '0x0000000000000000000000000000000000000123' }))).toBe(
      'invalid_payment_requirements',
    )
  })

  it('refuses an asset without code, and a contract without EIP-3009', async () => {
    expect(await reasonOf(await signed({ asset: notAToken }))).toBe('asset_not_deployed_contract')
    expect(await reasonOf(await signed({ asset: devChain.multicall }))).toBe(
      'invalid_exact_evm_eip3009_not_supported',
    )
  })

  it('wants six seconds until the authorization ends, and its begin behind it', async () => {
    const now = 2_000_000_000
    const at = verifierWith({ now: () => now * 1000 + 999 })
    const ending = (seconds: number) => signed({ validBefore: BigInt(now + seconds) })
    expect(await reasonOf(await ending(5), at)).toBe('invalid_exact_evm_payload_authorization_valid_before')
    expect(await reasonOf(await ending(6), at)).toBe('valid')
    // A program whose clock differs learns by how much.
    expect(await at.verify(await ending(5))).toMatchObject({
      invalidMessage: expect.stringContaining("The facilitator's clock says 2033-05-18T03:33:20.000Z"),
    })
    const from = (seconds: number) =>
      signed({ validAfter: BigInt(now + seconds), validBefore: BigInt(now + 60) })
    expect(await reasonOf(await from(1), at)).toBe('invalid_exact_evm_payload_authorization_valid_after')
    expect(await reasonOf(await from(0), at)).toBe('valid')
  })

  it('refuses an authorization that ends more than a day from now, or later than the setting allows', async () => {
    const now = 2_000_000_000
    const at = (maxValidity?: number) =>
      verifierWith({ now: () => now * 1000, ...(maxValidity && { maxValidity }) })
    const ending = (seconds: number) => signed({ validBefore: BigInt(now + seconds) })
    const tooLate = 'invalid_exact_evm_payload_authorization_valid_before'
    expect(await reasonOf(await ending(86_400), at())).toBe('valid')
    expect(await reasonOf(await ending(86_401), at())).toBe(tooLate)
    expect(await reasonOf(await ending(600), at(600))).toBe('valid')
    expect(await reasonOf(await ending(601), at(600))).toBe(tooLate)
  })

  it('returns each of many concurrent calls its own outcome', async () => {
    const good = await Promise.all(Array.from({ length: 40 }, () => signed()))
    const poor = await Promise.all(Array.from({ length: 40 }, () => signed({ value: 10n ** 30n })))
    const verdicts = await Promise.all(
      good.flatMap((one, index) => [one, poor[index] ?? one]).map((p) => reasonOf(p)),
    )
    expect(verdicts).toEqual(Array.from({ length: 80 }, (_, i) => (i % 2 ? 'insufficient_funds' : 'valid')))
  })
})

describe('a payer that is a contract', () => {
  let wallet: Hex
  beforeAll(async () => {
    wallet = await deploy(smartWallet.bytecode as Hex, payer.address)
    await devChain.confirm(
      relayer.writeContract({ ...token, functionName: 'mint', args: [wallet, 1_000_000n] }),
    )
  })

  async function deploy(bytecode: Hex, owner: Hex): Promise<Hex> {
    const hash = await relayer.deployContract({ abi: smartWalletAbi, bytecode, args: [owner] })
    const { contractAddress } = await devChain.client.waitForTransactionReceipt({ hash })
    if (!contractAddress) throw new Error('deployment failed')
    return contractAddress
  }

  it('pays by its owner’s signature (ERC-1271)', async () => {
    const payment = await signed({ from: wallet })
    expect(await reasonOf(payment)).toBe('valid')
    expect((await submit(payment)).status).toBe('success')
  })

  it('a payer that is a contract does not pay by anybody else’s, nor by a signature of another length', async () => {
    const payment = await signed({ account: stranger, from: wallet })
    expect(await reasonOf(payment)).toBe('invalid_exact_evm_payload_signature')
    expect(await reasonOf({ ...payment, signature: `0x${'33'.repeat(100)}` })).toBe(
      'invalid_exact_evm_payload_signature',
    )
  })

  it('a payer that is a contract does not affect other verifications when its code burns all gas', async () => {
    const trap = hex(randomBytes(20).toString('hex'))
    // JUMPDEST PUSH1 0 JUMP: runs until the gas is gone.
    await devChain.client.setCode({ address: trap, bytecode: '0x5b600056' })
    // Each would leave a 64th of the gas to what follows in the same call.
    const trapped = await Promise.all(Array.from({ length: 4 }, () => signed({ from: trap })))
    const honest = await Promise.all([signed(), signed()])
    const verdicts = await Promise.all([...trapped, ...honest].map((payment) => reasonOf(payment)))
    expect(verdicts).toEqual([...trapped.map(() => 'invalid_exact_evm_payload_signature'), 'valid', 'valid'])
  })
})

describe('a chain that cannot be read', () => {
  const broken = createServer((_, response) =>
    response.writeHead(200).end('{"jsonrpc":"2.0","id":1,"result":"0x"}'),
  )
  beforeAll(() => new Promise<void>((resolve) => broken.listen(0, '127.0.0.1', resolve)))
  afterAll(() => void broken.close())

  it('a chain that cannot be read is unexpected_verify_error, and reported', async () => {
    const reports: unknown[] = []
    // listen() on a port, so the address is an object.
    const { port } = broken.address() as AddressInfo
    const by = verifierWith({
      chains: chainsAt(`http://127.0.0.1:${port}`),
      report: (error) => reports.push(error),
    })
    expect(await reasonOf(await signed(), by)).toBe('unexpected_verify_error')
    expect(reports).toHaveLength(1)
  })

  it('refuses networks that are not configured, or checks only the signature if that is allowed', async () => {
    const base = { chainId: 8453, asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', name: 'USD Coin' }
    expect(await reasonOf(await signed(base))).toBe('invalid_network')
    const lenient = verifierWith({ unreadableNetworks: new Set(['eip155:8453']) })
    expect(await reasonOf(await signed(base), lenient)).toBe('valid')
    expect(await reasonOf(await signed({ ...base, account: stranger, from: payer.address }), lenient)).toBe(
      'invalid_exact_evm_payload_signature',
    )
  })
})

it('never throws on a payment that decodes', async () => {
  const validBefore = String(Math.floor(Date.now() / 1000) + 600)
  const odd = decoded(paymentBody({ signature: '0x', authorization: { validBefore } }))
  expect(await reasonOf(odd)).toBe('invalid_exact_evm_payload_signature')
})
