import { compareBlocksAsOf, type FinalBlock, readReceipt } from '@mintmark/evm-reader'
import { larger } from '../../../payment/amounts.ts'
import { type DepositParts, type DepositReport, withoutPosition } from './deposit-parts.ts'
import {
  type Cursor,
  listDepositsSince,
  type ObservedDeposit,
  recordDeposit,
  rewind,
} from './deposit-store.ts'
import { decodeTreasuryLogs, decodeTreasuryReceipt } from './treasury-logs.ts'

/**
 * Compares the block that was read last with the chain's block. After a reorganization deeper than finality,
 * reverses the deposits that it removed and returns the cursor to continue from. Returns undefined if the
 * node's responses do not decide it. Then nothing is changed, and the next pass checks again.
 */
export async function checkCursor(
  parts: DepositParts,
  cursor: Cursor,
  final: FinalBlock,
  report: DepositReport,
): Promise<Cursor | undefined> {
  const { nextBlock, lastHash } = cursor
  if (lastHash === undefined) return cursor
  const last = nextBlock - 1n
  if (last > final.number) return undefined
  const { chain, log } = parts
  const [comparison] = await compareBlocksAsOf(chain, [{ number: last, hash: lastHash }], final)
  if (comparison === 'same') return cursor
  if (comparison !== 'different') return undefined
  log.warn({ chain: chain.id, block: last }, 'A final block was replaced. Credited deposits are checked')
  return handleReorganization(parts, cursor, final, report)
}

/** How many blocks are checked again. */
const RECHECK_BLOCKS = 1_000n

async function handleReorganization(
  parts: DepositParts,
  cursor: Cursor,
  final: FinalBlock,
  report: DepositReport,
): Promise<Cursor | undefined> {
  const { db, treasury, log } = parts
  const first = larger(cursor.nextBlock - RECHECK_BLOCKS, parts.fromBlock)
  const replaced = await listReplaced(parts, first, final)
  const lost = replaced && (await listLost(parts, replaced, { first, final }))
  if (lost === undefined) return undefined
  for (const deposit of lost) {
    await parts.reverse(withoutPosition(deposit))
    await recordDeposit(db, treasury, { ...deposit, lost: true })
    report.lost += 1
    const { hash, payer, amount } = deposit
    log.error(
      { hash, payer, amount: amount.toString() },
      'A reorganization removed a credited deposit. It was reversed and its account frozen',
    )
  }
  const rewound = { nextBlock: first, lastHash: undefined }
  await rewind(db, treasury, cursor, rewound)
  return rewound
}

/**
 * Lists the credited deposits whose final block was replaced. Returns undefined if one of them cannot be
 * compared.
 */
async function listReplaced(
  { db, chain, treasury }: DepositParts,
  since: bigint,
  final: FinalBlock,
): Promise<ObservedDeposit[] | undefined> {
  const deposits = await listDepositsSince(db, treasury, since)
  if (deposits.some(({ blockNumber }) => blockNumber > final.number)) return undefined
  const blocks = deposits.map(({ blockNumber: number, blockHash: hash }) => ({ number, hash }))
  const comparisons = await compareBlocksAsOf(chain, blocks, final)
  if (comparisons.includes('unknown')) return undefined
  return deposits.filter((_, index) => comparisons[index] === 'different')
}

/**
 * Lists the deposits whose block was replaced and that the final chain does not contain. Records the others
 * with their new block. Returns undefined if that is not decided yet.
 */
async function listLost(
  parts: DepositParts,
  replaced: readonly ObservedDeposit[],
  { first, final }: { first: bigint; final: FinalBlock },
): Promise<ObservedDeposit[] | undefined> {
  const { db, chain, treasury } = parts
  const lost: ObservedDeposit[] = []
  for (const deposit of replaced) {
    const fact = await readReceipt(chain, deposit.hash, final)
    if (fact.kind === 'unknown') return undefined
    if (fact.kind === 'absent') {
      lost.push(deposit)
      continue
    }
    // A deposit in a block that is not final yet is not lost. A later pass decides.
    if (fact.receipt.blockNumber > final.number) return undefined
    const { deposits } = decodeTreasuryReceipt(treasury, fact.receipt)
    const moved = deposits.find((other) => isSameDeposit(other, deposit))
    if (moved === undefined) lost.push(deposit)
    else await recordDeposit(db, treasury, { ...moved, logIndex: deposit.logIndex })
  }
  if (lost.length === 0) return lost
  // A reversal freezes an account, so that the blocks themselves must show the same as the receipts.
  const canonical = await listFinalDeposits(parts, first, final)
  const isContradicted = lost.some((deposit) => canonical.some((other) => isSameDeposit(other, deposit)))
  return isContradicted ? undefined : lost
}

/** Lists the deposits from the block `from` to the final one. */
async function listFinalDeposits(
  { strictReader, filter, chain }: DepositParts,
  from: bigint,
  final: FinalBlock,
): Promise<ObservedDeposit[]> {
  const to = Number(final.number)
  const newest = { number: to, time: Number(final.timestamp), hash: final.hash }
  const deposits: ObservedDeposit[] = []
  let parentHash: string | undefined
  for (let next = Number(from); next <= to; ) {
    const range = await strictReader.read({ filter, from: next, to, newest, parentHash })
    deposits.push(...decodeTreasuryLogs(chain.id, range.logs).deposits)
    parentHash = range.headers.at(-1)?.hash
    next = range.to + 1
  }
  return deposits
}

function isSameDeposit(left: ObservedDeposit, right: ObservedDeposit): boolean {
  const sameLog = left.hash === right.hash && left.position === right.position
  return sameLog && left.payer === right.payer && left.amount === right.amount
}
