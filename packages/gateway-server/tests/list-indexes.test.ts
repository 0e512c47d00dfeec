import { afterAll, beforeAll, describe } from 'vitest'
import { keepWithoutStatistics } from '../src/testing/copy-rows.ts'
import { type TestGateway, testGateway } from '../src/testing/gateway.ts'
import { indexedLists } from '../src/testing/indexed-lists.ts'
import { definePageTests } from '../src/testing/page-tests.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await testGateway()
  await keepWithoutStatistics(gateway)
})
afterAll(() => gateway.close())

describe('the pages of an indexed list', () => {
  definePageTests(indexedLists, { copies: 3000, pageRows: 200, directions: ['', ' desc'] }, () => gateway)
})
