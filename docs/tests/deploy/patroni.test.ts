import { CommitOutcomeUnknownError, openDatabase, transaction } from '@mintmark/server-kit'
import { createReplicaCheck } from '@mintmark/server-kit/doctor'
import { describe, expect, it, vi } from 'vitest'
import { administer } from './administer.ts'
import { checkBooks, findLostCards, startMintmark, waitForProgress } from './mintmark-under-load.ts'
import { missingPrograms, type PatroniNode, startPatroniPair } from './patroni.ts'

const FAILOVERS = Number(process.env.FAILOVERS ?? 3)
// The limit only ends a test that hangs.
vi.setConfig({ testTimeout: 300_000 + FAILOVERS * 120_000 })

/** How a node ceases to be the primary, and what makes it a standby afterwards. */
const CHANGES: readonly {
  readonly title: string
  readonly leave: (node: PatroniNode) => Promise<void> | void
  readonly rejoin: (node: PatroniNode) => void
  /** Whether the node still accepts connections as a primary after the other one was promoted. */
  readonly isAlive?: boolean
}[] = [
  { title: 'lost', leave: (node) => node.kill(), rejoin: (node) => node.start() },
  {
    title: 'alive without Patroni',
    leave: (node) => node.suspendPatroni(),
    rejoin: (node) => node.resumePatroni(),
    isAlive: true,
  },
  { title: 'switched over', leave: (node) => node.switchOver(), rejoin: () => {} },
]

/** Writes to a node itself, as a server does whose name for the primary is outdated. */
async function writeTo(node: PatroniNode): Promise<void> {
  const url = node.getUrl('postgres', 'postgres')
  const database = openDatabase<{ unconfirmed: object }>({
    url,
    max: 1,
    statementTimeoutMs: 500,
    connectTimeoutMs: 1000,
  })
  try {
    await transaction(database.system, (trx) => trx.insertInto('unconfirmed').defaultValues().execute())
  } finally {
    await database.close()
  }
}

describe.skipIf(missingPrograms.length > 0)(
  'both servers, behind HAProxy on PostgreSQL under Patroni,',
  () => {
    it('lose no confirmed call and no event when the primary is lost, suspended or switched over', async () => {
      await using stops = new AsyncDisposableStack()
      const pair = await startPatroniPair(stops)
      await pair.waitUntilComplete()
      await administer(pair, 'create database mintmark', 'create table unconfirmed ()')
      const url = pair.getUrl('postgres', 'mintmark')
      const mintmark = await startMintmark(url, { hasWebhook: false })
      const { load } = mintmark
      await waitForProgress(load)
      for (let failover = 0; failover < FAILOVERS; failover += 1) {
        const { primary, standby } = await pair.waitUntilComplete()
        const change = CHANGES[failover % CHANGES.length]
        const startedAt = performance.now()
        await change?.leave(primary)
        await expect.poll(() => standby.isIn('primary')).toBe(true)
        if (change?.isAlive) await expect(writeTo(primary)).rejects.toThrow(CommitOutcomeUnknownError)
        await waitForProgress(load)
        const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
        change?.rejoin(primary)
        expect(await findLostCards(mintmark)).toEqual([])
        console.log(
          `Failover ${failover + 1}, ${change?.title}: ${seconds} s until all callers made progress. So far ${load.cards.size} cards, ${load.settled.size} settlements, ${load.streamed.sequences.length} events`,
        )
      }
      await checkBooks(mintmark)
      await pair.waitUntilComplete()
      const readUrl = pair.getReadUrl('postgres', 'mintmark')
      // HAProxy notices within seconds which node is the standby.
      await expect.poll(() => createReplicaCheck(url, readUrl).run()).toMatchObject([{ level: 'ok' }])
    })
  },
)
