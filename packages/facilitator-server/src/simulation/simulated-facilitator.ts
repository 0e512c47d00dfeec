import { createProcessLog } from '@mintmark/devkit/simulation/process-log'
import { runInProcess, type SimulatedProcess } from '@mintmark/devkit/simulation/simulation'
import type { SimulatedServerProcess } from '@mintmark/devkit/simulation/world'
import { readEnvironment } from '@mintmark/server-kit'
import type { Kysely } from 'kysely'
import { createDepositWatch } from '../chains/evm/deposits/deposit-watch.ts'
import { recordHeads } from '../chains/evm/heads/heads.ts'
import { allowAssets } from '../chains/evm/settings/allowed-assets.ts'
import { type Configuration, readConfiguration } from '../configuration.ts'
import type { Tables } from '../database/tables.ts'
import { getDefaultLowBalance } from '../engine/settings/engine-options.ts'
import type { SettleOutcome } from '../engine/settle/outcome.ts'
import type { SettleCall } from '../engine/settle/settle-request.ts'
import { creditDeposit, type Deposit, reverseDeposit } from '../ledger/deposits/deposits.ts'
import { type AuditProblem, runAudit } from '../operations/audit/audit.ts'
import type { Payment } from '../payment/payment.ts'
import { createPaymentsEngine } from '../payments-engine.ts'
import { CHAIN_ID, createSigner, SIGNER_INDICES, TREASURY } from './wallets.ts'

/** What a facilitator's jobs do. */
export const JOBS = ['reconcile', 'sweep', 'deposits', 'heads'] as const
export type Job = (typeof JOBS)[number]

/** A facilitator's engine, its upstream and its jobs in a simulated process, as `server.ts` starts them. */
export interface SimulatedFacilitator extends SimulatedServerProcess<Job> {
  /** The settles whose callers wait. */
  readonly settles: Set<object>
  settle(payment: Payment, call: SettleCall): Promise<SettleOutcome>
  audit(): Promise<readonly AuditProblem[]>
}

export interface FacilitatorSettings {
  readonly finality: string
  readonly chargeOn: string
  readonly signers: number
  /** Called before a deposit is credited. */
  readonly onCredit?: (deposit: Deposit) => void
}

/** Wei in the treasury that are not deposits. They back the accounts' granted credit. */
export const TREASURY_SURPLUS = 10n ** 24n

const configurations = new Map<string, Configuration>()

/** Reads the configuration of a facilitator with two nodes. */
function getConfiguration({ onCredit: _, ...settings }: FacilitatorSettings): Configuration {
  const key = JSON.stringify(settings)
  const cached = configurations.get(key)
  if (cached !== undefined) return cached
  const env = {
    CHAINS: `${CHAIN_ID}=http://first.node,http://second.node`,
    FINALITY: settings.finality,
    CHARGE_ON: settings.chargeOn,
    TREASURY_CHAIN: String(CHAIN_ID),
    TREASURY_ADDRESS: TREASURY,
    TREASURY_SURPLUS_WEI: TREASURY_SURPLUS.toString(),
    // Replaced below by signers that cache their signatures.
    FACILITATOR_SIGNER_KEYS: `0x${'11'.repeat(32)}`,
    UPSTREAM_TIMEOUT_MS: '4000',
    REVERT_LIMIT_PER_PAYER: '0',
    REVERT_LIMIT_PER_ACCOUNT: '0',
  }
  const signers = SIGNER_INDICES.slice(0, settings.signers).map(createSigner)
  const configuration = { ...readConfiguration(readEnvironment(env)), signers }
  configurations.set(key, configuration)
  return configuration
}

/** Starts a facilitator in a simulated process. */
export function startFacilitator(
  process: SimulatedProcess,
  db: Kysely<Tables>,
  settings: FacilitatorSettings,
): SimulatedFacilitator {
  return runInProcess(process, () => {
    const config = getConfiguration(settings)
    const log = createProcessLog(process)
    const { engine, chains, builtIn } = createPaymentsEngine(config, db, log)
    const [chain] = chains.all
    if (chain === undefined || builtIn === undefined) throw new Error('The simulation has no chain')
    const deposits = createDepositWatch({
      db,
      chain,
      treasury: TREASURY,
      credit: (deposit) => {
        settings.onCredit?.(deposit)
        return creditDeposit(db, deposit)
      },
      reverse: (deposit) => reverseDeposit(db, deposit, { lowBalance: getDefaultLowBalance(config.price) }),
      log,
    })
    const jobs: Record<Job, () => Promise<unknown>> = {
      reconcile: () => engine.reconcile(),
      sweep: () => builtIn.sweep(),
      deposits: () => deposits.poll(),
      heads: () => recordHeads(db, chains),
    }
    const treasury = { chain, address: TREASURY, surplus: TREASURY_SURPLUS }
    const audit = { db, chains: chains.all, signers: builtIn.signers, assets: allowAssets(), treasury, log }
    return {
      process,
      running: new Set(),
      settles: new Set(),
      settle: (payment, call) => runInProcess(process, () => engine.settle(payment, call)),
      run: (job) => runInProcess(process, jobs[job]),
      audit: () => runInProcess(process, async () => (await runAudit(audit, 0)) ?? []),
    }
  })
}
