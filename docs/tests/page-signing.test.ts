// docs/runtimes.md shows a server that signs for a page. Whoever opens the page can post anything to it.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as promoCodeCards from '@mintmark/cards/promo-code-cards'
import { createGateway, type GatewayClient } from '@mintmark/transport'
import ts from 'typescript'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TEST_URL, type TestGateway, testGateway } from '../../packages/gateway-server/src/testing/gateway.ts'
import { repositoryRoot } from '../../tools/workspace.ts'
import { listCodeBlocks } from '../site/blocks.ts'

type MacFor = (stringToSign: string, person?: { cardIds: readonly number[] }) => Uint8Array | undefined

let gateway: TestGateway
let macFor: MacFor
let own: number
let foreign: number

beforeAll(async () => {
  gateway = await testGateway()
  macFor = await loadExample(gateway.key.secret)
  const { apiKey, secret } = gateway.key
  // One client for both: it gives equal calls different timestamps.
  const client = createGateway({ baseUrl: TEST_URL, credentials: { apiKey, secret }, fetch: fetchGateway })
  own = await createCard(client)
  foreign = await createCard(client)
})
afterAll(() => gateway.close())

/** Runs the document's own code. It takes `secret` as given. */
async function loadExample(secret: string): Promise<MacFor> {
  const text = readFileSync(join(repositoryRoot, 'docs', 'runtimes.md'), 'utf8')
  const [example, ...others] = listCodeBlocks(text).filter(({ code }) => code.includes('function macFor('))
  if (example === undefined || others.length > 0) throw new Error('one block declares macFor')
  const source = `const secret = ${JSON.stringify(secret)}\n${example.code}\nexport { macFor }\n`
  const { outputText } = ts.transpileModule(source, { compilerOptions: { module: ts.ModuleKind.ESNext } })
  const module = await import(`data:text/javascript,${encodeURIComponent(outputText)}`)
  return module.macFor
}

const fetchGateway: typeof fetch = async (input, init) => await gateway.app.fetch(new Request(input, init))

/** A client that signs with what `sign` returns, like the document's page. */
function createPageClient(sign: (text: string) => Uint8Array | undefined) {
  return createGateway({
    baseUrl: TEST_URL,
    retries: 0,
    credentials: {
      apiKey: gateway.key.apiKey,
      sign(text) {
        const mac = sign(text)
        if (mac === undefined) throw new Error('not signed: 403')
        return mac
      },
    },
    fetch: fetchGateway,
  })
}

async function createCard(client: GatewayClient): Promise<number> {
  const times = { startTime: '2026-01-01T00:00:00Z', endTime: '2099-01-01T00:00:00Z' }
  const card = { name: 'a card', nftAddress: `0x${'1'.repeat(40)}`, totalIssued: 1, ...times }
  return (await promoCodeCards.create(client, card)).id
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const getPath = (id: number | string) => `/api/v1/card/promoCodeCards/${id}`

/** The text of a call of the own card, with some parts of another kind. */
function createText(
  changes: Partial<Record<'scheme' | 'timestamp' | 'method' | 'path' | 'query' | 'bodyHash', string>>,
) {
  const good = { scheme: 'v1', timestamp: String(Date.now()), method: 'GET', path: getPath(own), query: '' }
  const { scheme, timestamp, method, path, query, bodyHash } = { ...good, bodyHash: sha256(''), ...changes }
  return [scheme, timestamp, method, path, query, bodyHash].join('\n')
}

describe('the documented server that signs for a page', () => {
  it("signs the call that reads the signed-in person's own card", async () => {
    const page = createPageClient((text) => macFor(text, { cardIds: [own] }))
    expect(await promoCodeCards.get(page, { id: own })).toMatchObject({ id: own, name: 'a card' })
  })

  it('signs no call of the client for anything else', async () => {
    const page = createPageClient((text) => macFor(text, { cardIds: [own] }))
    const creator = `0x${'2'.repeat(40)}`
    await expect(promoCodeCards.get(page, { id: foreign })).rejects.toThrow('not signed')
    await expect(promoCodeCards.listByCreator(page, { creator })).rejects.toThrow('not signed')
    await expect(promoCodeCards.search(page, {})).rejects.toThrow('not signed')
    await expect(promoCodeCards.remove(page, { id: own })).rejects.toThrow('not signed')
  })

  it('signs nothing without a session, or for a person without cards', () => {
    expect(macFor(createText({}), undefined)).toBeUndefined()
    expect(macFor(createText({}), { cardIds: [] })).toBeUndefined()
  })

  const wrong: [string, () => string][] = [
    ['nothing', () => ''],
    ['another scheme', () => createText({ scheme: 'v2' })],
    ['another card', () => createText({ path: getPath(foreign) })],
    ['a card whose id begins with the own one', () => createText({ path: getPath(`${own}0`) })],
    [
      'the list of a creator',
      () => createText({ path: getPath('getPageListByCreator'), query: 'creator=0x1' }),
    ],
    ['all cards', () => createText({ path: '/api/v1/card/promoCodeCards' })],
    ['the folder of all cards', () => createText({ path: '/api/v1/card/' })],
    ['the cards of another kind', () => createText({ path: `/api/v1/card/eventCards/${own}` })],
    ['a longer path', () => createText({ path: `${getPath(own)}/verifications` })],
    ['a slash at the end', () => createText({ path: `${getPath(own)}/` })],
    ['double slashes', () => createText({ path: `/${getPath(own)}` })],
    ['a step up', () => createText({ path: `${getPath(own)}/../${foreign}` })],
    ['an encoded step up', () => createText({ path: `${getPath(own)}/%2e%2e/${foreign}` })],
    ['an encoded slash', () => createText({ path: `${getPath(own)}%2F..%2F${foreign}` })],
    ['a backslash', () => createText({ path: `${getPath(own)}\\..\\${foreign}` })],
    ['an encoded id', () => createText({ path: getPath(`%3${own}`) })],
    ['an id with a zero before it', () => createText({ path: getPath(`0${own}`) })],
    ['a query within the path', () => createText({ path: `${getPath(own)}?id=${foreign}` })],
    ['a query', () => createText({ query: `id=${foreign}` })],
    ['a fragment', () => createText({ path: `${getPath(own)}#` })],
    ['another server in the path', () => createText({ path: `http://other.test${getPath(own)}` })],
    ...['POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'get', 'GET '].map((method): [string, () => string] => [
      `the method "${method}"`,
      () => createText({ method }),
    ]),
    ['a body', () => createText({ bodyHash: sha256('{"id":1}') })],
    ['no hash of a body', () => createText({ bodyHash: '' })],
    ['a line more', () => `${createText({})}\n`],
    ['a line before', () => `\n${createText({})}`],
    ['lines that end otherwise', () => createText({}).replaceAll('\n', '\r\n')],
    ['a time in an hour', () => createText({ timestamp: String(Date.now() + 3_600_000) })],
    ['a time an hour ago', () => createText({ timestamp: String(Date.now() - 3_600_000) })],
    ['no time', () => createText({ timestamp: '' })],
    ['a time that is no number', () => createText({ timestamp: 'soon' })],
    ['a time in another notation', () => createText({ timestamp: `0x${Date.now().toString(16)}` })],
    ['a time with a sign', () => createText({ timestamp: `+${Date.now()}` })],
  ]
  it.each(wrong)('the documented server that signs for a page does not sign %s', (_, text) => {
    expect(macFor(text(), { cardIds: [own] })).toBeUndefined()
  })
})
