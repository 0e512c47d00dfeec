// Random payments of every kind of payer: verify accepts exactly what the settlement's transaction executes at the same block.
//
//     VERIFY_CASES=10000 VERIFY_SEED=7 vitest run --project unit --testTimeout 0 packages/facilitator-server/src/payments/verify/agreement.test.ts

import { devUsdcAbi } from '@mintmark/devkit/chain/artifacts/abi'
import legacyUsdc from '@mintmark/devkit/chain/artifacts/LegacyUsdc.json' with { type: 'json' }
import { testChain } from '@mintmark/devkit/chain/testing'
import { type Random, randomFrom } from '@mintmark/devkit/random'
import { openChains } from '@mintmark/server-kit'
import {
  type Address,
  concat,
  createPublicClient,
  encodeAbiParameters,
  type Hex,
  http,
  keccak256,
  type LocalAccount,
  numberToHex,
  parseEther,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { allowAssets, allowFactories } from '../../chains/evm/allowed-assets.ts'
import { DEFAULT_GAS_CAPS, withoutGasReserve } from '../../chains/evm/gas-caps.ts'
import type { SimulationSender } from '../../chains/evm/simulated-calls.ts'
import { createSettlementCall } from '../../chains/evm/transactions/settlement-call.ts'
import type { Payment } from '../payment.ts'
import { hex, seller } from '../testing.ts'
import { createRecovery } from './recovery.ts'
import {
  createDelegatedAccount,
  deployContract,
  deployFactory,
  deployKeyWallet,
  deployWallet,
  planWallet,
  signPayment,
  unknownCall,
  walletCode,
  wrapSignature,
} from './testing-payers.ts'
import { createVerifier } from './verify.ts'

const CASES = Number(process.env.VERIFY_CASES ?? 300)
const SEED = Number(process.env.VERIFY_SEED ?? 1)

const FUNDS = 1_000_000n
const NOW = BigInt(Math.floor(Date.now() / 1000))
const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

const chain = await testChain()
const { client } = chain
const key = privateKeyToAccount(generatePrivateKey())
const stranger = privateKeyToAccount(generatePrivateKey())
const keyWallet = await deployKeyWallet(chain)
const factory = await deployFactory(chain)
const unlistedFactory = await deployFactory(chain)
const legacyToken = await deployContract(chain, hex(legacyUsdc.bytecode))
const tokens = [chain.token, chain.token, chain.token, legacyToken]

/** The payers that exist. `account` signs for the payer. */
const payers = {
  key: { account: key, address: key.address },
  contract: { account: key, address: await deployWallet(chain, key.address) },
  verifyingDelegate: await delegated(keyWallet),
  otherDelegate: await delegated(chain.multicall),
}
type Kind = keyof typeof payers | 'undeployed'
const kinds: readonly Kind[] = ['key', 'contract', 'verifyingDelegate', 'otherDelegate', 'undeployed']

async function delegated(delegate: Address): Promise<{ account: LocalAccount; address: Address }> {
  const account = await createDelegatedAccount(chain, delegate)
  return { account, address: account.address }
}

const sender: SimulationSender = {
  address: stranger.address,
  maxFeePerGas: 10n ** 11n,
  maxPriorityFeePerGas: 1n,
  affordableGas: 10n ** 9n,
}
await client.setBalance({ address: stranger.address, value: parseEther('1000000') })
await client.impersonateAccount({ address: stranger.address })
const recovery = createRecovery()
const walletFactories = allowFactories(`84532=${factory}`)
const reader = createPublicClient({ transport: http(chain.rpcUrl) })
const verifier = createVerifier({
  chains: openChains([{ id: 84532, rpcUrls: [chain.rpcUrl], finality: { depth: 2 } }]),
  allowedAssets: allowAssets(`84532=${legacyToken}`),
  walletFactories,
  findSender: async () => sender,
  recovery,
  report: (error) => {
    throw error
  },
})

/** The token's storage slots of mappings by their place in the contract. */
const SLOTS = { balances: 1, authorizations: 3, paused: 4, blacklisted: 5 }
const slotOf = (account: Address, place: number): Hex =>
  keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [account, BigInt(place)]))
const setSlot = (address: Address, index: Hex | number, value: bigint) =>
  client.setStorageAt({ address, index, value: numberToHex(value, { size: 32 }) })

const faults = [
  'stranger',
  'highS',
  'lowV',
  'truncated',
  'expired',
  'notYetValid',
  'usedNonce',
  'tooLittle',
  'payerBlacklisted',
  'sellerBlacklisted',
  'paused',
  'wrapped',
  'notWrapped',
  'unlistedFactory',
  'revertingFactory',
  'otherWallet',
] as const
type Fault = (typeof faults)[number]

interface Case {
  kind: Kind
  token: Address
  faults: ReadonlySet<Fault>
  salt: Hex
  nonce: Hex
}

function pickCase(random: Random): Case {
  const count = random.pick([0, 0, 0, 1, 1, 1, 2])
  return {
    kind: random.pick(kinds),
    token: random.pick(tokens),
    faults: new Set(Array.from({ length: count }, () => random.pick(faults))),
    salt: hex(random.hex(32)),
    nonce: hex(random.hex(32)),
  }
}

async function signCase({ kind, token, faults: has, salt, nonce }: Case): Promise<Payment> {
  const wallet = planWallet(
    has.has('unlistedFactory') ? unlistedFactory : factory,
    walletCode(key.address),
    salt,
  )
  const payer = kind === 'undeployed' ? { account: key, address: wallet.address } : payers[kind]
  const payment = await signPayment({
    account: has.has('stranger') ? stranger : payer.account,
    from: payer.address,
    asset: token,
    nonce,
    value: has.has('tooLittle') ? FUNDS + 1n : FUNDS,
    validAfter: has.has('notYetValid') ? NOW + 40_000n : 0n,
    validBefore: has.has('expired') ? NOW - 10n : NOW + 80_000n,
  })
  const changed = { ...payment, signature: changeSignature(payment.signature, has) }
  const isWrapped = kind === 'undeployed' ? !has.has('notWrapped') : has.has('wrapped')
  if (!isWrapped) return changed
  const other = planWallet(factory, walletCode(stranger.address), salt)
  const data = has.has('revertingFactory') ? unknownCall : has.has('otherWallet') ? other.data : wallet.data
  return wrapSignature(changed, { ...wallet, data })
}

function changeSignature(signature: string, has: ReadonlySet<Fault>): string {
  const [r, s, v] = [signature.slice(2, 66), BigInt(`0x${signature.slice(66, 130)}`), signature.slice(130)]
  const highS = (CURVE_ORDER - s).toString(16).padStart(64, '0')
  if (has.has('highS')) return `0x${r}${highS}${v === '1b' ? '1c' : '1b'}`
  if (has.has('lowV')) return `0x${signature.slice(2, 130)}${v === '1b' ? '00' : '01'}`
  return has.has('truncated') ? signature.slice(0, -2) : signature
}

/** Changes the token's state as the case says. */
async function prepareChain({ token, faults: has, nonce }: Case, payer: Address): Promise<void> {
  await setSlot(token, slotOf(payer, SLOTS.balances), FUNDS)
  if (has.has('usedNonce')) {
    const slot = keccak256(concat([nonce, slotOf(payer, SLOTS.authorizations)]))
    await setSlot(token, slot, 1n)
    const args = [payer, nonce] as const
    const call = { address: token, abi: devUsdcAbi, functionName: 'authorizationState', args } as const
    expect(await client.readContract(call)).toBe(true)
  }
  if (has.has('paused')) await setSlot(token, SLOTS.paused, 1n)
  if (has.has('payerBlacklisted')) await setSlot(token, slotOf(payer, SLOTS.blacklisted), 1n)
  if (has.has('sellerBlacklisted')) await setSlot(token, slotOf(hex(seller), SLOTS.blacklisted), 1n)
}

/** Sends the settlement's transaction. Returns whether it paid. */
async function execute(payment: Payment): Promise<boolean> {
  const code = await client.getCode({ address: hex(payment.payer) })
  const parts = {
    recovery,
    walletFactories,
    gasCaps: DEFAULT_GAS_CAPS,
    hasCode: async () => code !== undefined,
  }
  const call = await createSettlementCall(payment, parts)
  if ('kind' in call) return false
  const cap = code !== undefined || call.deploys ? call.contractGasCap : call.gasCap
  const hash = await client.sendTransaction({
    account: stranger.address,
    // The chain id is known, so that the client does not request it.
    chain: null,
    to: hex(call.transfer.recipient),
    data: call.transfer.data,
    gas: withoutGasReserve(cap),
    maxFeePerGas: sender.maxFeePerGas,
    maxPriorityFeePerGas: sender.maxPriorityFeePerGas,
  })
  for (;;) {
    const receipt = await reader.request({ method: 'eth_getTransactionReceipt', params: [hash] })
    if (receipt !== null) return receipt.status === '0x1'
  }
}

test('verify accepts exactly what the settlement’s transaction executes at the same block', async () => {
  const random = randomFrom(SEED)
  const seen = new Set<string>()
  for (let number = 0; number < CASES; number += 1) {
    const one = pickCase(random)
    const snapshot = await client.snapshot()
    const payment = await signCase(one)
    await prepareChain(one, hex(payment.payer))
    const verified = await verifier.verify(payment, { simulate: true })
    const beforeSettle = await verifier.verify(payment)
    const paid = await execute(payment)
    await client.revert({ id: snapshot })

    const context = `seed ${SEED}, case ${number}: ${one.kind}, ${one.token}, ${[...one.faults].join(' and ')}`
    const outcome = verified.isValid ? 'valid' : verified.invalidReason
    expect({ context, accepted: verified.isValid }, outcome).toEqual({
      context,
      accepted: paid,
    })
    // The settle's own verification refuses nothing that would be executed.
    if (paid) expect({ context, ...beforeSettle }).toMatchObject({ context, isValid: true })
    seen.add(`${one.kind}: ${paid}`)
  }
  expect([...seen].toSorted()).toEqual(
    kinds.flatMap((kind) => [`${kind}: false`, `${kind}: true`]).toSorted(),
  )
})
