// What operators of a facilitator for Solana read about its nodes and fee payers.

import { solanaAccount, startSolanaChain } from '@mintmark/devkit/solana/start-solana'
import { expect } from '@playwright/test'
import { encodeBase58 } from '../../facilitator-server/src/chains/solana/base58.ts'
import { feePayerSeed } from '../../facilitator-server/src/schemes/solana/exact/testing-fixture.ts'
import { testFacilitator } from '../../facilitator-server/src/testing.ts'
import { checkViews } from './check-views.ts'
import { facilitatorTest, OPERATOR_TOKEN } from './facilitator-fixture.ts'

const test = facilitatorTest(async (_, stops) => {
  const chain = await startSolanaChain(stops)
  const [lagging, failing] = [await chain.addNode(), await chain.addNode()]
  chain.ledger.advance(200)
  lagging.view.lag = 200
  failing.view.failing.add('getSlot')
  const feePayer = await solanaAccount(0)
  chain.ledger.setLamports(feePayer.address, 40_000_000n)
  const publicKey = Buffer.from(await crypto.subtle.exportKey('raw', feePayer.keyPair.publicKey))
  const nodes = [chain, lagging, failing].map(({ rpcUrl }) => rpcUrl)
  return await testFacilitator({
    // Quotas are signed for the treasury, which this facilitator does not read.
    chain: { rpcUrl: '', treasury: `0x${'7'.repeat(40)}` },
    env: {
      CHAINS: `${chain.network}=${nodes.join(',')}`,
      SOLANA_SIGNER_KEYS: encodeBase58(Buffer.concat([feePayerSeed(), publicKey])),
      OPERATOR_TOKEN,
    },
  })
})

test.describe('an operator of a facilitator for Solana at the console', () => {
  test('sees its nodes, its fee payers and what is wrong with them', async ({ app }) => {
    const page = await app.openAsOperator({ path: 'facilitator/health' })
    const findList = (name: string) => page.getByRole('table', { name, exact: true })
    const nodes = findList('Nodes of Solana')
    await expect(nodes.getByText('200 slots', { exact: true })).toBeVisible()
    await expect(nodes.getByText('Cannot be read', { exact: true })).toBeVisible()
    await expect(findList('Fee payers of Solana').getByText('0.04 SOL', { exact: true })).toBeVisible()
    for (const title of [
      'Node 2 of Solana Devnet is 200 slots behind',
      /^Node 3 of Solana Devnet cannot be used: /,
      /^The fee payer .+ has little SOL left on Solana Devnet$/,
    ])
      await expect(page.getByText(title)).toBeVisible()
    await checkViews(page, 'facilitator solana')
    await nodes.scrollIntoViewIfNeeded()
    await checkViews(page, 'facilitator solana nodes')
  })
})
