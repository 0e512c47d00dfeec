import { encodeAbiParameters, type Hex, parseAbiParameters, toEventSelector, toFunctionSelector } from 'viem'
import {
  decodeInvalidation,
  decodeProxyCall,
  PERMIT2,
  type PermittedTransfer,
  SETTLED_TOPIC,
  toNonceWord,
} from './simulated-permit2.ts'

/** The contracts of the simulated chain, lower-case. */
export interface SimulatedContracts {
  /** A token with EIP-3009. */
  readonly token: string
  /** Receives deposits. */
  readonly treasury: string
}

/** A transaction, as a node receives it. Addresses are lower-case. */
export interface SimulatedTransaction {
  readonly hash: Hex
  readonly from: string
  readonly nonce: number
  readonly to: string
  readonly data: string
  readonly value: bigint
  readonly maxFeePerGas: bigint
}

export interface SimulatedLog {
  readonly address: string
  readonly topics: readonly Hex[]
  readonly data: Hex
}

/** What a call did: its logs, or why it reverted. */
export type Execution =
  | { readonly succeeded: true; readonly logs: readonly SimulatedLog[] }
  | { readonly succeeded: false; readonly reason: string; readonly customError?: Hex }

const toSelector = (signature: string): string => toFunctionSelector(signature).slice(2)
const TERMS = 'address,address,uint256,uint256,uint256,bytes32'
const selectors = {
  transferByKey: toSelector(`transferWithAuthorization(${TERMS},uint8,bytes32,bytes32)`),
  transferByContract: toSelector(`transferWithAuthorization(${TERMS},bytes)`),
  cancel: toSelector('cancelAuthorization(address,bytes32)'),
  move: toSelector('transfer(address,uint256)'),
}
const events = {
  used: toEventSelector('AuthorizationUsed(address,bytes32)'),
  cancelled: toEventSelector('AuthorizationCanceled(address,bytes32)'),
  transfer: toEventSelector('Transfer(address,address,uint256)'),
  deposited: toEventSelector('Deposited(address,uint256)'),
}

const toWord = (digits: string): Hex => `0x${digits.padStart(64, '0')}`
const toAddressWord = (address: string): Hex => toWord(address.slice(2))
const toNumberWord = (value: bigint): Hex => toWord(value.toString(16))

/** Encodes the call data of a token transfer that its holder sends. */
export const encodeMove = (to: string, amount: bigint): string =>
  `0x${selectors.move}${toAddressWord(to).slice(2)}${toNumberWord(amount).slice(2)}`

/** Encodes the cancellation of an authorization. The simulated token requires no signature for it. */
export const encodeCancellation = (payer: string, nonce: string): string =>
  `0x${selectors.cancel}${toAddressWord(payer).slice(2)}${nonce.slice(2)}`

/** The key of an authorization of the token. */
export const toAuthorizationKey = (payer: string, nonce: string): string => `${payer} ${nonce}`

/** The state after a block. */
export class ChainState {
  readonly contracts: SimulatedContracts
  readonly nonces: Map<string, number>
  readonly balances: Map<string, bigint>
  readonly tokens: Map<string, bigint>
  /** Authorizations that were used or cancelled. */
  readonly used: Set<string>
  /** The used and cancelled nonces of Permit2: words of 256 bits. */
  readonly nonceWords: Map<string, bigint>

  constructor(contracts: SimulatedContracts, from?: ChainState) {
    this.contracts = contracts
    this.nonces = new Map(from?.nonces)
    this.balances = new Map(from?.balances)
    this.tokens = new Map(from?.tokens)
    this.used = new Set(from?.used)
    this.nonceWords = new Map(from?.nonceWords)
  }

  copy(): ChainState {
    return new ChainState(this.contracts, this)
  }

  /** Executes a transaction. A reverted one uses its nonce. */
  execute(transaction: SimulatedTransaction, time: bigint): Execution {
    this.nonces.set(transaction.from, transaction.nonce + 1)
    return this.call(transaction, time)
  }

  /** Executes a call. A reverted one changes nothing. */
  call(
    { from, to, data, value }: Pick<SimulatedTransaction, 'from' | 'to' | 'data' | 'value'>,
    time: bigint,
  ): Execution {
    const { token, treasury } = this.contracts
    if (to === token) return this.#callToken(from, data, time)
    if (to === PERMIT2) return this.#invalidate(from, asHex(data))
    const permitted = decodeProxyCall(to, asHex(data))
    if (permitted !== undefined) return this.#executePermitted(from, permitted, time)
    add(this.balances, from, -value)
    add(this.balances, to, value)
    if (to !== treasury) return { succeeded: true, logs: [] }
    const topics = [events.deposited, toAddressWord(from)]
    return { succeeded: true, logs: [{ address: treasury, topics, data: toNumberWord(value) }] }
  }

  #callToken(from: string, data: string, time: bigint): Execution {
    const selector = data.slice(2, 10)
    const word = (index: number) => data.slice(10 + index * 64, 74 + index * 64)
    const address = (index: number) => `0x${word(index).slice(24)}`
    if (selector === selectors.move) return this.#transfer(from, address(0), BigInt(`0x${word(1)}`), [])
    if (selector === selectors.cancel) return this.#useNonce(address(0), `0x${word(1)}`, events.cancelled)
    if (selector !== selectors.transferByKey && selector !== selectors.transferByContract)
      return { succeeded: false, reason: 'unknown function' }
    const [validAfter, validBefore] = [BigInt(`0x${word(3)}`), BigInt(`0x${word(4)}`)]
    if (time <= validAfter) return { succeeded: false, reason: 'FiatTokenV2: authorization is not yet valid' }
    if (time >= validBefore) return { succeeded: false, reason: 'FiatTokenV2: authorization is expired' }
    const amount = BigInt(`0x${word(2)}`)
    if (
      !this.used.has(toAuthorizationKey(address(0), `0x${word(5)}`)) &&
      (this.tokens.get(address(0)) ?? 0n) < amount
    )
      return { succeeded: false, reason: 'ERC20: transfer amount exceeds balance' }
    const use = this.#useNonce(address(0), `0x${word(5)}`, events.used)
    return use.succeeded ? this.#transfer(address(0), address(1), amount, use.logs) : use
  }

  #invalidate(from: string, data: Hex): Execution {
    const invalidation = decodeInvalidation(data)
    if (invalidation === undefined) return { succeeded: false, reason: 'unknown function' }
    const { word, mask } = invalidation
    const key = toNonceWord(from, word)
    this.nonceWords.set(key, (this.nonceWords.get(key) ?? 0n) | mask)
    return { succeeded: true, logs: [] }
  }

  /** Executes a transfer by a proxy. Every owner has approved Permit2. Signatures are not verified. */
  #executePermitted(from: string, permitted: PermittedTransfer, time: bigint): Execution {
    const { owner, to, amount, maximum, nonce, deadline, validAfter, facilitator, proxy } = permitted
    if (facilitator !== undefined && from !== facilitator) return revert('UnauthorizedFacilitator()')
    if (time < validAfter) return revert('PaymentTooEarly()')
    if (time > deadline) return revert('SignatureExpired(uint256)', deadline)
    if (amount > maximum) return revert('InvalidAmount(uint256)', maximum)
    const key = toNonceWord(owner, nonce >> 8n)
    const word = this.nonceWords.get(key) ?? 0n
    const bit = 1n << (nonce & 0xffn)
    if ((word & bit) !== 0n) return revert('InvalidNonce()')
    const transfer = this.#transfer(owner, to, amount, [])
    // As Permit2 reports the refusal of a token.
    if (!transfer.succeeded) return { succeeded: false, reason: 'TRANSFER_FROM_FAILED' }
    this.nonceWords.set(key, word | bit)
    const settled = { address: proxy, topics: [SETTLED_TOPIC], data: '0x' } as const
    return { succeeded: true, logs: [...transfer.logs, settled] }
  }

  #useNonce(payer: string, nonce: string, event: Hex): Execution {
    const key = toAuthorizationKey(payer, nonce)
    if (this.used.has(key))
      return { succeeded: false, reason: 'FiatTokenV2: authorization is used or canceled' }
    this.used.add(key)
    const topics = [event, toAddressWord(payer), toWord(nonce.slice(2))]
    return { succeeded: true, logs: [{ address: this.contracts.token, topics, data: '0x' }] }
  }

  #transfer(from: string, to: string, amount: bigint, logs: readonly SimulatedLog[]): Execution {
    if ((this.tokens.get(from) ?? 0n) < amount)
      return { succeeded: false, reason: 'ERC20: transfer amount exceeds balance' }
    add(this.tokens, from, -amount)
    add(this.tokens, to, amount)
    const topics = [events.transfer, toAddressWord(from), toAddressWord(to)]
    return {
      succeeded: true,
      logs: [...logs, { address: this.contracts.token, topics, data: toNumberWord(amount) }],
    }
  }
}

const asHex = (data: string): Hex => `0x${data.slice(2)}`

function revert(error: string, value?: bigint): Execution {
  const customError: Hex = `${toFunctionSelector(error)}${value === undefined ? '' : toNumberWord(value).slice(2)}`
  return { succeeded: false, reason: error.replace(/\(.*/, ''), customError }
}

function add(amounts: Map<string, bigint>, key: string, amount: bigint): void {
  amounts.set(key, (amounts.get(key) ?? 0n) + amount)
}

/** Encodes the data of a revert with a reason, as Solidity does. */
export const encodeRevert = (reason: string): Hex =>
  `0x08c379a0${encodeAbiParameters(parseAbiParameters('string'), [reason]).slice(2)}`
