import { isRevert, type RpcCall, type RpcError, type RpcOutcome } from '@mintmark/evm-reader'
import { numberToHex } from 'viem'
import type { ContractCall } from './transfer.ts'

/** Who would send a settlement, and for which fees. A payer's contract can read both. */
export interface SimulationSender {
  readonly address: string
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
  /** The most gas that the sender's balance pays for. */
  readonly affordableGas: bigint
}

/**
 * Finds the sender of simulations on a network. Resolves to undefined if no signer can pay for the gas.
 *
 * @throws Error if the chain cannot be read.
 */
export type FindSender = (network: string, options?: SenderOptions) => Promise<SimulationSender | undefined>

export interface SenderOptions {
  /** Whether to read fees and balances again. Otherwise they may be some seconds old. */
  readonly refresh?: boolean
  /** The only signer that can send the transaction. Default: any. */
  readonly address?: string | undefined
}

/**
 * Creates a simulated call with limited gas, exactly as a settlement would be sent. Without a sender, because
 * another facilitator settles, the node's defaults apply.
 */
export function toSimulatedCall(
  sender: SimulationSender | undefined,
  { recipient, data }: ContractCall,
  gas: bigint,
): RpcCall {
  const call = { to: recipient, data }
  if (sender === undefined)
    return { method: 'eth_call', params: [{ ...call, gas: numberToHex(gas) }, 'latest'] }
  const payable = gas < sender.affordableGas ? gas : sender.affordableGas
  const transaction = {
    from: sender.address,
    ...call,
    gas: numberToHex(payable),
    maxFeePerGas: numberToHex(sender.maxFeePerGas),
    maxPriorityFeePerGas: numberToHex(sender.maxPriorityFeePerGas),
  }
  return { method: 'eth_call', params: [transaction, 'latest'] }
}

/** The result of a simulated call. */
export type Simulated =
  | { readonly succeeded: true; readonly returned: string }
  | { readonly succeeded: false; readonly error: RpcError }

/** @throws NotSimulatedError if the node did not execute the call. */
export function readSimulated(outcome: RpcOutcome | undefined): Simulated {
  if (outcome === undefined) throw new Error('The node returned fewer results than were requested')
  if ('result' in outcome) return { succeeded: true, returned: String(outcome.result) }
  const { error } = outcome
  if (isRevert(error) || isOutOfGas(error)) return { succeeded: false, error }
  throw new NotSimulatedError(error)
}

/** The node did not execute a simulated call. */
export class NotSimulatedError extends Error {
  override readonly name = 'NotSimulatedError'
  /** Whether other fees or another sender could change it. */
  readonly dependsOnSender: boolean

  constructor({ code, message }: RpcError) {
    super(`The node did not simulate a call. It returned ${code}: ${message}`)
    this.dependsOnSender = /insufficient (funds|balance)|base ?fee|fee ?cap|underpriced/i.test(message)
  }
}

/** Whether the node reports that a call exceeded its gas limit. */
export const isOutOfGas = ({ message }: RpcError): boolean =>
  /out of gas|gas required exceeds|OutOfGas/i.test(message)
