// Compares verify with the chain: whether a payment is accepted, and whether the settlement's transaction
// pays at the same block.

import legacyUsdc from '@mintmark/devkit/chain/artifacts/LegacyUsdc.json' with { type: 'json' }
import plainToken from '@mintmark/devkit/chain/artifacts/PlainToken.json' with { type: 'json' }
import { type TestChain, testChain } from '@mintmark/devkit/chain/testing'
import { type Random, randomFrom } from '@mintmark/devkit/random'
import { openChains } from '@mintmark/evm-reader'
import {
  type Address,
  createPublicClient,
  encodeAbiParameters,
  type Hex,
  http,
  keccak256,
  type LocalAccount,
  numberToHex,
  parseEther,
  type RpcTransactionReceipt,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect } from 'vitest'
import type { SimulationSender } from '../../chains/evm/reads/simulated-calls.ts'
import {
  type AllowedFactories,
  allowAssets,
  allowFactories,
} from '../../chains/evm/settings/allowed-assets.ts'
import { DEFAULT_GAS_CAPS, withoutGasReserve } from '../../chains/evm/settings/gas-caps.ts'
import type { EvmPayment } from '../../chains/evm/transactions/execution.ts'
import { createSettlementCall } from '../../chains/evm/transactions/settlement-call.ts'
import { hex, seller } from '../../engine/testing.ts'
import type { Payment, PaymentVerifier } from '../../payment/payment.ts'
import { createVerifier } from '../evm/verify/verify.ts'
import {
  createDelegatedAccount,
  deployContract,
  deployFactory,
  deployKeyWallet,
  deployWallet,
  planWallet,
  unknownCall,
  walletCode,
  wrapSignature,
} from './testing-payers.ts'

/** How many random payments are compared, and the seed that chooses them. */
export const CASES = Number(process.env.VERIFY_CASES ?? 300)
export const SEED = Number(process.env.VERIFY_SEED ?? 1)

/** What each payer holds, in base units. */
export const FUNDS = 1_000_000n
export const NOW = BigInt(Math.floor(Date.now() / 1000))
const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

export type PayerKind = 'key' | 'contract' | 'verifyingDelegate' | 'otherDelegate' | 'undeployed'
export const payerKinds: readonly PayerKind[] = [
  'key',
  'contract',
  'verifyingDelegate',
  'otherDelegate',
  'undeployed',
]

/** What can be wrong with a payment in every method of transfer. */
export const sharedFaults = [
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
export type SharedFault = (typeof sharedFaults)[number]

/** One random payment. */
export interface AgreementCase<Fault extends string> {
  readonly kind: PayerKind
  readonly token: Address
  readonly faults: ReadonlySet<Fault | SharedFault>
  readonly salt: Hex
  readonly nonce: Hex
}

interface Payer {
  /** Who signs for the payer. */
  readonly account: LocalAccount
  readonly address: Address
}

/** The places of mappings in a token's storage. */
export interface TokenPlaces {
  readonly balances: number
  readonly allowances: number
  readonly authorizations?: number
  readonly paused?: number
  readonly blacklisted?: number
}
const USDC_PLACES: TokenPlaces = { balances: 1, allowances: 2, authorizations: 3, paused: 4, blacklisted: 5 }
const PLAIN_PLACES: TokenPlaces = { balances: 0, allowances: 1 }

/** The storage slot of an account's value in the mapping at a place. */
export const slotOf = (account: Address, place: number): Hex =>
  keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [account, BigInt(place)]))

/** A chain with payers of every kind, and the verifier that is compared with it. */
export interface Agreement {
  readonly chain: TestChain
  readonly tokens: { readonly usdc: Address; readonly legacy: Address; readonly plain: Address }
  /** The sender of settlements, as well as the key of what nobody should accept. */
  readonly stranger: LocalAccount
  readonly verifier: PaymentVerifier
  payerOf(one: AgreementCase<string>): Payer
  /** The account that signs in a case. */
  signerOf(one: AgreementCase<string>): LocalAccount
  /** Changes the signature as the faults of a case say. */
  disturb(payment: Payment, one: AgreementCase<string>): Payment
  placesOf(token: Address): TokenPlaces
  setSlot(contract: Address, slot: Hex | number, value: bigint): Promise<void>
  /** Gives the payer its funds, and changes the token as the faults of a case say. */
  prepareToken(one: AgreementCase<string>, payer: Address): Promise<void>
  /** Sends the settlement's transaction. Returns whether it paid. */
  execute(payment: Payment): Promise<boolean>
}

/** Starts a chain with payers of every kind, tokens and factories. */
export async function openAgreement(): Promise<Agreement> {
  const chain = await testChain()
  const { client } = chain
  const key = privateKeyToAccount(generatePrivateKey())
  const stranger = privateKeyToAccount(generatePrivateKey())
  const keyWallet = await deployKeyWallet(chain)
  const factory = await deployFactory(chain)
  const unlistedFactory = await deployFactory(chain)
  const tokens = {
    usdc: chain.token,
    legacy: await deployContract(chain, hex(legacyUsdc.bytecode)),
    plain: await deployContract(chain, hex(plainToken.bytecode)),
  }
  const delegated = async (delegate: Address): Promise<Payer> => {
    const account = await createDelegatedAccount(chain, delegate)
    return { account, address: account.address }
  }
  const payers: Record<Exclude<PayerKind, 'undeployed'>, Payer> = {
    key: { account: key, address: key.address },
    contract: { account: key, address: await deployWallet(chain, key.address) },
    verifyingDelegate: await delegated(keyWallet),
    otherDelegate: await delegated(chain.multicall),
  }
  await client.setBalance({ address: stranger.address, value: parseEther('1000000') })
  await client.impersonateAccount({ address: stranger.address })
  const sender: SimulationSender = {
    address: stranger.address,
    maxFeePerGas: 10n ** 11n,
    maxPriorityFeePerGas: 1n,
    affordableGas: 10n ** 9n,
  }
  const walletFactories = allowFactories(`84532=${factory}`)
  const verifier = createVerifier({
    chains: openChains([{ id: 84532, rpcUrls: [chain.rpcUrl], finality: { depth: 2 } }]),
    allowedAssets: allowAssets(`84532=${tokens.legacy},84532=${tokens.plain}`),
    walletFactories,
    findSender: async () => sender,
    report: (error) => {
      throw error
    },
  })

  const planned = ({ faults, salt }: AgreementCase<string>) =>
    planWallet(faults.has('unlistedFactory') ? unlistedFactory : factory, walletCode(key.address), salt)
  const payerOf = (one: AgreementCase<string>): Payer =>
    one.kind === 'undeployed' ? { account: key, address: planned(one).address } : payers[one.kind]
  const placesOf = (token: Address) => (token === tokens.plain ? PLAIN_PLACES : USDC_PLACES)
  const setSlot = (address: Address, index: Hex | number, value: bigint) =>
    client.setStorageAt({ address, index, value: numberToHex(value, { size: 32 }) })

  return {
    chain,
    tokens,
    stranger,
    verifier,
    payerOf,
    signerOf: (one) => (one.faults.has('stranger') ? stranger : payerOf(one).account),
    placesOf,
    setSlot,
    disturb(payment, one) {
      const { kind, faults, salt } = one
      const changed = { ...payment, signature: changeSignature(payment.signature, faults) }
      const isWrapped = kind === 'undeployed' ? !faults.has('notWrapped') : faults.has('wrapped')
      if (!isWrapped) return changed
      const other = planWallet(factory, walletCode(stranger.address), salt)
      const wallet = planned(one)
      const data = faults.has('revertingFactory')
        ? unknownCall
        : faults.has('otherWallet')
          ? other.data
          : wallet.data
      return wrapSignature(changed, { ...wallet, data })
    },
    async prepareToken({ token, faults }, payer) {
      const { balances, paused, blacklisted } = placesOf(token)
      await setSlot(token, slotOf(payer, balances), FUNDS)
      if (paused === undefined || blacklisted === undefined) return
      if (faults.has('paused')) await setSlot(token, paused, 1n)
      if (faults.has('payerBlacklisted')) await setSlot(token, slotOf(payer, blacklisted), 1n)
      if (faults.has('sellerBlacklisted')) await setSlot(token, slotOf(hex(seller), blacklisted), 1n)
    },
    execute: (payment) => execute({ chain, sender, walletFactories }, payment),
  }
}

function changeSignature(signature: string, has: ReadonlySet<string>): string {
  const [r, s, v] = [signature.slice(2, 66), BigInt(`0x${signature.slice(66, 130)}`), signature.slice(130)]
  const highS = (CURVE_ORDER - s).toString(16).padStart(64, '0')
  if (has.has('highS')) return `0x${r}${highS}${v === '1b' ? '1c' : '1b'}`
  if (has.has('lowV')) return `0x${signature.slice(2, 130)}${v === '1b' ? '00' : '01'}`
  return has.has('truncated') ? signature.slice(0, -2) : signature
}

interface ExecuteParts {
  readonly chain: TestChain
  readonly sender: SimulationSender
  readonly walletFactories: AllowedFactories
}

async function execute({ chain, sender, walletFactories }: ExecuteParts, decoded: Payment): Promise<boolean> {
  // Every case is on an EVM chain.
  const payment = decoded as EvmPayment
  const { client } = chain
  const code = await client.getCode({ address: hex(payment.payer) })
  const parts = {
    walletFactories,
    gasCaps: DEFAULT_GAS_CAPS,
    hasCode: async () => code !== undefined,
  }
  const call = await createSettlementCall(payment, parts)
  if ('kind' in call) return false
  const cap = code !== undefined || call.deploys ? call.contractGasCap : call.gasCap
  const hash = await client.sendTransaction({
    account: hex(sender.address),
    // The chain id is known, so that the client does not request it.
    chain: null,
    to: hex(call.transfer.recipient),
    data: call.transfer.data,
    gas: withoutGasReserve(cap),
    maxFeePerGas: sender.maxFeePerGas,
    maxPriorityFeePerGas: sender.maxPriorityFeePerGas,
  })
  const { status, logs } = await readReceipt(chain, hash)
  const ordered = logs.map((log) => ({ ...log, logIndex: Number(log.logIndex) }))
  return status === '0x1' && payment.scheme.evaluateLogs(ordered, payment, true) === 'paid'
}

async function readReceipt(chain: TestChain, hash: Hex): Promise<RpcTransactionReceipt> {
  const reader = createPublicClient({ transport: http(chain.rpcUrl) })
  for (;;) {
    const receipt = await reader.request({ method: 'eth_getTransactionReceipt', params: [hash] })
    if (receipt !== null) return receipt
  }
}

/** What differs between the methods of transfer. */
export interface AgreementMethod<Fault extends string, Case extends AgreementCase<Fault>> {
  pick(random: Random): Case
  sign(one: Case): Promise<Payment>
  /** Changes the chain as the case says. */
  prepare(one: Case, payment: Payment): Promise<void>
  /**
   * The kind of a case. Payments of each kind must be both accepted and refused, but for those that
   * `neverPays`.
   */
  kindOf(one: Case): string
  readonly kinds: readonly string[]
  readonly neverPays?: readonly string[]
}

/** Compares verify with the chain for random payments. */
export async function expectAgreement<Fault extends string, Case extends AgreementCase<Fault>>(
  { chain, verifier, execute: pays }: Agreement,
  method: AgreementMethod<Fault, Case>,
): Promise<void> {
  const random = randomFrom(SEED)
  const seen = new Set<string>()
  for (let number = 0; number < CASES; number += 1) {
    const one = method.pick(random)
    const snapshot = await chain.client.snapshot()
    const payment = await method.sign(one)
    await method.prepare(one, payment)
    const verified = await verifier.verify(payment, { simulate: true })
    const beforeSettle = await verifier.verify(payment)
    const paid = await pays(payment)
    await chain.client.revert({ id: snapshot })

    const context = `seed ${SEED}, case ${number}: ${method.kindOf(one)}, ${one.token}, ${[...one.faults].join(' and ')}`
    const outcome = verified.isValid ? 'valid' : verified.invalidReason
    expect({ context, accepted: verified.isValid }, outcome).toEqual({ context, accepted: paid })
    // The settle's own verification refuses nothing that would be executed.
    if (paid) expect({ context, ...beforeSettle }).toMatchObject({ context, isValid: true })
    seen.add(`${method.kindOf(one)}: ${paid}`)
  }
  const expected = method.kinds.flatMap((kind) =>
    method.neverPays?.includes(kind) ? [`${kind}: false`] : [`${kind}: false`, `${kind}: true`],
  )
  expect([...seen].toSorted()).toEqual(expected.toSorted())
}
