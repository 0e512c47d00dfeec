import type { ChildProcess } from 'node:child_process'
import { type Column, type Figure, summarize } from './figures.ts'
import type { LoadOrder, LoadReport } from './load.ts'
import { METRICS_TOKEN, nextMessage, startChild } from './processes.ts'

export const CONNECTIONS = 32

/** A server under load. */
export interface Contestant extends Pick<LoadOrder, 'port'> {
  /** Requests as bytes, or a function that creates those of each round: a write's signature is used once. */
  readonly requests: LoadOrder['requests'] | (() => Promise<LoadOrder['requests']>)
  /** Reads the processor seconds that the server has used. Default: from its metrics. */
  readCpuSeconds?(): Promise<number>
}

/** The rate, and the processor microseconds of each response, in one round. */
export interface Round {
  readonly rate: number
  readonly cost: number
}

export interface LoadPlan extends Pick<LoadOrder, 'milliseconds' | 'expected'> {
  readonly rounds: number
  /** Rounds that are not measured: optimized code needs tens of thousands of calls. */
  readonly warmUp: number
  /** Is called after each round. */
  onRound(round: number, total: number): void
}

/** Loads two servers in turns. Returns their rounds. */
export async function compareUnderLoad(
  [first, second]: readonly [Contestant, Contestant],
  { rounds, warmUp, onRound, ...order }: LoadPlan,
): Promise<readonly [Round[], Round[]]> {
  await using stops = new AsyncDisposableStack()
  const load = startChild(stops, 'load.ts')
  const results: [Round[], Round[]] = [[], []]
  for (let round = 0; round < warmUp + rounds; round++) {
    const pairs = [[first, results[0]] as const, [second, results[1]] as const]
    for (const [contestant, measured] of round % 2 ? pairs : pairs.toReversed()) {
      const result = await measureLoad(load, contestant, order)
      if (round >= warmUp) measured.push(result)
    }
    onRound(round + 1, warmUp + rounds)
  }
  return results
}

/** Loads a server once. */
export async function measureLoad(
  load: ChildProcess,
  { port, requests, readCpuSeconds = () => readServerCpuSeconds(port) }: Contestant,
  order: Pick<LoadOrder, 'milliseconds' | 'expected'> & Partial<Pick<LoadOrder, 'connections'>>,
): Promise<Round> {
  const prepared = typeof requests === 'function' ? await requests() : requests
  const before = await readCpuSeconds()
  load.send({ connections: CONNECTIONS, ...order, port, requests: prepared } satisfies LoadOrder)
  const { responses, failed, failure, seconds } = await nextMessage<LoadReport>(load)
  if (failed > 0) throw new Error(`${failed} of ${responses} responses were wrong. The first: ${failure}`)
  const used = (await readCpuSeconds()) - before
  return { rate: responses / seconds, cost: (used * 1e6) / responses }
}

/** Reads the processor seconds that a server has used from its metrics. */
export async function readServerCpuSeconds(port: number): Promise<number> {
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` }
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`, { headers })).text()
  const [, seconds] = /^process_cpu_seconds_total ([\d.e-]+)/m.exec(text) ?? []
  if (seconds === undefined) throw new Error('The server has no metric process_cpu_seconds_total')
  return Number(seconds)
}

export const LOAD_COLUMNS: readonly Column[] = [
  { name: 'responses', unit: 'per second' },
  { name: 'CPU of each', unit: 'µs' },
]

/** The figures of `LOAD_COLUMNS`. */
export function summarizeRounds(rounds: readonly Round[]): Figure[] {
  return [summarize(rounds.map(({ rate }) => rate)), summarize(rounds.map(({ cost }) => cost))]
}

/** The ratio of the rates in each round. */
export function listRatios(rounds: readonly Round[], base: readonly Round[]): number[] {
  return rounds.map(({ rate }, index) => rate / (base[index]?.rate ?? 0))
}

/** A request as bytes, so that nothing is created while the load runs. */
export function formatRequest(
  method: 'GET' | 'POST',
  path: string,
  headers: Readonly<Record<string, string>>,
  body = '',
): string {
  const length = String(Buffer.byteLength(body))
  const all = { host: '127.0.0.1', 'content-type': 'application/json', 'content-length': length, ...headers }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`
}
