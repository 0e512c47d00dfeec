// The extensions that /supported names are those that a test of this folder shows between stock software and
// this server.
import { readdirSync, readFileSync } from 'node:fs'
import { devAccount } from '@mintmark/devkit/chain/accounts'
import { testChain } from '@mintmark/devkit/chain/testing'
import * as packaged from '@x402/extensions'
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

/**
 * The guides of extensions that are the seller's and the customer's alone. They run as tests of the
 * documentation.
 */
const SELLERS: Readonly<Record<string, string>> = {
  'offer-receipt': 'offers-and-receipts.md',
  'sign-in-with-x': 'sign-in-with-x.md',
}

/** Extensions that need a facilitator which executes them, and that this one does not. */
const NOT_SUPPORTED = ['builder-code']

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

test('approvals are not sponsored unless the operator sets what a payer is given on a served chain', async () => {
  const signerKeys = [devAccount(9).privateKey]
  for (const env of [{}, { APPROVAL_GRANT_WEI: '8453=1' }]) {
    const extensions = await readExtensions({ signerKeys, env })
    expect(extensions).not.toContain('erc20ApprovalGasSponsoring')
  }
})

test('a facilitator that forwards settles does not promise what only its upstream could execute', async () => {
  const extensions = await readExtensions({
    env: { UPSTREAM_FACILITATOR_URL: 'http://127.0.0.1:9', APPROVAL_GRANT_WEI: '84532=1' },
  })
  expect(extensions.toSorted()).toEqual(['bazaar', 'payment-identifier'])
})

test('every extension of the package is supported, the seller’s alone, or known to be missing', () => {
  const keys = Object.entries(packaged).flatMap(([name, value]: [string, unknown]) => {
    if (!/^[A-Z0-9_]+$/.test(name)) return []
    if (typeof value === 'object' && value !== null && 'key' in value) return [value.key]
    // The other constants are addresses of chains, versions and markers.
    return /^(?:SOLANA_\w+|ERC\w+_VERSION|ERC_8021_MARKER)$/.test(name) || typeof value !== 'string'
      ? []
      : [value]
  })
  const known = [...Object.keys(TESTS), ...Object.keys(SELLERS), ...NOT_SUPPORTED]
  expect(keys.toSorted()).toEqual(known.toSorted())
})

test('each extension of sellers has a guide that names it', () => {
  const guides = new URL('../../../../docs/guides/', import.meta.url)
  const files = readdirSync(guides)
  for (const [extension, guide] of Object.entries(SELLERS)) {
    expect(files).toContain(guide)
    expect(readFileSync(new URL(guide, guides), 'utf8')).toContain(`\`${extension}\``)
  }
})
