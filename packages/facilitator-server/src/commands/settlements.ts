import {
  type Command,
  CommandFailedError,
  ConfigurationError,
  openChains,
  readEnvironment,
} from '@mintmark/server-kit'
import type { Kysely } from 'kysely'
import { readTreasuryState, type TreasuryReading } from '../audit/treasury-state.ts'
import { listSignerPayments } from '../chains/evm/transactions/signer-payments.ts'
import { readChains, readSurplus, readTreasury } from '../configuration.ts'
import { checkLedger } from '../ledger/check/check.ts'
import {
  clearReverts,
  findRevertSubject,
  listReverts,
  type RevertSubject,
} from '../ledger/settlements/reverts.ts'
import { findById } from '../ledger/settlements/settlement.ts'
import {
  auditSettlements,
  type Resolution,
  readSettlementHistory,
  resolveSettlement,
} from '../payments/operator/operator.ts'
import type { ChainOutcome } from '../payments/payment.ts'
import { inspectSettlement } from '../payments/reconcile/inspect.ts'
import type { Tables } from '../tables.ts'
import { integer, print, readOperator, withDatabase } from './command-database.ts'
import { type EngineParts, withEngine } from './engine.ts'

/** Sets the exit status to 1 if there are problems. */
function reportProblems(problems: readonly unknown[]): void {
  if (problems.length > 0) process.exitCode = 1
}

export const settlementCommands: Record<string, Command> = {
  'settlements show': {
    summary: 'Shows the history of a settlement, given by its id or its order number.',
    arguments: ['settlement'],
    async run({ arguments: [which = ''] }) {
      await withDatabase(async (db) => {
        const history = await readSettlementHistory(
          db,
          /^\d{1,15}$/.test(which) ? { id: Number(which) } : { orderNo: which },
        )
        if (history === undefined) throw new ConfigurationError(`Settlement ${which} does not exist`)
        print(history)
      })
    },
  },
  'settlements reconcile': {
    summary: 'Checks all settlements that are due now. The server does it every second.',
    run: async () => await withEngine(async ({ payments }) => print(await payments.engine.reconcile())),
  },
  'settlements resolve': {
    summary:
      'Ends an unknown settlement as settled (with --transaction) or failed, if its chain cannot be read. With --force, also if it can, after printing the outcome on the chain.',
    arguments: ['settlement-id', 'outcome'],
    options: { transaction: 'hash?', actor: 'who', reason: 'why' },
    flags: ['force'],
    async run({ arguments: [id, outcome], options }) {
      const resolution = parseResolution(integer(id, 'settlement-id'), outcome, options)
      const force = options.force !== undefined
      await withEngine(async (parts) => {
        if (force) print({ chain: await readOutcome(parts, resolution.id) })
        const { db, payments, config, enqueue } = parts
        const resolved = await resolveSettlement(db, resolution, {
          chargeOn: config.chargeOn,
          chainReader: payments.chainReader,
          force,
          enqueue,
        })
        if (resolved.kind === 'not-found') throw new ConfigurationError(`Settlement ${id} does not exist`)
        if (resolved.kind === 'not-unknown')
          throw new ConfigurationError(
            `Settlement ${id} is ${resolved.state}. Only an unknown settlement can be resolved`,
          )
        if (resolved.kind === 'readable')
          throw new ConfigurationError(
            `${resolved.network} can be read, so the chain decides. Run settlements reconcile, or resolve with --force`,
          )
        print(resolved.settlement)
      })
    },
  },
  'settlements reverts': {
    summary:
      'Lists the payers and accounts whose transactions reverted within REVERT_WINDOW_SECONDS, and whether they are refused.',
    run: async () =>
      await withEngine(async ({ db, config }) => print(await listReverts(db, config.revertLimits))),
  },
  'settlements clear-reverts': {
    summary:
      'Accepts the payments of a wallet (0x…), or of an account (its id), again: its reverted transactions so far no longer count.',
    arguments: ['payer-or-account'],
    options: { actor: 'who', reason: 'why' },
    async run({ arguments: [which = ''], options }) {
      const operator = readOperator(options)
      await withEngine(async ({ db, config }) => {
        const subject = await readRevertSubject(db, which)
        await clearReverts(db, subject, operator)
        print(await listReverts(db, config.revertLimits))
      })
    },
  },
  'settlements audit': {
    summary:
      "Compares the signers' payments on the chains since a block with the settlements. Required after a restore.",
    options: { 'from-block': 'number', chain: 'id?' },
    async run({ options }) {
      const fromBlock = BigInt(integer(options['from-block'], '--from-block'))
      await withEngine(async ({ db, payments, config }) => {
        const only = options.chain === undefined ? undefined : integer(options.chain, '--chain')
        const chains = payments.chains.all.filter((chain) => only === undefined || chain.id === only)
        if (chains.length === 0) throw new ConfigurationError('--chain is not among CHAINS')
        const signers = payments.builtIn?.signers ?? []
        if (signers.length === 0)
          throw new ConfigurationError(
            'FACILITATOR_SIGNER_KEYS is not set, so there are no transactions to audit',
          )
        const filter = { signers, assets: config.allowedAssets }
        for (const chain of chains) {
          const report = await auditSettlements(db, listSignerPayments(chain, filter, fromBlock))
          print({ chain: chain.id, ...report })
          reportProblems(report.problems)
        }
      })
    },
  },
  'ledger check': {
    summary:
      'Checks that entries and balances agree and, if CHAINS contains TREASURY_CHAIN, that the treasury covers the liabilities and the deposits. Exits with status 1 if not.',
    run: async () =>
      await withDatabase(async (db) => {
        const { checks, balanceProblem, depositsProblem } = await readConfiguredTreasury(db)
        const { problems, totals } = await checkLedger(db, checks)
        const deposits = depositsProblem || `compared at block ${checks.treasuryAtBlock?.block}`
        print({ problems, totals, treasury: checks.treasury ?? balanceProblem, deposits })
        reportProblems(problems)
      }),
  },
}

async function readConfiguredTreasury(db: Kysely<Tables>): Promise<TreasuryReading> {
  const env = readEnvironment()
  const { chain: chainId, address } = readTreasury(env)
  const chain = openChains(readChains(env)).byId(chainId)
  const reading = await readTreasuryState(db, { chain, address, surplus: readSurplus(env) })
  if (reading.isUnreadable)
    throw new CommandFailedError(`The treasury's chain ${chainId} cannot be read: ${reading.balanceProblem}`)
  return reading
}

async function readRevertSubject(db: Kysely<Tables>, which: string): Promise<RevertSubject> {
  const isWallet = /^0x[0-9a-fA-F]{40}$/.test(which)
  return await findRevertSubject(
    db,
    isWallet ? { payer: which } : { account: integer(which, 'payer-or-account') },
  )
}

/** Reads the present outcome of a settlement's payment from the chain. */
async function readOutcome({ db, payments }: EngineParts, id: number): Promise<ChainOutcome> {
  const settlement = await findById(db, id)
  if (settlement === undefined) throw new ConfigurationError(`Settlement ${id} does not exist`)
  return inspectSettlement(payments.chainReader, settlement)
}

function parseResolution(
  id: number,
  outcome: string | undefined,
  options: Record<string, string | undefined>,
): Resolution {
  const operator = readOperator(options)
  if (outcome === 'failed') return { id, outcome, ...operator }
  if (outcome !== 'settled') throw new ConfigurationError('outcome: expected settled or failed')
  const { transaction = '' } = options
  if (!/^(0x[0-9a-fA-F]{64}|[1-9A-HJ-NP-Za-km-z]{64,88})$/.test(transaction))
    throw new ConfigurationError(
      '--transaction: expected 0x and 64 hexadecimal digits, or a signature of Solana',
    )
  return { id, outcome, transaction, ...operator }
}
