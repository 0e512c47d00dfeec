// Payers that are keys, contracts, keys with code, and contracts that do not exist yet: verify accepts what a
// settlement executes.

import { randomBytes } from 'node:crypto'
import { devAccount } from '@mintmark/devkit/chain/accounts'
import { devUsdcAbi, hostileWalletAbi } from '@mintmark/devkit/chain/artifacts/abi'
import hostileWallet from '@mintmark/devkit/chain/artifacts/HostileWallet.json' with { type: 'json' }
import legacyUsdc from '@mintmark/devkit/chain/artifacts/LegacyUsdc.json' with { type: 'json' }
import silentToken from '@mintmark/devkit/chain/artifacts/SilentToken.json' with { type: 'json' }
import { testChain } from '@mintmark/devkit/chain/testing'
import { startFaultyNode } from '@mintmark/devkit/testing'
import { openChains } from '@mintmark/evm-reader'
import { type Address, type Hex, keccak256, pad, parseEther, toHex } from 'viem'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { allowAssets, allowFactories } from '../../../chains/evm/settings/allowed-assets.ts'
import { DEFAULT_GAS_CAPS } from '../../../chains/evm/settings/gas-caps.ts'
import { randomKey, transactionDatabase } from '../../../chains/evm/testing.ts'
import { parseSignerKeys } from '../../../chains/evm/transactions/signers.ts'
import { hex, type Signed, seller } from '../../../engine/testing.ts'
import type { Payment } from '../../../payment/payment.ts'
import {
  createDelegatedAccount,
  deployContract,
  deployFactory,
  deployKeyWallet,
  deployWallet,
  planWallet,
  signPayment,
  type UndeployedWallet,
  unknownCall,
  walletCode,
  wrapSignature,
} from '../../agreement/testing-payers.ts'
import { createBuiltInUpstream } from '../built-in-upstream.ts'
import { createVerifier, type VerifierOptions } from './verify.ts'

const chain = await testChain()
const node = await startFaultyNode(chain.rpcUrl)
const { db, reserve, drop } = await transactionDatabase()
const relayer = chain.as(9)
const payer = devAccount(1)
const stranger = devAccount(2)
const token = { address: chain.token, abi: devUsdcAbi } as const

const signers = parseSignerKeys(randomKey())
const signer = hex(signers[0]?.address ?? '')
await chain.client.setBalance({ address: signer, value: parseEther('100') })

const factory = await deployFactory(chain)
const unlistedFactory = await deployFactory(chain)
const legacyToken = await deployContract(chain, hex(legacyUsdc.bytecode))
const allowedAssets = allowAssets(`84532=${legacyToken}`)
const walletFactories = allowFactories(`84532=${factory}`)
const chains = openChains([{ id: 84532, rpcUrls: [node.url], finality: { depth: 2 } }])
const reports: unknown[] = []
const upstream = createBuiltInUpstream({ db, chains, signers, walletFactories })
const verifierWith = (options: Partial<VerifierOptions> = {}) =>
  createVerifier({
    chains,
    allowedAssets,
    walletFactories,
    findSender: upstream.findSender,
    report: (error) => reports.push(error),
    ...options,
  })
const verifier = verifierWith()

afterEach(async () => {
  node.interfere = () => undefined
  await chain.client.setAutomine(true)
  expect(reports.splice(0)).toEqual([])
})
afterAll(async () => {
  node.close()
  await drop()
})

const sign = (terms: Partial<Signed> = {}) => signPayment({ account: payer, ...terms })
async function verify(payment: Payment, by = verifier, simulate = true): Promise<string> {
  const outcome = await by.verify(payment, { simulate })
  return outcome.isValid ? 'valid' : outcome.invalidReason
}
async function settle(payment: Payment): Promise<string> {
  const call = await reserve(payment)
  const response = await upstream.settle(payment, { ...call, signal: AbortSignal.timeout(60_000) })
  if (response.kind === 'responded') return response.body.success ? 'settled' : 'reverted'
  return response.kind === 'refused' ? response.reason : response.kind
}
const mint = (to: Address, address: Address = chain.token) =>
  chain.confirm(relayer.writeContract({ ...token, address, functionName: 'mint', args: [to, 1_000_000n] }))
const balanceOf = (address: Address) =>
  chain.client.readContract({ ...token, functionName: 'balanceOf', args: [address] })

/** Expects that verify and the settlement agree. */
async function expectSettled(payment: Payment): Promise<void> {
  const before = await balanceOf(hex(seller))
  expect(await verify(payment)).toBe('valid')
  expect(await settle(payment)).toBe('settled')
  expect((await balanceOf(hex(seller))) - before).toBe(payment.amount)
}
async function expectRefused(payment: Payment, reason: string): Promise<void> {
  expect(await verify(payment)).toBe(reason)
  expect(await settle(payment)).toBe(reason)
}
const badSignature = 'invalid_exact_evm_payload_signature'
const simulationFailed = 'invalid_exact_evm_transaction_simulation_failed'

it('a payer that is a key is refused while it or the recipient is blacklisted, and while the token is paused', async () => {
  const payment = await sign()
  expect(await verify(payment)).toBe('valid')
  for (const account of [payer.address, hex(seller)]) {
    await chain.confirm(relayer.writeContract({ ...token, functionName: 'blacklist', args: [account] }))
    const outcome = await verifier.verify(payment, { simulate: true })
    expect(outcome).toMatchObject({
      isValid: false,
      invalidReason: simulationFailed,
      invalidMessage: expect.stringContaining('Blacklistable: account is blacklisted'),
    })
    expect(await settle(payment)).toBe(simulationFailed)
    await chain.confirm(relayer.writeContract({ ...token, functionName: 'unBlacklist', args: [account] }))
  }
  await chain.confirm(relayer.writeContract({ ...token, functionName: 'pause' }))
  await expectRefused(payment, simulationFailed)
  await chain.confirm(relayer.writeContract({ ...token, functionName: 'unpause' }))
  await expectSettled(payment)
})

it('a payer that is a key is refused until the chain has a block after the begin of its authorization', async () => {
  const { timestamp } = await chain.client.getBlock()
  const payment = await sign({ validAfter: timestamp })
  const now = () => Number(timestamp + 1n) * 1000
  expect(await verify(payment, verifierWith({ now }))).toBe(
    'invalid_exact_evm_payload_authorization_valid_after',
  )
  await chain.client.increaseTime({ seconds: 2 })
  await chain.client.mine({ blocks: 1 })
  expect(await verify(payment, verifierWith({ now }))).toBe('valid')
})

it('a payer that is a key may use more gas than a contract may', async () => {
  const gasCaps = { ...DEFAULT_GAS_CAPS, contract: 40_000n }
  expect(await verify(await sign(), verifierWith({ gasCaps }))).toBe('valid')
  const tooLow = { ...gasCaps, key: 50_000n }
  expect(await verify(await sign(), verifierWith({ gasCaps: tooLow }))).toBe(simulationFailed)
})

it('a payer that is a key pays in a token that gives no reasons, unless that token is paused', async () => {
  const asset = await deployContract(chain, hex(silentToken.bytecode))
  const slot = keccak256(toHex('SilentToken.implementation'))
  await chain.client.setStorageAt({ address: asset, index: slot, value: pad(chain.token) })
  await mint(payer.address, asset)
  const by = verifierWith({ allowedAssets: allowAssets(`84532=${asset}`) })
  const payment = await sign({ asset })
  expect(await verify(payment, by)).toBe('valid')
  await chain.confirm(relayer.writeContract({ ...token, address: asset, functionName: 'pause' }))
  expect(await verify(payment, by)).toBe(simulationFailed)
})

it('a payer whose key delegates to code (EIP-7702) pays if its code accepts the signature of its key', async () => {
  const account = await createDelegatedAccount(chain, await deployKeyWallet(chain))
  await mint(account.address)
  await expectSettled(await sign({ account }))
})

it('a payer whose key delegates to code (EIP-7702) is refused if its code does not verify signatures, although its key has signed', async () => {
  const account = await createDelegatedAccount(chain, chain.multicall)
  await mint(account.address)
  await expectRefused(await sign({ account }), badSignature)
})

it('a payer whose key delegates to code (EIP-7702) pays in a token that knows keys only, whatever its code', async () => {
  const account = await createDelegatedAccount(chain, chain.multicall)
  await mint(account.address, legacyToken)
  const payment = await sign({ account, asset: legacyToken })
  expect(await verify(payment)).toBe('valid')
  expect(await settle(payment)).toBe('settled')
})

it('a payer whose key delegates to code (EIP-7702) is refused in a token without reasons, and for its signature', async () => {
  const asset = await deployContract(chain, hex(silentToken.bytecode))
  const slot = keccak256(toHex('SilentToken.implementation'))
  await chain.client.setStorageAt({ address: asset, index: slot, value: pad(chain.token) })
  const account = await createDelegatedAccount(chain, chain.multicall)
  await mint(account.address, asset)
  const by = verifierWith({ allowedAssets: allowAssets(`84532=${asset}`) })
  expect(await verify(await sign({ account, asset }), by)).toBe(badSignature)
})

it('a payer that is a contract pays by its owner’s signature, and is refused in a token that knows keys only', async () => {
  const wallet = await deployWallet(chain, payer.address)
  await mint(wallet)
  await expectSettled(await sign({ from: wallet }))
  await mint(wallet, legacyToken)
  const payment = await sign({ from: wallet, asset: legacyToken })
  expect(await verify(payment)).toBe(simulationFailed)
  expect(await settle(payment)).toBe(simulationFailed)
})

it('a payer that is a contract is refused while it is blacklisted', async () => {
  const wallet = await deployWallet(chain, payer.address)
  await mint(wallet)
  await chain.confirm(relayer.writeContract({ ...token, functionName: 'blacklist', args: [wallet] }))
  await expectRefused(await sign({ from: wallet }), simulationFailed)
})

it('a payer that is a contract does not deceive verify by accepting every signature where the gas price is zero', async () => {
  const wallet = await deployContract(chain, hex(hostileWallet.bytecode))
  await mint(wallet)
  await expectRefused(await sign({ from: wallet }), badSignature)
  // The settle's own verification does not simulate the transfer, and is not deceived either.
  expect(await verify(await sign({ from: wallet }), verifier, false)).toBe(badSignature)
})

it('a payer that is a contract is refused at the amount of gas that a settlement refuses', async () => {
  const wallet = await deployContract(chain, hex(hostileWallet.bytecode))
  await mint(wallet)
  const burn = async (gas: bigint) => {
    const args = [true, gas] as const
    const call = { address: wallet, abi: hostileWalletAbi, functionName: 'configure', args } as const
    await chain.confirm(relayer.writeContract(call))
  }
  await burn(100_000n)
  await expectSettled(await sign({ from: wallet }))
  await burn(250_000n)
  await expectRefused(await sign({ from: wallet }), simulationFailed)
})

describe('a payer that is a contract which does not exist yet (ERC-6492)', () => {
  const plan = (initCode = walletCode(payer.address), by = factory): UndeployedWallet =>
    planWallet(by, initCode, hex(randomBytes(32).toString('hex')))
  const signFor = async (wallet: UndeployedWallet, terms: Partial<Signed> = {}) =>
    wrapSignature(await sign({ from: wallet.address, ...terms }), wallet)

  it('a payer that is a contract which does not exist yet (ERC-6492) is deployed and pays, in one transaction', async () => {
    const wallet = plan()
    await mint(wallet.address)
    const block = await chain.client.getBlockNumber()
    await expectSettled(await signFor(wallet))
    expect(await chain.client.getBlockNumber()).toBe(block + 1n)
    expect(await chain.client.getCode({ address: wallet.address })).toBeDefined()
  })

  it('pays with and without the wrapper once it exists, by whatever factory', async () => {
    const wallet = plan(walletCode(payer.address), unlistedFactory)
    await chain.confirm(relayer.sendTransaction({ to: wallet.factory, data: wallet.data }))
    await mint(wallet.address)
    await expectSettled(await signFor(wallet))
    await expectSettled(await sign({ from: wallet.address }))
  })

  it('a payer that is a contract which does not exist yet (ERC-6492) is refused if its factory is not accepted, as all are without the setting', async () => {
    const unlisted = plan(walletCode(payer.address), unlistedFactory)
    await mint(unlisted.address)
    await expectRefused(await signFor(unlisted), 'eip6492_factory_not_allowed')
    const wallet = plan()
    await mint(wallet.address)
    const strict = verifierWith({ walletFactories: allowFactories() })
    expect(await verify(await signFor(wallet), strict)).toBe('eip6492_factory_not_allowed')
  })

  it.each<[string, (wallet: UndeployedWallet) => Hex]>([
    ['reverts', () => unknownCall],
    ['deploys another wallet', () => plan().data],
  ])(
    'a payer that is a contract which does not exist yet (ERC-6492) is refused if the call of its factory %s',
    async (_, createCall) => {
      const wallet = plan()
      await mint(wallet.address)
      const payment = await signFor({ ...wallet, data: createCall(wallet) })
      expect(await verify(payment)).toBe('smart_wallet_deployment_failed')
      expect(await settle(payment)).toBe(simulationFailed)
      expect(await verify(payment, verifier, false)).toBe('smart_wallet_deployment_failed')
    },
  )

  it('a payer that is a contract which does not exist yet (ERC-6492) is refused if the wallet would refuse the signature', async () => {
    const wallet = plan()
    await mint(wallet.address)
    const payment = await signFor(wallet, { account: stranger })
    expect(await verify(payment)).toBe(badSignature)
    expect(await settle(payment)).toBe(simulationFailed)
    expect(await verify(payment, verifier, false)).toBe(badSignature)
  })

  it('a payer that is a contract which does not exist yet (ERC-6492) is refused without its wrapper, with a malformed one, and without funds', async () => {
    const wallet = plan()
    expect(await verify(await signFor(wallet))).toBe('insufficient_funds')
    await mint(wallet.address)
    const payment = await sign({ from: wallet.address })
    expect(await verify(payment)).toBe(badSignature)
    const malformed = { ...payment, signature: `0x12${'6492'.repeat(16)}` }
    await expectRefused(malformed, badSignature)
  })

  it('a payer that is a contract which does not exist yet (ERC-6492) is refused if its deployment needs more gas than allowed', async () => {
    const wallet = plan()
    await mint(wallet.address)
    const gasCaps = { ...DEFAULT_GAS_CAPS, deployment: 200_000n }
    const payment = await signFor(wallet)
    expect(await verify(payment, verifierWith({ gasCaps }))).toBe(simulationFailed)
    const strict = createBuiltInUpstream({ db, chains, signers, walletFactories, gasCaps })
    const call = await reserve(payment)
    expect(await strict.settle(payment, { ...call, signal: AbortSignal.timeout(60_000) })).toMatchObject({
      kind: 'refused',
      reason: simulationFailed,
    })
    expect(await verify(payment)).toBe('valid')
  })

  it('pays although somebody else deployed it between verify and settle', async () => {
    const wallet = plan()
    await mint(wallet.address)
    const payment = await signFor(wallet)
    expect(await verify(payment)).toBe('valid')
    await chain.client.setAutomine(false)
    const settling = settle(payment)
    while ((await chain.client.getTxpoolStatus()).pending < 1) await new Promise(setImmediate)
    await relayer.sendTransaction({
      to: wallet.factory,
      data: wallet.data,
      gas: 500_000n,
      maxFeePerGas: 10n ** 12n,
      maxPriorityFeePerGas: 10n ** 11n,
    })
    await chain.client.mine({ blocks: 1 })
    expect(await settling).toBe('settled')
  })

  it('a payer that is a contract which does not exist yet (ERC-6492) does not make us call a factory if the payer’s own key has signed', async () => {
    const payment = wrapSignature(await sign(), plan())
    const [block, before] = [
      await chain.client.getBlockNumber(),
      await chain.client.getCode({ address: factory }),
    ]
    expect(before).toBeDefined()
    await expectSettled(payment)
    const { transactions } = await chain.client.getBlock({ blockNumber: block + 1n })
    const [hash] = transactions
    if (hash === undefined) throw new Error('The block has no transaction')
    expect((await chain.client.getTransaction({ hash })).to).toBe(chain.token.toLowerCase())
  })
})

it('the sender of simulations is a real signer with the fees of a settlement, in one request together with the reads', async () => {
  await verify(await sign())
  const seen: { method: string; params: unknown }[] = []
  node.interfere = (method, params) => {
    // The sender may be read again meanwhile.
    if (method === 'eth_call') seen.push({ method, params })
    return undefined
  }
  expect(await verify(await sign())).toBe('valid')
  // The reads, the settlement, and the measure of what the recipient gets.
  expect(seen).toHaveLength(3)
  expect(seen[1]?.params).toMatchObject([
    { from: signer, to: chain.token.toLowerCase(), maxFeePerGas: expect.stringMatching(/^0x[1-9a-f]/) },
    'latest',
  ])
})

it('the sender of simulations that cannot pay for gas is unexpected_verify_error, because a settle would not be sent', async () => {
  const [poor] = [parseSignerKeys(randomKey())]
  const { findSender } = createBuiltInUpstream({ db, chains, signers: poor })
  expect(await verify(await sign(), verifierWith({ findSender }))).toBe('unexpected_verify_error')
})

it('the sender of simulations is read again if the node does not accept its fees any more', async () => {
  expect(await verify(await sign())).toBe('valid')
  let refusals = 1
  node.interfere = (method, params) => {
    const isTransfer = method === 'eth_call' && JSON.stringify(params).includes('maxFeePerGas')
    if (!isTransfer || refusals === 0) return undefined
    refusals -= 1
    return { error: { code: -32_000, message: 'max fee per gas less than block base fee' } }
  }
  expect(await verify(await sign())).toBe('valid')
})

it('the sender of simulations is not needed if another facilitator settles', async () => {
  const { findSender: _, ...options } = { chains, allowedAssets, walletFactories, findSender: undefined }
  expect(await verify(await sign(), createVerifier(options))).toBe('valid')
})

it('reports a node that does not execute the transfer, as a chain that cannot be read', async () => {
  node.interfere = (method, params) =>
    method === 'eth_call' && JSON.stringify(params).includes('maxFeePerGas')
      ? { error: { code: -32_005, message: 'limit exceeded' } }
      : undefined
  expect(await verify(await sign())).toBe('unexpected_verify_error')
  expect(reports.splice(0).map(String)).toEqual([expect.stringContaining('-32005: limit exceeded')])
})
