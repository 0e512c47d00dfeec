import { isAddress, isObject, type JsonObject } from '../payment/fields.ts'
import { readSvmTransaction } from './solana/exact/svm-transaction.ts'
import { findTransferOwner } from './solana/exact/transfer-rules.ts'

/**
 * Reads the wallet that a body names as the payer, from its payload of any kind. The body may be malformed,
 * and nothing proves that the wallet has signed it.
 *
 * @returns An EVM address in lower case, or a Solana address.
 */
export function readPayer(body: unknown): string | undefined {
  const payload = getObject(getObject(body, 'paymentPayload'), 'payload')
  if (payload === undefined) return undefined
  const transaction = readSvmTransaction(payload)
  if (transaction !== undefined) return findTransferOwner(transaction)
  // The order of the methods is that of the decoding.
  const named = [
    getObject(payload, 'authorization')?.from,
    getObject(payload, 'permit2Authorization')?.from,
    getObject(payload, 'channelConfig')?.payer,
    getObject(payload, 'paymentInfo')?.payer,
    // A payout of a channel is requested by its receiver.
    payload.type === 'settle' ? payload.receiver : undefined,
  ].find((value) => value !== undefined)
  return isAddress(named) ? named.toLowerCase() : undefined
}

/** Reads the network that a body names, `''` if it names none: an x402 response requires one. */
export function readNetwork(body: unknown): string {
  const network = getObject(body, 'paymentRequirements')?.network
  return typeof network === 'string' ? network : ''
}

function getObject(value: unknown, name: string): JsonObject | undefined {
  const inner = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
  return isObject(inner) ? inner : undefined
}
