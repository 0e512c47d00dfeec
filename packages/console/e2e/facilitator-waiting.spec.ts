// What operators of a facilitator see without a shell when something waits: signers that are retired or lack
// their keys, and locks.

import { devAccount } from '@mintmark/devkit/chain/accounts'
import { withBlockedSessions } from '@mintmark/devkit/testing'
import { openDatabase } from '@mintmark/server-kit'
import { expect } from '@playwright/test'
import { testFacilitator } from '../../facilitator-server/src/testing.ts'
import { checkViews } from './check-views.ts'
import type { ConsoleFixture } from './console-fixture.ts'
import { endBlockingSession, LOCK } from './end-session.ts'
import { facilitatorTest, OPERATOR_TOKEN } from './facilitator-fixture.ts'

const test = facilitatorTest((chain) =>
  testFacilitator({
    chain,
    signerKeys: [devAccount(8).privateKey, devAccount(9).privateKey],
    env: { OPERATOR_TOKEN, RETIRED_SIGNERS: devAccount(8).address },
  }),
)

test.describe('an operator of a facilitator who looks for what waits', () => {
  const openHealth = (app: ConsoleFixture) => app.openAsOperator({ path: 'facilitator/health' })

  test('sees which signer is retired and can be removed, and which key is missing', async ({
    chain: { chainId },
    facilitator,
    app,
  }) => {
    const missing = devAccount(7).address.toLowerCase()
    await using stops = new AsyncDisposableStack()
    const database = openDatabase({ url: facilitator.databaseUrl, max: 1 })
    stops.defer(() => database.close())
    await database.pool.query(
      `insert into facilitator.transactions (chain_id, signer, nonce, purpose, recipient, data, gas)
       values ($1, $2, 0, 'fill', $2, '0x', 21000)`,
      [chainId, missing],
    )
    const page = await openHealth(app)
    const signers = page.getByRole('table', { name: 'Signers' })
    for (const text of [
      'Works',
      'Retired',
      'Its key can be removed once all sellers have read /supported again',
      'Key is missing',
      '1 transaction is not final',
    ])
      await expect(signers.getByText(text, { exact: true })).toBeVisible()
    await expect(
      page.getByText(/^The key of the signer .+ is missing, and 1 transaction of it on /),
    ).toBeVisible()
    await signers.scrollIntoViewIfNeeded()
    await checkViews(page, 'facilitator signers')
  })

  test('sees which session of the database has the lock that another one waits for, ends it, and finds the decision', async ({
    facilitator,
    app,
  }) => {
    const server = openDatabase({
      url: facilitator.databaseUrl,
      max: 1,
      applicationName: 'mintmark-facilitator',
    })
    const waiting = await server.pool.connect()
    try {
      const blocking = { url: facilitator.databaseUrl, count: 0, statement: LOCK, program: 'import-script' }
      await withBlockedSessions(blocking, async ({ holder }) => {
        const page = await openHealth(app)
        await endBlockingSession(page, { holder, waiting }, 'facilitator')
        await page.goto(`${app.url}/console/operator/facilitator/ledger`)
        const decisions = page.getByRole('table', { name: 'Decisions of operators' })
        await expect(decisions.getByText('Ended the session', { exact: true })).toBeVisible()
        await expect(decisions.getByText('import-script', { exact: true })).toBeVisible()
      })
    } finally {
      waiting.release()
      await server.close()
    }
  })
})
