import { decodeTransaction, type WireTransaction } from '../../../chains/solana/wire-transaction.ts'
import type { JsonObject } from '../../../payment/fields.ts'

/** More characters than the largest transaction has. */
const MAX_CHARACTERS = 2_000

/** Reads the transaction of a payload, in base64. Undefined if there is none, or it is malformed. */
export function readSvmTransaction({ transaction }: JsonObject): WireTransaction | undefined {
  const isBase64 =
    typeof transaction === 'string' &&
    transaction.length <= MAX_CHARACTERS &&
    /^[A-Za-z0-9+/]+={0,2}$/.test(transaction)
  return isBase64 ? decodeTransaction(Buffer.from(transaction, 'base64')) : undefined
}
