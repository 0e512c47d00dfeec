import { isRevert, type RpcError, revertReason, rpcErrorOf } from '@mintmark/server-kit'
import { numberToHex } from 'viem'
import type { Payment } from '../../../payments/payment.ts'
import { reasons } from '../../../payments/reasons.ts'
import { lost, notSent, refused, type Unsent } from './upstream-responses.ts'
import { createBatchedReads, multicallAddress } from '../batched-reads.ts'
import type { Fees } from './fees.ts'
import { canPay, type Lane, releaseLane, reserveLane, type SettlingChain } from './nonce-lanes.ts'
import { authorizationState, readWord } from '../token-reads.ts'
import type { Call } from './transaction-store.ts'
import { asHex, refusalReason } from '../transfer.ts'

type Transfer = Omit<Call, 'gas'>

export interface Simulation {
  on: SettlingChain
  payment: Payment
  transfer: Transfer
  /** A transfer that needs more gas is refused. */
  gasCap: bigint
  /** The same for a payer that is a contract. */
  contractGasCap: bigint
  report: (error: unknown) => void
}

/** A transfer that can be signed: by which reserved signer, with how much gas and which fees. */
export interface Prepared {
  lane: Lane
  call: Call
  fees: Fees
}

/**
 * Simulates a transfer as it will be sent: a payer's contract can read the sender, the gas price and the gas limit, and
 * behave differently for others. The caller releases the signer of a transfer that can be signed.
 *
 * @throws Error when the chain cannot be read.
 */
export async function simulateTransfer(simulation: Simulation): Promise<Prepared | Unsent> {
  const { on } = simulation
  const fees = await on.fees.quote()
  const first = await reserveLane(on, USUAL_GAS * fees.maxFeePerGas)
  if (first === undefined) return noFunds
  return withLane(first, async () => {
    try {
      return await simulateFrom(first, fees, simulation)
    } catch (error) {
      const answered = rpcErrorOf(error)
      if (answered && isRevert(answered)) return await explainRevert(first, fees, simulation, answered)
      if (answered && isOutOfGas(answered)) return explainOutOfGas(first, fees, simulation)
      throw error
    }
  })
}

/** Releases a reserved signer, unless the work returns a transfer that it can sign. */
async function withLane(lane: Lane, work: () => Promise<Prepared | Unsent>): Promise<Prepared | Unsent> {
  let isKept = false
  try {
    const result = await work()
    isKept = 'lane' in result && result.lane === lane
    return result
  } finally {
    if (!isKept) releaseLane(lane)
  }
}

const noFunds = notSent('No signer can pay for the gas.')
const aboveCap = (gas: bigint, cap: bigint): Unsent =>
  refused(reasons.simulationFailed, `The transfer needs ${gas} gas, above the cap of ${cap}.`)

async function simulateFrom(
  first: Lane,
  fees: Fees,
  { on, payment, transfer, gasCap, contractGasCap }: Simulation,
): Promise<Prepared | Unsent> {
  const [estimate, isContract] = await Promise.all([
    estimateGas(first, transfer, fees),
    hasCode(on, payment.payer),
  ])
  const cap = isContract ? contractGasCap : gasCap

  async function prepareFrom(lane: Lane, gas: bigint): Promise<Prepared | Unsent> {
    if (gas > cap) return aboveCap(gas, cap)
    if (!canPay(lane, gas * fees.maxFeePerGas)) return noFunds
    const call = { ...transfer, gas }
    if (isContract) await simulateExactly(lane, call, fees)
    return { lane, call, fees }
  }

  const cost = estimate * fees.maxFeePerGas
  if (estimate > cap || canPay(first, cost)) return prepareFrom(first, estimate)
  const other = await reserveLane(on, cost)
  if (other === undefined) return noFunds
  return withLane(other, async () => prepareFrom(other, await estimateGas(other, transfer, fees)))
}

/**
 * What a reverted simulation means. Anybody can submit an authorization, and many tokens revert without a text, so the
 * nonce is read: where it is used, this very payment may have been made, and reconciliation decides from the logs. Nonce
 * and transfer are read in one call, so that a node that lags cannot mix two blocks.
 */
async function explainRevert(
  lane: Lane,
  fees: Fees,
  { payment, transfer, gasCap, report }: Simulation,
  error: RpcError,
): Promise<Unsent> {
  const { asset, payer, nonce } = payment
  const message = revertReason(error)
  const reason = refusalReason(message)
  if (reason === reasons.nonceUsed) return lost('malformed', `The nonce is used already: ${message}`)
  const reads = [authorizationState(asset, payer, nonce), { target: asset, data: transfer.data.slice(2) }]
  const asSender = createBatchedReads((data, gas) =>
    lane.chain.client.request({
      method: 'eth_call',
      params: [
        {
          ...callOf(lane.signer.address, { recipient: multicallAddress, data }, fees),
          ...(gas && { gas: numberToHex(gas) }),
        },
        'latest',
      ],
    }),
  )
  try {
    const [state, attempted] = await asSender.readAlone(reads, gasCap)
    if (state === undefined || readWord(state) !== 0n)
      return lost('malformed', `The nonce is used, so the transfer reverts: ${message}`)
    // One node has seen a use of the nonce that the other has not, for instance.
    if (attempted?.success) return lost('malformed', `Two simulations had different results: ${message}`)
  } catch (failure) {
    report(failure)
    return lost('malformed', `The transfer reverts, and whether the nonce is used is not known: ${message}`)
  }
  // By our clock it is valid, so the newest block is a moment behind.
  if (reason === reasons.validAfter) return notSent(`${message}.`, reason)
  return refused(reason, message)
}

/** A node limits an estimate by what the sender can pay, so this is the payer's fault only if ours can pay for the cap. */
function explainOutOfGas(lane: Lane, fees: Fees, { gasCap }: Simulation): Unsent {
  return canPay(lane, gasCap * fees.maxFeePerGas)
    ? refused(reasons.simulationFailed, `The transfer needs more gas than the cap of ${gasCap}.`)
    : noFunds
}

/** What a transfer usually needs, to choose the signer that it is simulated with. */
const USUAL_GAS = 100_000n

/** The gas to send a transfer with. */
async function estimateGas({ chain, signer }: Lane, transfer: Transfer, fees: Fees): Promise<bigint> {
  const estimate = await chain.client.request({
    method: 'eth_estimateGas',
    params: [callOf(signer.address, transfer, fees)],
  })
  // The estimate is of the state now; a recipient's first token costs more than the simulation may have seen.
  return (BigInt(estimate) * 5n) / 4n
}

/** Executes the call as it will be signed, gas limit included. @throws Error when it reverts. */
async function simulateExactly({ chain, signer }: Lane, call: Call, fees: Fees): Promise<void> {
  await chain.client.request({
    method: 'eth_call',
    params: [{ ...callOf(signer.address, call, fees), gas: numberToHex(call.gas) }, 'latest'],
  })
}

const callOf = (from: string, { recipient, data }: Transfer, fees: Fees) => ({
  from: asHex(from),
  to: asHex(recipient),
  data: asHex(data),
  maxFeePerGas: numberToHex(fees.maxFeePerGas),
  maxPriorityFeePerGas: numberToHex(fees.maxPriorityFeePerGas),
})

/** Whether the payer is a contract, or a key that delegates to one (EIP-7702). */
async function hasCode({ chain }: SettlingChain, payer: string): Promise<boolean> {
  const code = await chain.client.getCode({ address: asHex(payer) })
  return code !== undefined && code !== '0x'
}

/** The words of nodes for a call that ends by its gas limit. */
const isOutOfGas = ({ message }: RpcError): boolean =>
  /out of gas|gas required exceeds|OutOfGas/i.test(message)
