import { toMintRequest } from '@mintmark/contracts/abi'
import type { Database, Logger } from '@mintmark/server-kit'
import { sql } from 'kysely'
import { ChainUnavailableError } from '../../../chain/chain-access.ts'
import type { FinalMoment, MintChain, MintLog, SignedMint } from '../../../chain/mint-chain.ts'
import { type ClaimRequest, createDueChecks, type DueRow } from '../../../database/due-checks.ts'
import type { Tables } from '../../../database/tables.ts'
import { openTenant, type Tenant } from '../../../database/tenant.ts'
import type { OrderPort } from '../../inventory/order-port.ts'
import { completeMint, expireSignature } from '../reservations/mint-inventory.ts'
import { releaseExpired } from '../reservations/release.ts'
import type { NamedReservation } from '../reservations/reservations-store.ts'
import * as reservations from '../reservations/reservations-store.ts'
import { firstBlockOf, nextBlockOf, rangesOf, searchFinalMint } from '../signatures/find-mint.ts'
import { asHex, payloadOf } from '../signatures/mint-request.ts'
import { createFinalBlocks, type FinalBlocks } from './final-blocks.ts'

export interface WatchOptions {
  readonly database: Database<Tables>
  readonly chain: MintChain
  readonly orders: OrderPort
  readonly log: Logger
}

/** What final blocks show of a signature that has expired. */
type Outcome =
  | { readonly kind: 'used'; readonly mint: MintLog }
  | { readonly kind: 'unused' }
  | { readonly kind: 'undecided'; readonly provenTo: number; readonly reason: string }

/** Collections whose expired draws a run releases. */
const BATCH_SIZE = 20
const LEASE_SECONDS = 60
const CHECK_EVERY_SECONDS = 5

/** The options of a watcher with the blocks that its run has read. */
interface Watch extends WatchOptions {
  readonly finalBlocks: FinalBlocks
}

/**
 * Decides signatures of all projects by what their contracts did in final blocks. A used one is minted. An
 * expired one is released only when it is proven unused: by the contract's `verify` with the state of a final
 * block, or by the logs of every block in which it could have been used, each read by its hash. Without proof
 * the reservation stays and is checked again later. Reservations that expired before they were signed are
 * released as well. Any number of processes may run this concurrently.
 */
export function createMintWatcher(options: WatchOptions): { run(): Promise<void> } {
  const watch = { ...options, finalBlocks: createFinalBlocks(options.chain) }
  const checkDueSignatures = createDueChecks({
    claim: (request) => claimDueSignatures(watch, request),
    check: (row) => checkClaimed(watch, row),
  })
  return {
    async run() {
      watch.finalBlocks.startRun()
      await releaseExpiredDraws(watch)
      await checkDueSignatures()
    },
  }
}

async function claimDueSignatures(
  { database }: Watch,
  { count, afterProject, busyProjects }: ClaimRequest,
): Promise<DueRow[]> {
  const { rows } = await sql<DueRow>`
    select project_id as project, reservation_id as id
    from gateway.claim_due_mints(${count}, make_interval(secs => ${LEASE_SECONDS}), ${afterProject}, ${[...busyProjects]})`.execute(
    database.system,
  )
  return rows
}

async function checkClaimed(watch: Watch, { project, id }: DueRow): Promise<void> {
  try {
    await check(watch, project, id)
  } catch (error) {
    // Its claim expires, and a later run checks it again. An unreadable chain was logged where it was read.
    if (!(error instanceof ChainUnavailableError))
      watch.log.error(
        { err: error, projectId: project, reservation: id },
        'A mint signature could not be checked',
      )
  }
}

async function check(watch: Watch, project: number, id: number): Promise<void> {
  const { database, chain } = watch
  const tenant = openTenant(database, project)
  const row = await reservations.find(tenant, id)
  if (row?.status !== 'SIGNED') return
  const final = await chain.final(row.chain_id)
  if (final.time > row.valid_until) return await decideExpired(watch, tenant, row, final)
  const { mint, to } = await searchFinalMint(chain, row, { from: nextBlockOf(row), to: final.block }, final)
  if (mint !== undefined) return await recordMint(watch, tenant, row, mint)
  await reservations.scheduleCheck(tenant, row, CHECK_EVERY_SECONDS, to)
}

async function recordMint(
  { orders, log }: Watch,
  tenant: Tenant,
  row: NamedReservation,
  mint: MintLog,
): Promise<void> {
  const hasOwners = await tenant.transaction((trx) => completeMint(trx, orders, row, mint))
  const { project_id: projectId, id: reservation, chain_id: chain, quantity } = row
  if (!hasOwners)
    log.warn(
      { projectId, reservation, chain, hash: mint.hash, quantity },
      'A mint is too large to record the owners of its tokens',
    )
}

/** Ends a signature that cannot be used after the final block, or keeps it while its use is not decided. */
async function decideExpired(
  watch: Watch,
  tenant: Tenant,
  row: NamedReservation,
  final: FinalMoment,
): Promise<void> {
  const { orders, log } = watch
  const outcome = await evaluateExpired(watch, row, final).catch((error: unknown) => undecidedBy(error, row))
  if (outcome.kind === 'used') return await recordMint(watch, tenant, row, outcome.mint)
  if (outcome.kind === 'unused') return await tenant.transaction((trx) => expireSignature(trx, orders, row))
  await reservations.keepUndecided(tenant, row, outcome.provenTo)
  const { project_id: projectId, id: reservation, chain_id: chainId } = row
  const { provenTo, reason } = outcome
  log.warn(
    { projectId, reservation, chain: chainId, provenTo, reason },
    'An expired mint signature is undecided and stays reserved',
  )
}

async function evaluateExpired(
  { chain, finalBlocks }: Watch,
  row: NamedReservation,
  final: FinalMoment,
): Promise<Outcome> {
  const verification = await chain.verify(row.chain_id, signedMintOf(row), final.hash)
  if (verification.unused) return { kind: 'unused' }
  const { mint, last } = await searchValidity(chain, row, final)
  if (mint !== undefined) return { kind: 'used', mint }
  const first = Math.max(firstBlockOf(row), row.proven_to + 1)
  const proof = await finalBlocks.search(row, { from: first, to: last }, final)
  if (proof.mint !== undefined) return { kind: 'used', mint: proof.mint }
  if (proof.provenTo >= last) return { kind: 'unused' }
  return { kind: 'undecided', provenTo: proof.provenTo, reason: verification.reason }
}

/** Releases expired draws that were not signed, so that the next draw does not have to. */
async function releaseExpiredDraws({ database, log }: Watch): Promise<void> {
  const { rows } = await sql<{ project: number; collection: number }>`
    select project_id as project, collection_id as collection
    from gateway.collections_with_lapsed_mints(${BATCH_SIZE})`.execute(database.system)
  for (const { project, collection } of rows) {
    try {
      await openTenant(database, project).transaction((trx) => releaseExpired(trx, collection))
    } catch (error) {
      // The next run retries it. The other collections and the signatures continue.
      log.error({ err: error, projectId: project, collection }, 'Expired draws could not be released')
    }
  }
}

/**
 * Searches the blocks in which a signature was valid for its mint. `last` is the last of them, or a later
 * one.
 *
 * A node may refuse these ranges: they are read only to spare the reading of single blocks.
 */
async function searchValidity(
  chain: MintChain,
  row: NamedReservation,
  final: FinalMoment,
): Promise<{ mint?: MintLog | undefined; last: number }> {
  for (const range of rangesOf(firstBlockOf(row), final.block)) {
    const searched = await searchFinalMint(chain, row, range, final).catch(ignoreUnreadable)
    const { to } = range
    if (searched?.mint !== undefined) return { mint: searched.mint, last: to }
    if ((await chain.getBlockTime(row.chain_id, to, final)) > row.valid_until) return { last: to }
  }
  return { last: final.block }
}

function undecidedBy(error: unknown, { proven_to: provenTo }: NamedReservation): Outcome {
  if (!(error instanceof ChainUnavailableError)) throw error
  return { kind: 'undecided', provenTo, reason: error.message }
}

function ignoreUnreadable(error: unknown): undefined {
  if (!(error instanceof ChainUnavailableError)) throw error
}

function signedMintOf(row: NamedReservation): SignedMint {
  return {
    contract: row.nft_address,
    minter: row.minter,
    request: toMintRequest(payloadOf(row)),
    signature: asHex(row.signature),
  }
}
