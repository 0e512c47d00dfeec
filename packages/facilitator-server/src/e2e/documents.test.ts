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
