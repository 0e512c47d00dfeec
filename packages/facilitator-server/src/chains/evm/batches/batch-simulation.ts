import { findRpcError, isRevert } from '@mintmark/evm-reader'
import type { Payment } from '../../../payment/payment.ts'
import { encodeBatch } from '../reads/batch-call.ts'
import { readDeliveries, toDeliveryCall } from '../reads/delivery.ts'
import { decodeResults } from '../reads/multicall-reads.ts'
import { isOutOfGas } from '../reads/simulated-calls.ts'
import { asHex, type ContractCall } from '../reads/transfer.ts'
import { addGasReserve } from '../settings/gas-caps.ts'
import type { SettlingChain } from '../transactions/nonce-lanes.ts'

/** A payment with the call that executes it. */
export interface BatchTransfer {
  readonly payment: Payment
  readonly transfer: ContractCall
}

/** Transfers that succeed together. */
export interface SimulatedBatch<Item> {
  readonly items: readonly Item[]
  /** The gas limit, with a reserve. */
  readonly gas: bigint
}

/**
 * Simulates transfers in one transaction and finds the ones that succeed together, in groups below the
 * chain's gas cap. Payers with code are left out, because their code would decide how much gas is left for
 * the others, and transfers whose recipients would receive less than the amount. The rest is settled one by
 * one, with a reason for each refusal.
 *
 * @throws Error if the chain cannot be read.
 */
export async function simulateBatch<Item extends BatchTransfer>(
  on: SettlingChain,
  items: readonly Item[],
): Promise<SimulatedBatch<Item>[]> {
  const keys = await leaveOutContracts(on, items)
  const [batches, delivered] = await Promise.all([splitByGas(on, keys), leaveOutShort(on, keys)])
  return delivered.length === keys.length ? batches : splitByGas(on, delivered)
}

async function leaveOutShort<Item extends BatchTransfer>(
  { chain }: SettlingChain,
  items: readonly Item[],
): Promise<readonly Item[]> {
  if (items.length < 2) return items
  const deliveries = items.map((item) => ({ ...item, onlySender: undefined }))
  const [outcome] = await chain.requestEach([toDeliveryCall(deliveries)])
  const outcomes = readDeliveries(deliveries, outcome)
  return items.filter((_, index) => outcomes[index] !== 'short')
}

async function leaveOutContracts<Item extends BatchTransfer>(
  { chain }: SettlingChain,
  items: readonly Item[],
): Promise<Item[]> {
  const payers = [...new Set(items.map(({ payment }) => payment.payer))]
  const codes = await chain.requestBatch(
    payers.map((payer) => ({ method: 'eth_getCode', params: [payer, 'latest'] })),
  )
  const keys = new Set(payers.filter((_, index) => codes[index] === '0x'))
  return items.filter(({ payment }) => keys.has(payment.payer))
}

async function splitByGas<Item extends BatchTransfer>(
  on: SettlingChain,
  items: readonly Item[],
): Promise<SimulatedBatch<Item>[]> {
  const gas = items.length < 2 ? undefined : await estimateBatch(on, items)
  if (gas === undefined) {
    const succeeding = items.length < 2 ? [] : await listSucceeding(on, items)
    // The state has changed between the two simulations, or too few transfers are left.
    return succeeding.length === items.length ? [] : splitByGas(on, succeeding)
  }
  if (gas <= on.gasCaps.batch && gas <= on.gasCaps.key * BigInt(items.length)) return [{ items, gas }]
  if (items.length < 4) return []
  const middle = Math.ceil(items.length / 2)
  const halves = [items.slice(0, middle), items.slice(middle)]
  return (await Promise.all(halves.map((half) => splitByGas(on, half)))).flat()
}

/** Estimates the gas with which every transfer succeeds. Undefined if one of them fails. */
async function estimateBatch(
  on: SettlingChain,
  items: readonly BatchTransfer[],
): Promise<bigint | undefined> {
  try {
    const estimate = await on.chain.client.request({
      method: 'eth_estimateGas',
      params: [toRpcCall(on, encodeBatch(toCalls(items), false)), 'latest'],
    })
    return addGasReserve(BigInt(estimate))
  } catch (error) {
    const rpcError = findRpcError(error)
    if (rpcError !== undefined && (isRevert(rpcError) || isOutOfGas(rpcError))) return undefined
    throw error
  }
}

async function listSucceeding<Item extends BatchTransfer>(
  on: SettlingChain,
  items: readonly Item[],
): Promise<Item[]> {
  const returned = await on.chain.client.request({
    method: 'eth_call',
    params: [toRpcCall(on, encodeBatch(toCalls(items), true)), 'latest'],
  })
  const results = decodeResults(returned, items.length)
  return items.filter((_, index) => results[index]?.success)
}

const toCalls = (items: readonly BatchTransfer[]): ContractCall[] => items.map(({ transfer }) => transfer)

/**
 * Without fees, so that the balance of the sender does not matter: a token cannot read them, and the payers
 * have no code.
 */
const toRpcCall = (on: SettlingChain, { recipient, data }: ContractCall) => ({
  from: asHex(on.lanes[0]?.signer.address ?? recipient),
  to: asHex(recipient),
  data,
})
