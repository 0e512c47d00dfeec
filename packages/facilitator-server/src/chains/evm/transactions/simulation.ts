import { findRpcError, getRevertReason, isRevert, type RpcError } from '@mintmark/evm-reader'
import { type Hex, numberToHex } from 'viem'
import { larger } from '../../../payment/amounts.ts'
import {
  DELIVERY_GAS,
  type Delivery,
  type DeliveryOutcome,
  readDeliveries,
  SHORT_DELIVERY,
  toDeliveryCall,
} from '../reads/delivery.ts'
import { decodeResults, encodeReads, multicallAddress } from '../reads/multicall-reads.ts'
import { isOutOfGas } from '../reads/simulated-calls.ts'
import { asHex } from '../reads/transfer.ts'
import { addGasReserve } from '../settings/gas-caps.ts'
import type { EvmPayment, SettlementCall } from './execution.ts'
import { type FeeQuote, type Fees, getMaxCost } from './fees.ts'
import {
  canPay,
  type NonceLane,
  releaseNonceLane,
  reserveNonceLane,
  type SettlingChain,
} from './nonce-lanes.ts'
import type { Call } from './transaction-store.ts'
import { lost, notSent, refused, type Unsent } from './upstream-responses.ts'

type Transfer = Omit<Call, 'gas'>

export interface Simulation extends SettlementCall {
  on: SettlingChain
  payment: EvmPayment
  report: (error: unknown) => void
}

/** A transfer that can be signed: the reserved signer, the call with its gas, and the fees. */
export interface Prepared {
  lane: NonceLane
  call: Call
  fees: Fees
}

/**
 * Simulates a transfer exactly as it will be sent, because a payer's contract can read the sender, the gas
 * price and the gas limit, and behave differently for others. The caller releases the signer of a transfer
 * that can be signed.
 *
 * @throws Error if the chain cannot be read.
 */
export async function simulateTransfer(simulation: Simulation): Promise<Prepared | Unsent> {
  const { on } = simulation
  const fees = await on.fees.quote()
  const cost = getMaxCost({ ...simulation.transfer, gas: USUAL_GAS }, fees)
  const first = await reserveNonceLane(on, cost, getOnlySender(simulation))
  if (first === undefined) return NO_FUNDS
  return withNonceLane(first, async () => {
    try {
      return await simulateFrom(first, fees, simulation)
    } catch (error) {
      const rpcError = findRpcError(error)
      if (rpcError && isRevert(rpcError)) return await explainRevert(first, fees, simulation, rpcError)
      if (rpcError && isOutOfGas(rpcError)) return explainOutOfGas(first, fees, simulation)
      throw error
    }
  })
}

/** Releases a reserved signer unless the work returns a transfer that it can sign. */
async function withNonceLane(
  lane: NonceLane,
  work: () => Promise<Prepared | Unsent>,
): Promise<Prepared | Unsent> {
  let isKept = false
  try {
    const result = await work()
    isKept = 'lane' in result && result.lane === lane
    return result
  } finally {
    if (!isKept) releaseNonceLane(lane)
  }
}

const NO_FUNDS = notSent('No signer can pay for the gas')
const getOnlySender = ({ payment }: Simulation): string | undefined => payment.scheme.getOnlySender?.(payment)
const aboveCap = ({ payment }: Simulation, gas: bigint, cap: bigint): Unsent =>
  refused(payment.scheme.reasons.simulationFailed, `The transfer needs ${gas} gas, above the cap of ${cap}`)

async function simulateFrom(
  first: NonceLane,
  fees: FeeQuote,
  simulation: Simulation,
): Promise<Prepared | Unsent> {
  const { on, payment, transfer, deploys, executesOthers } = simulation
  const { gasCap, contractGasCap, gasFloor = 0n } = simulation
  const onlySender = getOnlySender(simulation)
  const estimateFrom = async (lane: NonceLane): Promise<bigint> => {
    const gas = await estimateGas(lane, transfer, fees)
    return larger(gas, gasFloor)
  }
  const [estimate, isContract, delivered] = await Promise.all([
    estimateFrom(first),
    deploys || executesOthers === true || hasCode(on, payment.payer),
    payment.scheme.hasDelivery
      ? simulateDelivery(on, { payment, transfer, onlySender }, larger(contractGasCap, gasCap))
      : 'complete',
  ])
  if (delivered === 'short') return refused(SHORT_DELIVERY.reason, SHORT_DELIVERY.message)
  // A contract could refuse its signature in this simulation only. Of a key, the block of the simulation is too old:
  // some nodes estimate gas for the next block.
  if (delivered === 'failed' && isContract)
    return lost('malformed', 'Two simulations of the transfer had different results')
  const cap = isContract ? contractGasCap : gasCap

  async function prepareFrom(lane: NonceLane, gas: bigint): Promise<Prepared | Unsent> {
    if (gas > cap) return aboveCap(simulation, gas, cap)
    const call = { ...transfer, gas }
    if (!canPay(lane, getMaxCost(call, fees))) return NO_FUNDS
    if (isContract) await callExactly(lane, call, fees)
    return { lane, call, fees }
  }

  const cost = getMaxCost({ ...transfer, gas: estimate }, fees)
  if (estimate > cap || canPay(first, cost)) return prepareFrom(first, estimate)
  const other = await reserveNonceLane(on, cost, onlySender)
  if (other === undefined) return NO_FUNDS
  return withNonceLane(other, async () => prepareFrom(other, await estimateFrom(other)))
}

/** Finds out what the recipient would receive. @throws Error if the chain cannot be read. */
async function simulateDelivery(
  { chain }: SettlingChain,
  delivery: Delivery,
  gasCap: bigint,
): Promise<DeliveryOutcome> {
  const [outcome] = await chain.requestEach([toDeliveryCall([delivery], gasCap + DELIVERY_GAS)])
  return readDeliveries([delivery], outcome)[0] ?? 'unknown'
}

/**
 * Explains a reverted simulation. Anyone can submit an authorization, and many tokens revert without a
 * message, so the nonce is read: if it is used, this very payment may have been made, and reconciliation
 * decides from the logs. Nonce and transfer are read in one call, so that they come from the same block.
 */
async function explainRevert(
  lane: NonceLane,
  fees: Fees,
  { payment, transfer, gasCap, report }: Simulation,
  error: RpcError,
): Promise<Unsent> {
  const { scheme } = payment
  const message = getRevertReason(error)
  const reason = scheme.toRefusalReason(error)
  if (reason === scheme.reasons.nonceUsed) return lost('malformed', `The nonce is already used: ${message}`)
  const reads = [scheme.nonceRead(payment), { target: transfer.recipient, data: transfer.data.slice(2) }]
  const multicall = { recipient: multicallAddress, data: encodeReads(reads), gas: gasCap }
  try {
    const returned = await callExactly(lane, multicall, fees)
    const [state, attempted] = decodeResults(returned, reads.length)
    if (state === undefined || scheme.isUsed(payment, state) !== false)
      return lost('malformed', `The nonce is used, so the transfer reverts: ${message}`)
    // For instance, only one of two nodes knows the use of the nonce.
    if (attempted?.success) return lost('malformed', `Two simulations had different results: ${message}`)
  } catch (failure) {
    report(failure)
    return lost('malformed', `The transfer reverts, and the state of the nonce could not be read: ${message}`)
  }
  // The authorization is valid by our clock, so the newest block is slightly older.
  if (reason === scheme.reasons.validAfter) return notSent(message, reason)
  return refused(reason, message)
}

/**
 * A node limits an estimate by the sender's balance, so the payer is at fault only if our signer can pay for
 * the cap.
 */
function explainOutOfGas(lane: NonceLane, fees: FeeQuote, { gasCap, transfer, payment }: Simulation): Unsent {
  return canPay(lane, getMaxCost({ ...transfer, gas: gasCap }, fees))
    ? refused(
        payment.scheme.reasons.simulationFailed,
        `The transfer needs more gas than the cap of ${gasCap}`,
      )
    : NO_FUNDS
}

/** The usual gas of a transfer, to select the signer for the simulation. */
export const USUAL_GAS = 100_000n

/** Estimates the gas limit of a transfer. */
export async function estimateGas(
  { chain, signer }: NonceLane,
  transfer: Transfer,
  fees: Fees,
): Promise<bigint> {
  const estimate = await chain.client.request({
    method: 'eth_estimateGas',
    params: [toRpcCall(signer.address, transfer, fees)],
  })
  return addGasReserve(BigInt(estimate))
}

/** Executes the call as it will be signed, including the gas limit. @throws Error if it reverts. */
function callExactly({ chain, signer }: NonceLane, call: Call, fees: Fees): Promise<Hex> {
  return chain.client.request({
    method: 'eth_call',
    params: [{ ...toRpcCall(signer.address, call, fees), gas: numberToHex(call.gas) }, 'latest'],
  })
}

const toRpcCall = (from: string, { recipient, data }: Transfer, fees: Fees) => ({
  from: asHex(from),
  to: asHex(recipient),
  data: asHex(data),
  maxFeePerGas: numberToHex(fees.maxFeePerGas),
  maxPriorityFeePerGas: numberToHex(fees.maxPriorityFeePerGas),
})

/** Whether the payer is a contract, or a key that delegates to one (EIP-7702). */
export async function hasCode({ chain }: SettlingChain, payer: string): Promise<boolean> {
  const code = await chain.client.getCode({ address: asHex(payer) })
  return code !== undefined && code !== '0x'
}
