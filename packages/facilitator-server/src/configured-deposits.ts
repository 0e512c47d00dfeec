import type { Chain } from '@mintmark/evm-reader'
import type { Kysely } from 'kysely'
import type { DepositWatchOptions } from './chains/evm/deposits/deposit-parts.ts'
import { createDepositWatch, type DepositWatch } from './chains/evm/deposits/deposit-watch.ts'
import type { Configuration } from './configuration.ts'
import type { Tables } from './database/tables.ts'
import { type EngineLog, getDefaultLowBalance } from './engine/settings/engine-options.ts'
import type { Enqueue } from './events/record-event.ts'
import { creditDeposit, reverseDeposit } from './ledger/deposits/deposits.ts'

interface DepositSettings {
  readonly db: Kysely<Tables>
  readonly config: Pick<Configuration, 'price' | 'treasury' | 'treasuryFromBlock'>
  /** The chain of `TREASURY_CHAIN`. */
  readonly chain: Chain
  readonly enqueue: Enqueue
  readonly log: EngineLog
}

/**
 * Creates the watch of deposits with the settings of the server. It credits the ledger.
 *
 * @param more What differs from the settings.
 */
export function createConfiguredDepositWatch(
  { db, config, chain, enqueue, log }: DepositSettings,
  more: Pick<DepositWatchOptions, 'rereadFrom'> = {},
): DepositWatch {
  const lowBalance = getDefaultLowBalance(config.price)
  return createDepositWatch({
    db,
    chain,
    treasury: config.treasury,
    fromBlock: config.treasuryFromBlock,
    credit: (deposit) => creditDeposit(db, deposit, enqueue),
    reverse: (deposit) => reverseDeposit(db, deposit, { lowBalance, enqueue }),
    log,
    ...more,
  })
}
