import { openDatabase } from '@mintmark/server-kit'
import {
  type DatabaseProbe,
  type Outcome,
  reportError,
  reportOk,
  reportWarning,
} from '@mintmark/server-kit/doctor'
import { describeOutstanding, listOutstanding, readLastUse } from '../chains/evm/transactions/outstanding.ts'
import type { SettlementSigner } from '../chains/evm/transactions/signers.ts'
import type { Configuration } from '../configuration.ts'
import type { Tables } from '../tables.ts'

/**
 * Creates the probe that finds signers whose keys are removed, or can be removed.
 *
 * @param settings `maxValidity`: the seconds for which a payment can be valid.
 */
export function createRetirementProbe(
  signers: readonly SettlementSigner[],
  { retiredSigners: retired, maxValidity }: Pick<Configuration, 'retiredSigners' | 'maxValidity'>,
): DatabaseProbe {
  const configured = new Set(signers.map(({ address }) => address))
  return async ({ url }) => {
    const database = openDatabase<Tables>({ url, max: 1, applicationName: 'mintmark-doctor' })
    try {
      const outcomes: Outcome[] = []
      const outstanding = await listOutstanding(database.system)
      for (const work of outstanding) {
        const { chainId, signer } = work
        const message = `${signer} on chain ${chainId} has ${describeOutstanding(work)}`
        if (!configured.has(signer))
          outcomes.push(
            reportError(
              `Signer ${message}, and its key is not configured`,
              'Add the key again, and the address to RETIRED_SIGNERS. Remove both when nothing of it is outstanding',
            ),
          )
        else if (retired.has(signer))
          outcomes.push(
            reportWarning(`The retired signer ${message}`, 'Keep its key and its gas, and repeat later'),
          )
      }
      const unfinished = new Set(outstanding.map(({ signer }) => signer))
      for (const address of retired) {
        if (!configured.has(address) || unfinished.has(address)) continue
        const lastUse = await readLastUse(database.system, { signer: address })
        outcomes.push(
          lastUse !== undefined && lastUse <= maxValidity
            ? reportWarning(
                `The retired signer ${address} has signed in the last ${maxValidity} seconds, so payments that are signed for it may not be settled yet`,
                'Keep its key and its gas, and repeat later',
              )
            : reportOk(
                `Nothing of the retired signer ${address} is outstanding. Its key can be removed once all sellers have read /supported again`,
              ),
        )
      }
      return outcomes.map((outcome) => ({ ...outcome, area: 'signers' }))
    } finally {
      await database.close()
    }
  }
}
