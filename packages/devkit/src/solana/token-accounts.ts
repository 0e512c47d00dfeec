import { type Address, getAddressEncoder } from '@solana/kit'

/** The programs of fungible tokens. */
export const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA' as Address
export const TOKEN_2022_PROGRAM = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb' as Address
export type TokenProgram = typeof TOKEN_PROGRAM | typeof TOKEN_2022_PROGRAM

/** An extension of a Token-2022 mint, as its program stores it. */
export interface MintExtension {
  /** The number of the extension's type, such as 1 for a transfer fee. */
  readonly type: number
  readonly data: Uint8Array
}

const MINT_BYTES = 82
const TOKEN_ACCOUNT_BYTES = 165
const AMOUNT_OFFSET = 64
/** Stored after the padding of a mint that has extensions. */
const MINT_ACCOUNT_TYPE = 1

const addressEncoder = getAddressEncoder()

/** Encodes an initialized mint without authorities. */
export function encodeMint(decimals: number, extensions: readonly MintExtension[] = []): Uint8Array {
  const base = Buffer.alloc(extensions.length === 0 ? MINT_BYTES : TOKEN_ACCOUNT_BYTES)
  // The supply only has to cover what the accounts hold.
  base.writeBigUInt64LE(2n ** 62n, 36)
  base.writeUInt8(decimals, 44)
  base.writeUInt8(1, 45)
  if (extensions.length === 0) return base
  const entries = extensions.map(({ type, data }) => {
    const header = Buffer.alloc(4)
    header.writeUInt16LE(type, 0)
    header.writeUInt16LE(data.length, 2)
    return Buffer.concat([header, data])
  })
  return Buffer.concat([base, Buffer.of(MINT_ACCOUNT_TYPE), ...entries])
}

/** Encodes the extension of a fee of `basisPoints` on each transfer, at most `maximum`. */
export function transferFee(basisPoints: number, maximum: bigint): MintExtension {
  const data = Buffer.alloc(108)
  // The fee of the older and of the newer epoch.
  for (const offset of [72, 90]) {
    data.writeBigUInt64LE(maximum, offset + 8)
    data.writeUInt16LE(basisPoints, offset + 16)
  }
  return { type: 1, data }
}

/** Encodes the extension of a program that is called at each transfer. */
export function transferHook(program: Address): MintExtension {
  const data = Buffer.alloc(64)
  data.set(addressEncoder.encode(program), 32)
  return { type: 14, data }
}

/** What a token account can have in addition to its amount. */
export interface TokenAccountOptions {
  readonly isFrozen?: boolean
  /** Who may transfer up to this amount instead of the owner. */
  readonly delegate?: { readonly address: Address; readonly amount: bigint }
}

/** Encodes an initialized token account. */
export function encodeTokenAccount(
  mint: Address,
  owner: Address,
  amount: bigint,
  { isFrozen = false, delegate }: TokenAccountOptions = {},
): Uint8Array {
  const data = Buffer.alloc(TOKEN_ACCOUNT_BYTES)
  data.set(addressEncoder.encode(mint), 0)
  data.set(addressEncoder.encode(owner), 32)
  data.writeBigUInt64LE(amount, AMOUNT_OFFSET)
  if (delegate !== undefined) {
    data.writeUInt32LE(1, 72)
    data.set(addressEncoder.encode(delegate.address), 76)
    data.writeBigUInt64LE(delegate.amount, 121)
  }
  data.writeUInt8(isFrozen ? 2 : 1, 108)
  return data
}

/** Decodes the amount of a token account. */
export const decodeTokenAmount = (data: Uint8Array): bigint =>
  Buffer.from(data).readBigUInt64LE(AMOUNT_OFFSET)

/** Decodes the mint of a token account. */
export const decodeTokenMint = (data: Uint8Array): Uint8Array => data.slice(0, 32)

/** Decodes the decimals of a mint. */
export const decodeDecimals = (data: Uint8Array): number => Buffer.from(data).readUInt8(44)
