import { devAccount } from '@mintmark/devkit/chain/accounts'
import { testChain } from '@mintmark/devkit/chain/testing'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { afterAll, expect, test } from 'vitest'
import { testFacilitator } from '../testing.ts'

const facilitator = await testFacilitator({
  chain: await testChain(),
  signerKeys: [devAccount(9).privateKey],
})
afterAll(() => facilitator.close())

test('the OpenAPI document passes an OpenAPI linter', async () => {
  const response = await fetch(`${facilitator.url}/openapi.json`)
  const source = await response.text()
  expect(Object.keys(JSON.parse(source).paths)).toContain('/settle')
  const found = await lintFromString({ source, config: await createConfig({ extends: ['recommended'] }) })
  expect(found.map(({ severity, ruleId, message }) => `${severity} ${ruleId}: ${message}`)).toEqual([])
})

test.each(['/api/v1/order/list', '/x402/health'])(
  'a client whose base URL is not that of the facilitator learns so at %s',
  async (path) => {
    const response = await fetch(`${facilitator.url}${path}`)
    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({
      message:
        'No operation has this path. This is the facilitator: the gateway has another base URL, and clients of Mintmark use that of the facilitator without /x402. The reference is at /docs',
    })
  },
)
