import { Integer, type Schema } from '@mintmark/envelope'
import * as v from 'valibot'

/** A wallet that pays: an EVM address in any case, or a Solana address in base58. */
export const PayerAddress: Schema<string> = /* @__PURE__ */ v.pipe(
  /* @__PURE__ */ v.string(),
  /* @__PURE__ */ v.regex(
    /^(0x[0-9a-fA-F]{40}|[1-9A-HJ-NP-Za-km-z]{32,44})$/,
    'Expected a wallet: 0x and 40 hexadecimal digits, or a Solana address',
  ),
)

/** A transaction of a chain: the hash of an EVM transaction, or the first signature of a Solana transaction. */
export const TransactionId: Schema<string> = /* @__PURE__ */ v.pipe(
  /* @__PURE__ */ v.string(),
  /* @__PURE__ */ v.regex(
    /^(0x[0-9a-fA-F]{64}|[1-9A-HJ-NP-Za-km-z]{64,88})$/,
    'Expected a transaction: 0x and 64 hexadecimal digits, or a signature of Solana',
  ),
)

/** An ECDSA signature, or the longer one of a contract wallet (ERC-1271). */
export const Signature: Schema<string> = /* @__PURE__ */ v.pipe(
  /* @__PURE__ */ v.string(),
  /* @__PURE__ */ v.regex(/^0x(?:[0-9a-fA-F]{2}){1,4096}$/, 'Expected 0x and hexadecimal digits'),
)

/** A time of what a wallet signs, in seconds since the epoch. */
export const Seconds: Schema<number> = /* @__PURE__ */ v.pipe(
  Integer,
  /* @__PURE__ */ v.minValue(0, 'Expected seconds since the epoch'),
)

/** The statuses of a settlement. */
export const SETTLEMENT_STATUSES = ['sent', 'settled', 'failed', 'unknown', 'not_sent'] as const
