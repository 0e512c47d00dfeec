import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestGateway, testGateway } from '../src/testing/gateway.ts'
import { callOf, statedOperations } from '../src/testing/stated-operations.ts'
import { insertStatedRows } from '../src/testing/stated-rows.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await testGateway()
  await insertStatedRows(gateway, gateway.key.projectId)
})
afterAll(() => gateway.close())

const bodies = statedOperations.filter(({ input }) => input.in === 'body')
const queries = statedOperations.filter(({ input }) => input.in === 'query')

describe('any input', () => {
  const seed = 20260115
  /** A text that compresses to nothing shorter: where a column is indexed, its length counts. */
  const long = fc
    .uint8Array({ minLength: 2000, maxLength: 6000 })
    .map((bytes) => Buffer.from(bytes).toString('base64'))
  const anything = fc.oneof(fc.jsonValue({ maxDepth: 4 }), fc.string({ unit: 'binary' }), long)

  it.each(bodies)('whatever is sent, the server does not fail to operation $number', async (operation) => {
    const names = Object.keys(operation.input.fields)
    const change = fc.dictionary(fc.constantFrom(...names), anything, { maxKeys: 3 })
    await fc.assert(
      fc.asyncProperty(change, async (fields) => {
        const { status, text } = await gateway.key.call(callOf(operation, { ...operation.valid, ...fields }))
        expect([200, 400, 404, 409], text).toContain(status)
      }),
      { seed, numRuns: 200 },
    )
  })

  it.each(queries)('whatever is sent, the server does not fail to operation $number', async (operation) => {
    const pair = fc.tuple(
      fc.constantFrom('orderBy', 'cursor', 'pageSize', ...operation.required),
      fc.string({ unit: 'binary' }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(pair, { maxLength: 4 }), async (pairs) => {
        const query = new URLSearchParams(
          pairs.map(([name, value]) => [name, value.toWellFormed()]),
        ).toString()
        const { status, text } = await gateway.key.call({ path: operation.path, query })
        expect([200, 400, 404], text).toContain(status)
      }),
      { seed, numRuns: 200 },
    )
  })

  it('the server does not fail whatever is sent to a random path', async () => {
    const segment = fc.oneof(
      fc.constantFrom(
        'api',
        'v1',
        'card',
        'promoCodeCards',
        'qr',
        '1',
        '..',
        '.',
        '',
        '%2e%2e',
        '%2F',
        '%00',
        '%ff',
        '__proto__',
      ),
      fc.webSegment(),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(segment, { minLength: 1, maxLength: 6 }),
        fc.webQueryParameters(),
        async (path, query) => {
          const request = new Request(`http://gateway.test/${path.join('/')}?${query}`)
          const { status } = await gateway.app.fetch(request)
          expect([200, 400, 401, 404, 405]).toContain(status)
        },
      ),
      { seed, numRuns: 300 },
    )
  })

  it('the log contains no failure after anything was sent', () => {
    expect(gateway.logged.filter((line) => JSON.parse(line).level >= 50)).toEqual([])
    expect(gateway.logged.length).toBeGreaterThan(1000)
  })
})
