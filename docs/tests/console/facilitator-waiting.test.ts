// What operators of a facilitator see without a shell when something waits: signers that are retired or lack
// their keys, and locks.
import { devAccount } from '@mintmark/devkit/chain/accounts'
import { testChain } from '@mintmark/devkit/chain/testing'
import { withBlockedSessions } from '@mintmark/devkit/testing'
import { openDatabase } from '@mintmark/server-kit'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { type TestFacilitator, testFacilitator } from '../../../packages/facilitator-server/src/testing.ts'
import { hasBrowser, type Tab } from './browser.ts'
import { waitForPage } from './check-page.ts'
import { checkViews } from './check-views.ts'
import { type ConsoleFixture, startConsole } from './console-fixture.ts'
import { endBlockingSession, LOCK } from './end-session.ts'

const OPERATOR_TOKEN = 'operator-token-of-the-console-0123456789'

describe.skipIf(!hasBrowser)('an operator of a facilitator who looks for what waits', () => {
  const chainReady = testChain()
  let facilitator: TestFacilitator
  let fixture: ConsoleFixture
  beforeAll(async () => {
    facilitator = await testFacilitator({
      chain: await chainReady,
      signerKeys: [devAccount(8).privateKey, devAccount(9).privateKey],
      env: { OPERATOR_TOKEN, RETIRED_SIGNERS: devAccount(8).address },
    })
    fixture = await startConsole({
      settings: { facilitator: { url: facilitator.url, token: OPERATOR_TOKEN } },
    })
  })
  afterAll(async () => {
    await fixture?.close()
    await facilitator?.close()
  })

  async function openHealth(): Promise<Tab> {
    const tab = await fixture.openAsOperator()
    await tab.page.goto(`${fixture.url}/console/operator/facilitator/health`)
    await waitForPage(tab)
    return tab
  }

  it('sees which signer is retired and can be removed, and which key is missing', async () => {
    const { chainId } = await chainReady
    const missing = devAccount(7).address.toLowerCase()
    await using stops = new AsyncDisposableStack()
    const database = openDatabase({ url: facilitator.databaseUrl, max: 1 })
    stops.defer(() => database.close())
    await database.pool.query(
      `insert into facilitator.transactions (chain_id, signer, nonce, purpose, recipient, data, gas)
       values ($1, $2, 0, 'fill', $2, '0x', 21000)`,
      [chainId, missing],
    )
    const tab = await openHealth()
    const { page } = tab
    const signers = page.getByRole('table', { name: 'Signers' })
    for (const text of [
      'Works',
      'Retired',
      'Its key can be removed once all sellers have read /supported again',
      'Key is missing',
      '1 transaction is not final',
    ])
      await signers.getByText(text, { exact: true }).waitFor()
    await page.getByText(/^The key of the signer .+ is missing, and 1 transaction of it on /).waitFor()
    await signers.scrollIntoViewIfNeeded()
    await checkViews(tab, 'facilitator signers')
  })

  it('sees which session of the database has the lock that another one waits for, ends it, and finds the decision', async () => {
    const server = openDatabase({
      url: facilitator.databaseUrl,
      max: 1,
      applicationName: 'mintmark-facilitator',
    })
    const waiting = await server.pool.connect()
    try {
      const blocking = { url: facilitator.databaseUrl, count: 0, statement: LOCK, program: 'import-script' }
      await withBlockedSessions(blocking, async ({ holder }) => {
        const tab = await openHealth()
        const { page } = tab
        await endBlockingSession(tab, { holder, waiting }, 'facilitator')
        await page.goto(`${fixture.url}/console/operator/facilitator/ledger`)
        const decisions = page.getByRole('table', { name: 'Decisions of operators' })
        await decisions.getByText('Ended the session', { exact: true }).waitFor()
        await decisions.getByText('import-script', { exact: true }).waitFor()
      })
    } finally {
      waiting.release()
      await server.close()
    }
  })
})
