import type { FindSender, SimulationSender } from '../reads/simulated-calls.ts'
import { listSenders, refreshBalance, type SettlingChain } from '../transactions/nonce-lanes.ts'
import { USUAL_GAS } from '../transactions/simulation.ts'

/** A sender as it was read. */
interface ReadSender {
  readonly sender: SimulationSender | undefined
  /** By `performance.now()`. */
  readonly readAt: number
}

/** Until then, a sender is used as it was read. */
const FRESH_MS = 2_000
/** Until then, a sender is used once more while it is read again, so that no verification waits for it. */
const STALE_MS = 60_000
/** More gas than any block has, for chains whose gas costs nothing. */
const ANY_GAS = 1n << 62n

/**
 * Creates the look-up of the signer with the largest balance, or of a given one, with the fees that a
 * settlement would offer.
 */
export function createFindSender(settling: ReadonlyMap<string, SettlingChain>): FindSender {
  const cached = new Map<string, ReadSender>()
  const readings = new Map<string, Promise<SimulationSender | undefined>>()

  async function read(
    key: string,
    on: SettlingChain,
    address: string | undefined,
  ): Promise<SimulationSender | undefined> {
    try {
      const sender = await readSender(on, address)
      cached.set(key, { sender, readAt: performance.now() })
      return sender
    } finally {
      readings.delete(key)
    }
  }

  return async (network, { refresh = false, address } = {}) => {
    const on = settling.get(network)
    if (on === undefined) throw new Error(`The network ${network} has no signers`)
    const key = `${network} ${address ?? ''}`
    const latest = cached.get(key)
    const age = latest === undefined || refresh ? Number.POSITIVE_INFINITY : performance.now() - latest.readAt
    if (age < FRESH_MS) return latest?.sender
    const reading = readings.get(key) ?? read(key, on, address)
    readings.set(key, reading)
    // A signer that could not pay may have been funded.
    if (age >= STALE_MS || latest?.sender === undefined) return reading
    // A later call that has to wait receives the error.
    reading.catch(() => {})
    return latest.sender
  }
}

async function readSender(
  on: SettlingChain,
  address: string | undefined,
): Promise<SimulationSender | undefined> {
  const lanes = listSenders(on, address)
  const [{ maxFeePerGas, maxPriorityFeePerGas, parentFeePerKilobyte }] = await Promise.all([
    on.fees.quote(),
    ...lanes.map(refreshBalance),
  ])
  const [richest] = lanes
    .map(({ signer, balance }) => ({
      address: signer.address,
      wei: (balance?.wei ?? 0n) - parentFeePerKilobyte,
    }))
    .toSorted((a, b) => (a.wei < b.wei ? 1 : -1))
  if (richest === undefined) return undefined
  const affordableGas = maxFeePerGas === 0n ? ANY_GAS : richest.wei / maxFeePerGas
  if (affordableGas < USUAL_GAS) return undefined
  return { address: richest.address, maxFeePerGas, maxPriorityFeePerGas, affordableGas }
}
