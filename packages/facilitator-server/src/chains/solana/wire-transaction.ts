import { hash } from 'node:crypto'
import { encodeBase58 } from './base58.ts'

/** One instruction of a transaction. */
export interface Instruction {
  /** Base58. */
  readonly program: string
  /** Positions in the transaction's accounts. */
  readonly accounts: readonly number[]
  readonly data: Buffer
}

/** A transaction as it is sent, decoded. */
export interface WireTransaction {
  /** One of 64 bytes for each signer. Zeros if it is missing. */
  readonly signatures: readonly Buffer[]
  /** What is signed. */
  readonly message: Buffer
  /** Base58. The first one pays the fee, and the first `signatures.length` ones sign. */
  readonly accounts: readonly string[]
  /** Base58. */
  readonly blockhash: string
  readonly instructions: readonly Instruction[]
}

/** The most bytes of a transaction that the network forwards. */
const MAX_BYTES = 1232

/** Thrown inside this file only. */
class MalformedError extends Error {}

/** Reads bytes in order. */
class ByteReader {
  readonly bytes: Buffer
  offset = 0
  constructor(bytes: Buffer) {
    this.bytes = bytes
  }

  take(count: number): Buffer {
    const end = this.offset + count
    if (end > this.bytes.length) throw new MalformedError()
    const taken = this.bytes.subarray(this.offset, end)
    this.offset = end
    return taken
  }

  byte(): number {
    return this.take(1).readUInt8()
  }

  /** Reads a number in one or two bytes of seven bits each. More are never needed in a transaction. */
  length(): number {
    const first = this.byte()
    if (first < 0x80) return first
    const second = this.byte()
    // The shortest encoding is the only valid one.
    if (second === 0 || second >= 0x80) throw new MalformedError()
    return (first & 0x7f) | (second << 7)
  }

  get isAtEnd(): boolean {
    return this.offset === this.bytes.length
  }
}

/**
 * Decodes a transaction of version 0 or without a version. Undefined if it is malformed, has another version,
 * or uses address lookup tables, whose content may change before it is executed.
 */
export function decodeTransaction(bytes: Buffer): WireTransaction | undefined {
  if (bytes.length > MAX_BYTES) return undefined
  try {
    return readTransaction(new ByteReader(bytes))
  } catch (error) {
    if (error instanceof MalformedError) return undefined
    throw error
  }
}

function readTransaction(reader: ByteReader): WireTransaction | undefined {
  const signatures = Array.from({ length: reader.length() }, () => reader.take(64))
  const message = reader.bytes.subarray(reader.offset)
  let requiredSignatures = reader.byte()
  const isVersioned = requiredSignatures >= 0x80
  if (isVersioned) {
    if (requiredSignatures !== 0x80) return undefined
    requiredSignatures = reader.byte()
  }
  // The numbers of signers and others that are only read.
  reader.take(2)
  const accounts = Array.from({ length: reader.length() }, () => encodeBase58(reader.take(32)))
  const blockhash = encodeBase58(reader.take(32))
  const compiled = Array.from({ length: reader.length() }, () => ({
    program: reader.byte(),
    accounts: [...reader.take(reader.length())],
    data: reader.take(reader.length()),
  }))
  if (isVersioned && reader.length() !== 0) return undefined
  const isConsistent =
    reader.isAtEnd &&
    requiredSignatures > 0 &&
    requiredSignatures === signatures.length &&
    requiredSignatures <= accounts.length &&
    new Set(accounts).size === accounts.length
  if (!isConsistent) return undefined
  const instructions = compiled.map(({ program, ...instruction }) => {
    const address = accounts[program]
    if (address === undefined || instruction.accounts.some((index) => index >= accounts.length))
      throw new MalformedError()
    return { program: address, ...instruction }
  })
  return { signatures, message, accounts, blockhash, instructions }
}

/** Encodes a transaction with another first signature, which is that of the fee payer. */
export function encodeSigned({ signatures, message }: WireTransaction, first: Buffer): Buffer {
  return Buffer.concat([Buffer.of(signatures.length), first, ...signatures.slice(1), message])
}

/**
 * Computes the identity of a payment: what the payer signed, without the signatures. `0x` and 64 hex digits.
 */
export const computeMessageHash = ({ message }: Pick<WireTransaction, 'message'>): string =>
  `0x${hash('sha256', message)}`
