import { createHash } from 'node:crypto'

/** What a request to a faulty node meets. */
export type Fault =
  /** A node that is this many blocks behind the chain's head responds. */
  | { readonly kind: 'lag'; readonly blocks: number }
  | { readonly kind: 'delay'; readonly milliseconds: number }
  /** The connection ends before the node receives the request. */
  | { readonly kind: 'dropRequest' }
  /** The node receives the request, and the connection ends before the response. */
  | { readonly kind: 'dropResponse' }
  /** The connection ends in the middle of the response. */
  | { readonly kind: 'truncate' }
  /** HTTP status 429. */
  | { readonly kind: 'rateLimit' }
  /** The JSON-RPC error of a provider that limits the rate of requests. */
  | { readonly kind: 'rateLimitError' }
  /** Ranges of more blocks are refused with a provider's error. */
  | { readonly kind: 'capRange'; readonly blocks: number }
  /** A call of a contract reverts without data. */
  | { readonly kind: 'revert' }

/** The probability of each fault, from 0 to 1. Together at most 1. */
export type FaultRates = Partial<Record<Fault['kind'], number>>

export interface FaultOptions {
  readonly seed: number
  readonly rates: FaultRates
  /**
   * How far the nodes behind the address are behind the head. A fault `lag` chooses one of them. Default: 1,
   * 2, 5.
   */
  readonly lags?: readonly number[]
  /** The longest delay. Default: 30. */
  readonly maxDelayMs?: number
  /** The most blocks in a range of logs under the fault `capRange`. Default: 3. */
  readonly rangeCap?: number
}

/** Faults that are chosen by a seed. */
export interface Faults {
  /** Chooses what the next request of a method meets. Undefined: no fault. */
  next(method: string): Fault | undefined
}

const KINDS = [
  'lag',
  'delay',
  'dropRequest',
  'dropResponse',
  'truncate',
  'rateLimit',
  'rateLimitError',
  'capRange',
  'revert',
] as const satisfies readonly Fault['kind'][]

/**
 * Creates faults that a seed repeats: the n-th request of a method always meets the same fault, in whatever
 * order concurrent requests of different methods arrive.
 *
 * @example
 * node.faults = createFaults({ seed: 7, rates: { lag: 0.3, dropResponse: 0.05 } })
 */
export function createFaults(options: FaultOptions): Faults {
  const { seed, rates } = options
  const sum = KINDS.reduce((total, kind) => total + (rates[kind] ?? 0), 0)
  if (sum > 1) throw new RangeError(`The rates of faults add up to ${sum}. Use rates of at most 1 together`)
  const counts = new Map<string, number>()
  return {
    next(method) {
      const count = counts.get(method) ?? 0
      counts.set(method, count + 1)
      const [choice, detail] = hashToFractions(`${seed}/${method}/${count}`)
      const kind = chooseKind(rates, choice)
      return kind && toFault(kind, detail, options)
    },
  }
}

function chooseKind(rates: FaultRates, choice: number): Fault['kind'] | undefined {
  let bound = 0
  for (const kind of KINDS) {
    bound += rates[kind] ?? 0
    if (choice < bound) return kind
  }
  return undefined
}

function toFault(kind: Fault['kind'], detail: number, options: FaultOptions): Fault {
  const { lags = [1, 2, 5], maxDelayMs = 30, rangeCap = 3 } = options
  switch (kind) {
    case 'lag':
      return { kind, blocks: lags[Math.floor(detail * lags.length)] ?? 1 }
    case 'delay':
      return { kind, milliseconds: Math.ceil(detail * maxDelayMs) }
    case 'capRange':
      return { kind, blocks: rangeCap }
    default:
      return { kind }
  }
}

/** Two numbers from 0 to 1. */
function hashToFractions(text: string): [number, number] {
  const digest = createHash('sha256').update(text).digest()
  return [digest.readUInt32BE(0) / 2 ** 32, digest.readUInt32BE(4) / 2 ** 32]
}

/**
 * Reads the seeds of a test with faults: those of the environment variable `FAULT_SEEDS`, such as `1,2,3` or
 * `1-50`, or else the test's own.
 */
export function readFaultSeeds(defaults: readonly number[]): readonly number[] {
  const setting = process.env.FAULT_SEEDS ?? ''
  if (setting === '') return defaults
  return setting.split(',').flatMap((part) => {
    const [first = '', last = first] = part.split('-')
    const [from, to] = [Number(first), Number(last)]
    if (!Number.isInteger(from) || !Number.isInteger(to))
      throw new Error(`FAULT_SEEDS: ${part} is neither a seed nor a range of seeds`)
    return Array.from({ length: to - from + 1 }, (_, index) => from + index)
  })
}
