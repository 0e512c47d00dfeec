import { type Database, type Logger, transaction } from '@mintmark/server-kit'
import { sql } from 'kysely'
import { ChainUnreadable } from '../../chain/chain-reader.ts'
import type { MintChain, SeenMint } from '../../chain/mint-chain.ts'
import type { Tables } from '../../tables.ts'
import type { Program } from './collections-store.ts'
import { releaseExpired } from './make-room.ts'
import { deliver, lapse } from './ordered-mints.ts'
import * as reservations from './reservations-store.ts'

export interface WatchOptions {
  readonly database: Database<Tables>
  readonly chain: MintChain
  readonly log: Logger
}

const CLAIMED_AT_ONCE = 20
const LEASE_SECONDS = 60
const AGAIN_SECONDS = 5
/** So many blocks' logs most nodes answer at once. */
const BLOCKS_AT_ONCE = 1000

/**
 * Finds out what became of signatures, of all projects: by the contract's own logs in blocks that stay. One that is used is minted; one is
 * let go only when a block that stays lies past its end and none up to it holds its uid. What was drawn and never signed is let go of as
 * well. Any number of processes may do so at once.
 */
export function createMintWatcher({ database, chain, log }: WatchOptions): { run(): Promise<void> } {
  async function look(project: number, id: number): Promise<void> {
    const db = database.forProject(project)
    const row = await reservations.find(db, project, id)
    if (row?.status !== 'SIGNED') return
    const final = await chain.final(row.chain_id)
    let searched = row.searched_to
    while (searched < final.block) {
      const to = Math.min(final.block, searched + BLOCKS_AT_ONCE)
      const found = await seek(chain, row, searched + 1, to)
      if (found !== undefined) {
        await transaction(db, (trx) => deliver(trx, row, found))
        return
      }
      searched = to
      if ((await chain.timeOf(row.chain_id, to)) > row.valid_until) {
        await transaction(db, (trx) => lapse(trx, row))
        return
      }
    }
    await reservations.lookAgain(db, row, AGAIN_SECONDS, searched)
  }

  async function lookClaimed({ project, reservation }: { project: number; reservation: number }) {
    try {
      await look(project, reservation)
    } catch (error) {
      // Its claim runs out, and it is looked at again. A chain that is down has been told of where it was read.
      if (!(error instanceof ChainUnreadable))
        log.error({ err: error, projectId: project, reservation }, 'a mint could not be looked at')
    }
  }

  /** What was drawn and not signed comes back, so that whoever draws next need not see to it. */
  async function releaseLapsed(): Promise<void> {
    const { rows } = await sql<{ project: number; id: number; program: Program }>`
      select project_id as project, collection_id as id, program
      from gateway.collections_with_lapsed_mints(${CLAIMED_AT_ONCE})`.execute(database.system)
    for (const { project, ...collection } of rows) {
      try {
        await transaction(database.forProject(project), (trx) => releaseExpired(trx, project, collection))
      } catch (error) {
        // It stays for the next time, and is not in the way of the others, nor of signatures.
        log.error({ err: error, projectId: project, ...collection }, 'what was drawn could not be let go of')
      }
    }
  }

  return {
    async run() {
      await releaseLapsed()
      for (;;) {
        const { rows } = await sql<{ project: number; reservation: number }>`
          select project_id as project, reservation_id as reservation
          from gateway.claim_due_mints(${CLAIMED_AT_ONCE}, make_interval(secs => ${LEASE_SECONDS}))`.execute(
          database.system,
        )
        await Promise.all(rows.map(lookClaimed))
        if (rows.length < CLAIMED_AT_ONCE) return
      }
    },
  }
}

/** Whether a contract has minted by a signature in some blocks. */
export async function seek(
  chain: MintChain,
  row: Pick<reservations.ReservationRow, 'minter' | 'recipient' | 'uid'> & {
    chain_id: string
    nft_address: string
  },
  from: number,
  to: number,
): Promise<SeenMint | undefined> {
  const by = { contract: row.nft_address, minter: row.minter, recipient: row.recipient }
  for (let at = from; at <= to; at += BLOCKS_AT_ONCE) {
    const mints = await chain.mintsOf(row.chain_id, by, at, Math.min(to, at + BLOCKS_AT_ONCE - 1))
    const found = mints.find(({ uid }) => uid === row.uid)
    if (found !== undefined) return found
  }
  return undefined
}
