// The extensions that /supported names are those that a test of this folder shows between stock software and
// this server.
import { readFileSync } from 'node:fs'
import { devAccount } from '@mintmark/devkit/chain/accounts'
import { testChain } from '@mintmark/devkit/chain/testing'
import { afterAll, expect, test } from 'vitest'
import { type TestFacilitator, testFacilitator } from '../testing.ts'
import { openFacilitatorClient } from './testing-sellers.ts'

/** The test of each extension. It imports the extension from the package. */
const TESTS: Readonly<Record<string, { file: string; imports: string }>> = {
  bazaar: { file: 'discovery.test.ts', imports: 'bazaarResourceServerExtension' },
  eip2612GasSponsoring: { file: 'permit2.test.ts', imports: 'declareEip2612GasSponsoringExtension' },
  erc20ApprovalGasSponsoring: {
    file: 'approval-sponsoring.test.ts',
    imports: 'declareErc20ApprovalGasSponsoringExtension',
  },
  'payment-identifier': {
    file: 'payment-identifier.test.ts',
    imports: 'paymentIdentifierResourceServerExtension',
  },
}

const chain = await testChain()
const open: TestFacilitator[] = []
async function readExtensions(options: Partial<Parameters<typeof testFacilitator>[0]>): Promise<string[]> {
  const facilitator = await testFacilitator({ chain, ...options })
  open.push(facilitator)
  const { token } = await facilitator.account()
  return (await openFacilitatorClient(`${facilitator.url}/x402`, token).getSupported()).extensions
}
afterAll(() => Promise.all(open.map((facilitator) => facilitator.close())))

test('the supported extensions are those with a test between stock software and this server', async () => {
  const signerKeys = [devAccount(9).privateKey]
  const extensions = await readExtensions({ signerKeys, env: { APPROVAL_GRANT_WEI: '84532=1' } })
  expect(extensions.toSorted()).toEqual(Object.keys(TESTS).toSorted())
  for (const { file, imports } of Object.values(TESTS)) {
    const text = readFileSync(new URL(file, import.meta.url), 'utf8')
    expect(text).toContain(`from '@x402/extensions`)
    expect(text.split(imports).length, `uses of ${imports} in ${file}`).toBeGreaterThan(2)
  }
})

test('a facilitator that forwards settles does not promise what only its upstream could execute', async () => {
  const extensions = await readExtensions({
    env: { UPSTREAM_FACILITATOR_URL: 'http://127.0.0.1:9', APPROVAL_GRANT_WEI: '84532=1' },
  })
  expect(extensions.toSorted()).toEqual(['bazaar', 'payment-identifier'])
})
