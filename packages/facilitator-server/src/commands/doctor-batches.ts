import type { ChainConfig } from '@mintmark/evm-reader'
import { requestFromAnyNode } from '@mintmark/evm-reader/doctor'
import { type DatabaseProbe, type Outcome, reportOk, reportWarning } from '@mintmark/server-kit/doctor'
import { multicallAddress } from '../chains/evm/batched-reads.ts'

/**
 * Creates the probe that finds chains on which the settles of accounts with a batch delay cannot share a
 * transaction.
 */
export function createBatchProbe(chains: readonly ChainConfig[]): DatabaseProbe {
  return async (db) => {
    const [row] = await db.query<{ count: number }>(
      'select count(*)::int as count from facilitator.accounts where batch_delay_ms > 0',
    )
    const count = row?.count ?? 0
    if (count === 0) return []
    const outcomes = await Promise.all(chains.map((chain) => checkMulticall(chain, count)))
    return outcomes.flat().map((outcome) => ({ ...outcome, area: 'chains' }))
  }
}

async function checkMulticall(chain: ChainConfig, count: number): Promise<Outcome[]> {
  const results = await requestFromAnyNode(chain, [
    { method: 'eth_getCode', params: [multicallAddress, 'latest'] },
  ])
  // The check of the chain reports why no node responds.
  if (results === undefined) return []
  if (results[0] !== '0x') return [reportOk(`Chain ${chain.id} has Multicall3, which batches call`)]
  const accounts = count === 1 ? '1 account' : `${count} accounts`
  return [
    reportWarning(
      `Chain ${chain.id} has no contract at ${multicallAddress} (Multicall3), so no settles of ${accounts} with a batch delay share a transaction there`,
      `Deploy Multicall3 on chain ${chain.id} and start the server again, or run accounts batch <account> --delay 0`,
    ),
  ]
}
