import type { Chain, RpcCall, RpcOutcome } from '@mintmark/evm-reader'
import { batch } from '../../../database/batch.ts'
import {
  decodeResults,
  encodeReads,
  multicallAddress,
  type Read,
  type ReadResult,
} from './multicall-reads.ts'

/** A node refuses calls that are too large or take too long. */
const MAX_READS_PER_CALL = 240
/** More concurrent calls make a node slower, not faster. Later reads share the next call. */
const MAX_CONCURRENT_CALLS = 4

/** What one caller reads at once. */
export interface Inquiry {
  /** Calls of trusted contracts. All inquiries of the same turn share one eth_call for them. */
  readonly reads: readonly Read[]
  /** Calls that the node executes one by one, so that untrusted code cannot affect others. */
  readonly calls: readonly RpcCall[]
}

export interface InquiryResult {
  readonly reads: readonly ReadResult[]
  readonly calls: readonly RpcOutcome[]
}

/** Reads a chain. @throws Error if it cannot be read. */
export type Inquire = (inquiry: Inquiry) => Promise<InquiryResult>

/** Creates the reader of one chain, which sends the inquiries of one turn in one HTTP request. */
export function createInquire(chain: Pick<Chain, 'requestEach'>): Inquire {
  return batch((inquiries: Inquiry[]) => runInquiries(chain, inquiries), {
    maxItems: MAX_READS_PER_CALL,
    weigh: ({ reads, calls }) => reads.length + calls.length,
    maxConcurrentRuns: MAX_CONCURRENT_CALLS,
    retriesAlone: false,
  })
}

async function runInquiries(
  { requestEach }: Pick<Chain, 'requestEach'>,
  inquiries: readonly Inquiry[],
): Promise<InquiryResult[]> {
  const groups = inquiries.map(({ reads }) => reads)
  const reads = groups.flat()
  const multicall = { to: multicallAddress, data: encodeReads(reads) }
  const [shared, ...outcomes] = await requestEach([
    { method: 'eth_call', params: [multicall, 'latest'] },
    ...inquiries.flatMap(({ calls }) => calls),
  ])
  if (shared === undefined) throw new Error('The node returned fewer results than were requested')
  if ('error' in shared) throw new Error(`The reads failed: ${shared.error.code} ${shared.error.message}`)
  const results = splitResults(decodeResults(String(shared.result), reads.length), groups)
  let start = 0
  return inquiries.map(({ calls }, index) => {
    start += calls.length
    return { reads: results[index] ?? [], calls: outcomes.slice(start - calls.length, start) }
  })
}

/** Returns the results of each group of reads. */
function splitResults(results: readonly ReadResult[], groups: readonly (readonly Read[])[]): ReadResult[][] {
  let start = 0
  return groups.map(({ length }) => {
    start += length
    return results.slice(start - length, start)
  })
}
