import { openChains } from '@mintmark/evm-reader'
import { operatorReverts, operatorSettlements } from '@mintmark/facilitator/operator'
import { type Command, CommandFailedError, ConfigurationError, readEnvironment } from '@mintmark/server-kit'
import type { Kysely } from 'kysely'
import { readChains, readTreasury } from '../configuration.ts'
import type { Tables } from '../database/tables.ts'
import { auditSettlements, readSettlementHistory } from '../engine/operator/operator.ts'
import { operatorSettlementRoutes } from '../http/operator/settlement-handlers.ts'
import { checkLedger } from '../ledger/check/check.ts'
import { listReverts } from '../ledger/settlements/reverts.ts'
import { readTreasuryState, type TreasuryReading } from '../operations/audit/treasury-state.ts'
import { listSignerPayments } from '../operations/signer-payments.ts'
import { integer, print, withDatabase } from './command-database.ts'
import { type EngineParts, withEngine } from './engine.ts'
import { createDecisionCommand, type DecisionSource } from './operate.ts'

/** Sets the exit status to 1 if there are problems. */
function reportProblems(problems: readonly unknown[]): void {
  if (problems.length > 0) process.exitCode = 1
}

/** Decisions about settlements and reverts. */
const decisions: DecisionSource<EngineParts> = { routes: operatorSettlementRoutes, open: withEngine }

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
  'settlements resolve': createDecisionCommand(
    decisions,
    {
      summary:
        'Ends an unknown settlement as settled (with --transaction) or failed, if its chain cannot be read. With --force, also if it can. Prints what the chain shows, too.',
      arguments: ['settlement-id', 'outcome'],
      options: { transaction: 'hash?' },
      flags: ['force'],
    },
    ([settlement, outcome], { transaction, force }) => {
      const id = integer(settlement, 'settlement-id')
      if (outcome !== 'settled' && outcome !== 'failed')
        throw new ConfigurationError('outcome: expected settled or failed')
      const given = { id, force: force !== undefined, ...(transaction !== undefined && { transaction }) }
      return ({ operate, reason }) => operate(operatorSettlements.resolve, { ...given, outcome, reason })
    },
  ),
  'settlements reverts': {
    summary:
      'Lists the payers and accounts whose transactions reverted within an hour, and whether they are refused.',
    run: async () =>
      await withEngine(async ({ db, config }) => print(await listReverts(db, config.revertLimits))),
  },
  'settlements clear-reverts': createDecisionCommand(
    decisions,
    {
      summary:
        'Accepts the payments of a wallet (0x…), or of an account (its id), again: its reverted transactions so far no longer count.',
      arguments: ['payer-or-account'],
    },
    ([subject = '']) => {
      const kind = /^0x/.test(subject) ? 'payer' : 'account'
      return ({ operate, reason }) => operate(operatorReverts.clear, { kind, subject, reason })
    },
  ),
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
        const { problems, totals, trials, liabilities } = await checkLedger(db, checks)
        const deposits = depositsProblem || `compared at block ${checks.treasuryAtBlock?.block}`
        const treasury = checks.treasury ?? balanceProblem
        print({ problems, totals, trials, liabilities, treasury, deposits })
        reportProblems(problems)
      }),
  },
}

async function readConfiguredTreasury(db: Kysely<Tables>): Promise<TreasuryReading> {
  const env = readEnvironment()
  const { chain: chainId, ...treasury } = readTreasury(env)
  const chain = openChains(readChains(env)).byId(chainId)
  const reading = await readTreasuryState(db, { chain, ...treasury })
  if (reading.isUnreadable)
    throw new CommandFailedError(`The treasury's chain ${chainId} cannot be read: ${reading.balanceProblem}`)
  return reading
}
