import { createHash } from 'node:crypto'
import {
  type Address,
  address,
  getAddressEncoder,
  getBase58Decoder,
  getCompiledTransactionMessageDecoder,
  getProgramDerivedAddress,
  getSignatureFromTransaction,
  getTransactionDecoder,
  lamports,
  type Signature,
  type Transaction,
} from '@solana/kit'
import { FailedTransactionMetadata, LiteSVM, type TransactionMetadata } from 'litesvm'
import {
  decodeTokenAmount,
  encodeMint,
  encodeTokenAccount,
  type MintExtension,
  type TokenAccountOptions,
  type TokenProgram,
} from './token-accounts.ts'
import { formatError, isExecuted, type TransactionError } from './transaction-error.ts'

/** A transaction that was executed in a block. */
export interface LandedTransaction {
  readonly signature: Signature
  readonly slot: number
  /** Undefined if it succeeded. Also a failed transaction pays its fee. */
  readonly error: TransactionError | undefined
  readonly logs: readonly string[]
  readonly bytes: Uint8Array
}

/** The outcome of a simulation. */
export interface Simulation {
  readonly error: TransactionError | undefined
  readonly logs: readonly string[]
  readonly unitsConsumed: bigint
}

interface Block {
  readonly blockhash: string
  /** The state before the block's first transaction. Undefined if it has none. */
  before: Uint8Array | undefined
}

/** A transaction is valid in this many blocks after the one of its blockhash. */
export const BLOCKHASH_LIFETIME = 150

const SYSTEM_PROGRAM = '11111111111111111111111111111111' as Address
const ASSOCIATED_TOKEN_PROGRAM = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL' as Address
const RENT_EXEMPT_LAMPORTS = 10_000_000n

/**
 * A Solana chain in memory that executes the real token programs. Every slot has a block, except those that a
 * test skips. Nothing happens by itself: tests decide when a slot passes, and whether a transaction that was
 * sent lands, waits or is lost. Transactions land in a slot of their own.
 */
export class SolanaLedger {
  /** Whether transactions land when they are sent, or wait for `land`. */
  landing: 'immediate' | 'held' = 'immediate'
  readonly landed = new Map<Signature, LandedTransaction>()
  /** How often each transaction was sent. */
  readonly sends = new Map<Signature, number>()
  /** The slots without a block, as after a fork that left out their leaders. */
  readonly skippedSlots = new Set<number>()
  readonly #pending = new Map<Signature, Uint8Array>()
  /**
   * The signatures of landed transactions by their messages, because nodes remember messages: also a
   * simulation without signatures is refused.
   */
  readonly #messages = new Map<string, Signature>()
  readonly #blocks: Block[] = []
  #forks = 0
  #svm = createMachine(new LiteSVM())

  constructor() {
    this.#addBlock()
  }

  /** The newest slot, which is also the height of its block. */
  get slot(): number {
    return this.#blocks.length - 1
  }

  /** The signatures of the transactions that were sent and have not landed. */
  get pending(): Signature[] {
    return [...this.#pending.keys()]
  }

  /** Adds empty blocks. */
  advance(slots = 1): void {
    for (let added = 0; added < slots; added += 1) this.#addBlock()
  }

  /** Returns the blockhash of a slot. @throws RangeError if the chain has no such slot. */
  getBlockhash(slot: number): string {
    const block = this.#blocks[slot]
    if (block === undefined) throw new RangeError(`The chain has no slot ${slot}`)
    return block.blockhash
  }

  /** Whether a transaction with the blockhash can land in the block after `slot`. */
  isBlockhashValid(blockhash: string, slot: number): boolean {
    const known = this.#blocks.findIndex((block) => block.blockhash === blockhash)
    return known !== -1 && known <= slot && slot + 1 <= known + BLOCKHASH_LIFETIME
  }

  /**
   * Receives a transaction without checking it, as a node with `skipPreflight` does. Sending it again has no
   * effect.
   */
  send(bytes: Uint8Array): Signature {
    const transaction = getTransactionDecoder().decode(bytes)
    const signature = getSignatureFromTransaction(transaction)
    this.sends.set(signature, (this.sends.get(signature) ?? 0) + 1)
    if (this.landed.has(signature)) return signature
    this.#pending.set(signature, bytes)
    if (this.landing === 'immediate') this.land(signature)
    return signature
  }

  /**
   * Executes a pending transaction in a new block. Returns undefined if no leader would include it: its
   * blockhash has expired, a signature is invalid or its fee cannot be paid.
   */
  land(signature: Signature): LandedTransaction | undefined {
    const bytes = this.#pending.get(signature)
    if (bytes === undefined) throw new Error(`No transaction ${signature} is pending`)
    this.#pending.delete(signature)
    const transaction = getTransactionDecoder().decode(bytes)
    if (!this.isBlockhashValid(readBlockhash(transaction), this.slot)) return undefined
    if (Object.values(transaction.signatures).includes(null)) return undefined
    const before = this.#svm.toBytes()
    const result = this.#svm.sendTransaction(transaction)
    const error = result instanceof FailedTransactionMetadata ? formatError(result) : undefined
    if (error !== undefined && !isExecuted(error)) return undefined
    this.#addBlock(before)
    const { logs } = readMetadata(result)
    const landed = { signature, slot: this.slot, error, logs, bytes }
    this.landed.set(signature, landed)
    this.#messages.set(encodeMessage(transaction), signature)
    return landed
  }

  /** Forgets a pending transaction, as if no leader had received it. */
  drop(signature: Signature): void {
    this.#pending.delete(signature)
  }

  /**
   * Removes the newest blocks with their transactions, as a fork does. The same number of other blocks
   * replaces them.
   */
  fork(blocks: number): void {
    const removed = this.#blocks.splice(this.#blocks.length - blocks, blocks)
    const before = removed.find((block) => block.before !== undefined)?.before
    if (before !== undefined) this.#svm = createMachine(LiteSVM.fromBytes(before))
    for (const { signature, slot } of [...this.landed.values()]) {
      if (slot > this.slot) this.landed.delete(signature)
    }
    this.#forks += 1
    this.advance(blocks)
  }

  /** Executes a transaction on the newest state, without changing it. */
  simulate(
    bytes: Uint8Array,
    options: { readonly verifySignatures: boolean; readonly checkBlockhash: boolean; readonly slot: number },
  ): Simulation {
    const transaction = getTransactionDecoder().decode(bytes)
    const failed = (error: string) => ({ error, logs: [], unitsConsumed: 0n })
    if (options.checkBlockhash) {
      if (!this.isBlockhashValid(readBlockhash(transaction), options.slot)) return failed('BlockhashNotFound')
      const processed = this.#messages.get(encodeMessage(transaction))
      if (processed !== undefined && this.landed.has(processed)) return failed('AlreadyProcessed')
    }
    const isSigned = Object.values(transaction.signatures).every((signature) => signature !== null)
    if (options.verifySignatures && !isSigned) return failed('SignatureFailure')
    // Missing signatures are encoded as zeros, which the machine accepts only if it does not verify them.
    this.#svm.withSigverify(options.verifySignatures)
    const result = this.#svm.simulateTransaction(transaction)
    this.#svm.withSigverify(true)
    if (result instanceof FailedTransactionMetadata)
      return { error: formatError(result), ...readMetadata(result) }
    return { error: undefined, ...readMetadata(result.meta()) }
  }

  /** Returns an account, or undefined if it does not exist. */
  findAccount(
    owner: Address,
  ): { lamports: bigint; data: Uint8Array; owner: Address; executable: boolean } | undefined {
    const account = this.#svm.getAccount(owner)
    if (!account.exists) return undefined
    const { data, executable, programAddress } = account
    return { lamports: account.lamports, data: Uint8Array.from(data), executable, owner: programAddress }
  }

  /** Gives an account its lamports. */
  setLamports(owner: Address, amount: bigint): void {
    this.#setAccount(owner, { amount, program: SYSTEM_PROGRAM, data: new Uint8Array() })
  }

  /** Creates a mint at an address, or replaces it. */
  setMint(
    mint: Address,
    options: { program: TokenProgram; decimals: number; extensions?: readonly MintExtension[] },
  ): void {
    const { program, decimals, extensions = [] } = options
    this.#setAccount(mint, { amount: RENT_EXEMPT_LAMPORTS, program, data: encodeMint(decimals, extensions) })
  }

  /** Gives a wallet its tokens, in its associated token account. */
  async setTokens(
    mint: Address,
    owner: Address,
    amount: bigint,
    options: TokenAccountOptions = {},
  ): Promise<void> {
    const program = this.#requireMint(mint)
    const account = await this.findTokenAccount(mint, owner)
    const data = encodeTokenAccount(mint, owner, amount, options)
    this.#setAccount(account, { amount: RENT_EXEMPT_LAMPORTS, program, data })
  }

  /** Returns how many tokens a wallet has, in base units. 0 without a token account. */
  async getTokens(mint: Address, owner: Address): Promise<bigint> {
    const account = this.findAccount(await this.findTokenAccount(mint, owner))
    return account === undefined ? 0n : decodeTokenAmount(account.data)
  }

  /** Computes the address of a wallet's associated token account. */
  async findTokenAccount(mint: Address, owner: Address): Promise<Address> {
    const { encode } = getAddressEncoder()
    const seeds = [encode(owner), encode(this.#requireMint(mint)), encode(mint)]
    const [account] = await getProgramDerivedAddress({ programAddress: ASSOCIATED_TOKEN_PROGRAM, seeds })
    return account
  }

  #requireMint(mint: Address): Address {
    const account = this.findAccount(mint)
    if (account === undefined) throw new Error(`The chain has no mint ${mint}`)
    return account.owner
  }

  #setAccount(owner: Address, content: { amount: bigint; program: Address; data: Uint8Array }): void {
    const { amount, program, data } = content
    this.#svm.setAccount({
      address: owner,
      lamports: lamports(amount),
      programAddress: program,
      data,
      executable: false,
      space: BigInt(data.length),
    })
  }

  #addBlock(before?: Uint8Array): void {
    const seed = `block ${this.#blocks.length} of fork ${this.#forks}`
    const hash = createHash('sha256').update(seed).digest()
    this.#blocks.push({ blockhash: getBase58Decoder().decode(hash), before })
  }
}

/** The ledger has its own blockhashes and signatures, which it can make expire and forget. */
const createMachine = (machine: LiteSVM): LiteSVM =>
  machine.withBlockhashCheck(false).withTransactionHistory(0n)

function readMetadata(result: TransactionMetadata | FailedTransactionMetadata): {
  logs: string[]
  unitsConsumed: bigint
} {
  const metadata = result instanceof FailedTransactionMetadata ? result.meta() : result
  return { logs: metadata.logs(), unitsConsumed: metadata.computeUnitsConsumed() }
}

const encodeMessage = ({ messageBytes }: Transaction): string => Buffer.from(messageBytes).toString('base64')

function readBlockhash({ messageBytes }: Transaction): string {
  const message = getCompiledTransactionMessageDecoder().decode(messageBytes)
  if (!('lifetimeToken' in message)) throw new Error('The transaction has no blockhash')
  return message.lifetimeToken
}

/** Parses an address of a request. */
export const parseAddress = (text: unknown): Address => address(String(text))
