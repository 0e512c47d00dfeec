import * as v from 'valibot'
import type { Schema } from './record.ts'

const isoDateTime = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d(:?\d\d)?)?$/

/**
 * An ISO 8601 date-time, such as `2026-01-15T10:00:00.000Z` (the specification's `timestamp`). The offset is
 * optional, because other servers may omit it. Mintmark's servers refuse a time without an offset and always
 * write `Z`.
 */
export const Timestamp: Schema<string> = /* @__PURE__ */ v.pipe(
  /* @__PURE__ */ v.string(),
  /* @__PURE__ */ v.check(
    (text) => isoDateTime.test(text) && !Number.isNaN(Date.parse(text)),
    'Expected an ISO 8601 date-time',
  ),
)

/** An integer that a number represents exactly. */
export const Integer: Schema<number> = /* @__PURE__ */ v.pipe(
  /* @__PURE__ */ v.number(),
  /* @__PURE__ */ v.safeInteger('Expected an integer'),
)

/** An integer from 1 to 2^53 - 1. */
export const Positive: Schema<number> = /* @__PURE__ */ v.pipe(
  Integer,
  /* @__PURE__ */ v.minValue(1, 'Expected an integer from 1'),
)

/** A record's id. */
export const Id = Positive

/** Text of at least one character. */
export const Text: Schema<string> = /* @__PURE__ */ v.pipe(
  /* @__PURE__ */ v.string(),
  /* @__PURE__ */ v.nonEmpty('Expected a text that is not empty'),
)

/** An EVM address: `0x` and 40 hexadecimal digits. Servers compare and return addresses in lower case. */
export const Address: Schema<string> = /* @__PURE__ */ v.pipe(
  /* @__PURE__ */ v.string(),
  /* @__PURE__ */ v.regex(/^0x[0-9a-fA-F]{40}$/, 'Expected an address: 0x and 40 hexadecimal digits'),
)

/**
 * An amount in base units (wei, or the token's smallest unit) as a decimal string: an integer from 0 to 2^256
 * - 1.
 */
export const Amount: Schema<string> = /* @__PURE__ */ v.pipe(
  /* @__PURE__ */ v.string(),
  /* @__PURE__ */ v.check(
    (text) => /^(?:0|[1-9]\d{0,77})$/.test(text) && BigInt(text) >> 256n === 0n,
    'Expected an amount in base units: decimal digits',
  ),
)

/** A 32-byte value as chains write it: `0x` and 64 hexadecimal digits. */
export const Hash: Schema<string> = /* @__PURE__ */ v.pipe(
  /* @__PURE__ */ v.string(),
  /* @__PURE__ */ v.regex(/^0x[0-9a-fA-F]{64}$/, 'Expected 0x and 64 hexadecimal digits'),
)

/** The values of `nftType`. */
export const NftType = { ERC721: 'ERC721', ERC1155: 'ERC1155' } as const
/** The token standard of a contract. */
export type NftType = (typeof NftType)[keyof typeof NftType]

/** An `NftType` of a record; open, because a newer server may return further values. */
export const OpenNftType: Schema<NftType | (string & {})> = /* @__PURE__ */ v.string()

/** The values of `payTokenType`. */
export const PayTokenType = { NATIVE: 'NATIVE', ERC20: 'ERC20' } as const
/** The kind of a pay token: the chain's native token, or a contract. */
export type PayTokenType = (typeof PayTokenType)[keyof typeof PayTokenType]

/** A `PayTokenType` of a record; open, because a newer server may return further values. */
export const OpenPayTokenType: Schema<PayTokenType | (string & {})> = /* @__PURE__ */ v.string()
