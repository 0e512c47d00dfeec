import type { ChainConfig } from '@mintmark/evm-reader'
import { requestFromAnyNode } from '@mintmark/evm-reader/doctor'
import { type Check, type Outcome, reportError, reportOk, reportWarning } from '@mintmark/server-kit/doctor'
import type { Configuration } from '../configuration.ts'

type TreasurySettings = Pick<Configuration, 'treasury' | 'treasuryChain' | 'treasuryFromBlock'>

/** Creates the check of the contract that receives deposits. */
export function createTreasuryCheck(settings: TreasurySettings, chains: readonly ChainConfig[]): Check {
  const chain = chains.find(({ id }) => id === settings.treasuryChain)
  return {
    area: 'chains',
    name: 'The treasury',
    run: async () => (chain === undefined ? [] : await checkTreasury(settings, chain)),
  }
}

async function checkTreasury(settings: TreasurySettings, chain: ChainConfig): Promise<Outcome[]> {
  const results = await requestFromAnyNode(chain, [
    { method: 'eth_getCode', params: [settings.treasury, 'latest'] },
    { method: 'eth_blockNumber', params: [] },
  ])
  if (results === undefined) return []
  const [code, head] = results
  return describeTreasury(settings, String(code), BigInt(String(head)))
}

function describeTreasury(
  { treasury, treasuryChain, treasuryFromBlock }: TreasurySettings,
  code: string,
  head: bigint,
): Outcome[] {
  if (code === '0x')
    return [
      reportError(
        `TREASURY_ADDRESS ${treasury} is not a contract on chain ${treasuryChain}, so deposits to it are lost`,
        'Correct TREASURY_ADDRESS and TREASURY_CHAIN, or deploy the contract',
      ),
    ]
  if (treasuryFromBlock > head)
    return [
      reportError(
        `TREASURY_FROM_BLOCK ${treasuryFromBlock} is after the newest block ${head}, so deposits are not credited`,
        "Set TREASURY_FROM_BLOCK to the block of the treasury's deployment",
      ),
    ]
  if (treasuryFromBlock === 0n && head > 1_000_000n)
    return [
      reportWarning(
        'TREASURY_FROM_BLOCK is not set, so the whole chain is searched for deposits first',
        "Set TREASURY_FROM_BLOCK to the block of the treasury's deployment",
      ),
    ]
  return [reportOk(`The treasury is a contract on chain ${treasuryChain}`)]
}
