import type { AnvilClient } from '@mintmark/devkit/chain/chain'
import type { Address } from 'viem'
import type { SettlementRow } from './facts.ts'
import type { Fixture } from './fixture.ts'

export type OwnTransaction = Awaited<ReturnType<typeof listOwnTransactions>>[number]

/** Lists the transactions of a fixture's signers with their receipts, in the order of the chain, which knows all. */
export async function listOwnTransactions(
  { signers }: Pick<Fixture, 'signers'>,
  client: AnvilClient,
  to?: Address,
) {
  const own = new Set(signers.map((signer) => signer.toLowerCase()))
  const listed = []
  const newest = await client.getBlockNumber()
  for (let blockNumber = 0n; blockNumber <= newest; blockNumber += 1n) {
    const { transactions } = await client.getBlock({ blockNumber, includeTransactions: true })
    for (const transaction of transactions) {
      if (!own.has(transaction.from)) continue
      if (to !== undefined && transaction.to !== to.toLowerCase()) continue
      const receipt = await client.getTransactionReceipt({ hash: transaction.hash })
      listed.push({ ...transaction, receipt })
    }
  }
  return listed
}

/** Compares a settlement with its mined transaction. */
export function findRowProblems(row: SettlementRow, { receipt }: OwnTransaction): string[] {
  const { id, state, charge } = row
  const { status, blockHash } = receipt
  const problems: string[] = []
  if (charge === null) problems.push(`settlement ${id} has a mined transaction and was not charged`)
  if ((state === 'settled') !== (status === 'success'))
    problems.push(`settlement ${id} is ${state}, and its transaction is a ${status}`)
  if (state === 'settled' && (row.final_at === null || row.block_hash !== blockHash))
    problems.push(`settlement ${id} is in block ${row.block_hash}, and its transaction in ${blockHash}`)
  return problems
}

/** Checks the settlements of which no transaction is mined. */
export function findUnminedProblems(
  settlements: readonly SettlementRow[],
  mined: readonly OwnTransaction[],
): string[] {
  const hashes = new Set<string | null>(mined.map(({ hash }) => hash))
  return settlements
    .filter(({ transaction }) => !hashes.has(transaction))
    .flatMap(({ id, state, charge }) => [
      ...(state === 'failed' || state === 'not_sent'
        ? []
        : [`settlement ${id} is ${state} without a transaction`]),
      ...(charge === null ? [] : [`settlement ${id} was charged without a transaction`]),
    ])
}
