import {
  type Command,
  CommandFailed,
  ConfigurationError,
  createLog,
  describeChainError,
  environment,
  openChains,
} from '@mintmark/server-kit'
import type { Kysely } from 'kysely'
import {
  type Configuration,
  readChains,
  readConfiguration,
  readSurplus,
  readTreasury,
} from '../configuration.ts'
import { signerPayments } from '../chains/evm/transactions/signer-payments.ts'
import { asHex } from '../chains/evm/transfer.ts'
import { readTreasuryBalance } from '../chains/evm/deposits/treasury-balance.ts'
import { checkLedger, type LedgerCheckOptions } from '../ledger/check/check.ts'
import type { Enqueue } from '../events/record-event.ts'
import type { ChainVerdict } from '../payments/payment.ts'
import { createPaymentsEngine, type PaymentsEngine } from '../payments-engine.ts'
import {
  auditSettlements,
  type Resolution,
  resolveSettlement,
  showSettlement,
} from '../payments/operator/operator.ts'
import { inspectSettlement } from '../payments/reconcile/reconcile.ts'
import { listReverts } from '../payments/operator/reverts.ts'
import { findById } from '../ledger/settlements/settlement.ts'
import type { Tables } from '../tables.ts'
import { integer, operatorOf, print, withDatabase } from './command-database.ts'

interface EngineParts {
  db: Kysely<Tables>
  payments: PaymentsEngine
  config: Configuration
  enqueue: Enqueue
}

/** Runs work with the engine and the chains of the server's own settings. */
async function withEngine(work: (parts: EngineParts) => Promise<void>): Promise<void> {
  const config = readConfiguration(environment())
  await withDatabase(async (db, enqueue) => {
    const payments = createPaymentsEngine(config, db, createLog('facilitator', 'warn'), { enqueue })
    await work({ db, payments, config, enqueue })
    await payments.engine.drain()
  })
}

function found(problems: readonly unknown[]): void {
  if (problems.length > 0) process.exitCode = 1
}

export const settlementCommands: Record<string, Command> = {
  'settlements show': {
    summary: 'Shows all that is known of a settlement, named by its id or its order number.',
    arguments: ['settlement'],
    async run({ arguments: [which = ''] }) {
      await withDatabase(async (db) => {
        const history = await showSettlement(
          db,
          /^\d{1,15}$/.test(which) ? { id: Number(which) } : { orderNo: which },
        )
        if (history === undefined) throw new ConfigurationError(`there is no settlement ${which}`)
        print(history)
      })
    },
  },
  'settlements reconcile': {
    summary:
      'Finds out now how the settlements ended whose outcome is open; the server does it by itself every second.',
    run: async () => await withEngine(async ({ payments }) => print(await payments.engine.reconcile())),
  },
  'settlements resolve': {
    summary:
      'Ends an unknown settlement as settled (with --transaction) or failed, where no chain can be read; with --force also elsewhere, after printing what the chain says.',
    arguments: ['settlement-id', 'outcome'],
    options: { transaction: 'hash?', actor: 'who', reason: 'why' },
    flags: ['force'],
    async run({ arguments: [id, outcome], options }) {
      const resolution = resolutionOf(integer(id, 'settlement-id'), outcome, options)
      const force = options.force !== undefined
      await withEngine(async (parts) => {
        if (force) print({ chain: await readVerdict(parts, resolution.id) })
        const { db, payments, config, enqueue } = parts
        const resolved = await resolveSettlement(db, resolution, {
          chargeOn: config.chargeOn,
          chainReader: payments.chainReader,
          force,
          enqueue,
        })
        if (resolved.kind === 'not-found') throw new ConfigurationError(`there is no settlement ${id}`)
        if (resolved.kind === 'not-unknown')
          throw new ConfigurationError(
            `settlement ${id} is ${resolved.state}: only an unknown one can be resolved`,
          )
        if (resolved.kind === 'readable')
          throw new ConfigurationError(
            `${resolved.network} can be read, so that the chain decides: run settlements reconcile, or resolve with --force`,
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
  'settlements audit': {
    summary:
      "Compares the payments that the signers' transactions made on the chains, from a block on, with the rows; needed after a restore.",
    options: { 'from-block': 'number', chain: 'id?' },
    async run({ options }) {
      const fromBlock = BigInt(integer(options['from-block'], '--from-block'))
      await withEngine(async ({ db, payments }) => {
        const only = options.chain === undefined ? undefined : integer(options.chain, '--chain')
        const chains = payments.chains.all.filter((chain) => only === undefined || chain.id === only)
        if (chains.length === 0) throw new ConfigurationError('there is no such chain in CHAINS')
        const signers = payments.builtIn?.signers ?? []
        if (signers.length === 0)
          throw new ConfigurationError(
            'FACILITATOR_SIGNER_KEYS: there are no signers whose transactions could be audited',
          )
        for (const chain of chains) {
          const report = await auditSettlements(db, signerPayments(chain, signers, fromBlock))
          print({ chain: chain.id, ...report })
          found(report.problems)
        }
      })
    },
  },
  'ledger check': {
    summary:
      'Checks that entries and balances agree and, where CHAINS has TREASURY_CHAIN, that the treasury has what is owed and what was deposited; status 1 when not.',
    run: async () =>
      await withDatabase(async (db) => {
        const treasury = await treasuryBalances(db)
        const report = await checkLedger(db, treasury.checks)
        const { problems, totals } = report
        print({ problems, totals, treasury: treasury.present, deposits: treasury.deposits })
        found(problems)
      }),
  },
}

interface TreasuryBalances {
  readonly checks: LedgerCheckOptions
  /** What is printed: a balance in wei, or why it was not read. */
  readonly present: bigint | string
  /** What is printed: up to which block deposits were compared, or why they were not. */
  readonly deposits: string
}

async function treasuryBalances(db: Kysely<Tables>): Promise<TreasuryBalances> {
  const env = environment()
  const { chain: chainId, address } = readTreasury(env)
  const chain = openChains(readChains(env)).byId(chainId)
  if (chain === undefined || address === undefined) {
    const why = 'not read: TREASURY_CHAIN is not among CHAINS'
    return { checks: {}, present: why, deposits: why }
  }
  let treasury: bigint
  try {
    treasury = await chain.client.getBalance({ address: asHex(address) })
  } catch (error) {
    throw new CommandFailed(`the treasury's chain ${chainId} cannot be read: ${describeChainError(error)}`)
  }
  try {
    const treasuryAtBlock = await readTreasuryBalance(db, chain, address)
    const deposits =
      treasuryAtBlock === undefined
        ? 'not compared: no deposits were read yet'
        : `compared at block ${treasuryAtBlock.block}`
    const checks = { treasury, treasuryAtBlock, surplus: readSurplus(env) }
    return { checks, present: treasury, deposits }
  } catch (error) {
    const deposits = `not compared: the node has no balance for the last block read (${describeChainError(error)})`
    return { checks: { treasury }, present: treasury, deposits }
  }
}

/** What the chain says of a settlement's payment now. */
async function readVerdict({ db, payments }: EngineParts, id: number): Promise<ChainVerdict> {
  const settlement = await findById(db, id)
  if (settlement === undefined) throw new ConfigurationError(`there is no settlement ${id}`)
  return inspectSettlement(payments.chainReader, settlement)
}

function resolutionOf(
  id: number,
  outcome: string | undefined,
  options: Record<string, string | undefined>,
): Resolution {
  const operator = operatorOf(options)
  if (outcome === 'failed') return { id, outcome, ...operator }
  if (outcome !== 'settled') throw new ConfigurationError('outcome: expected settled or failed')
  const { transaction = '' } = options
  if (!/^0x[0-9a-fA-F]{64}$/.test(transaction))
    throw new ConfigurationError('--transaction: expected 0x and 64 hexadecimal digits')
  return { id, outcome, transaction, ...operator }
}
