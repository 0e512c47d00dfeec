// docs/runtimes.md shows a page with a publishable key. It runs in a browser, whose rules about origins no
// other client has.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { serveLocally } from '@mintmark/devkit/serve-locally'
import { type Listening, listen } from '@mintmark/server-kit'
import { build } from 'esbuild'
import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createListing } from '../../packages/gateway-server/src/testing/create-listing.ts'
import { type TestGateway, testGateway } from '../../packages/gateway-server/src/testing/gateway.ts'
import { createTestPublishableKey } from '../../packages/gateway-server/src/testing/publishable-caller.ts'
import { clientOf } from '../../packages/gateway-server/src/testing/samples/calls.ts'
import { repositoryRoot } from '../../tools/workspace.ts'
import { listCodeBlocks } from '../site/blocks.ts'

/** `npm run test:release` brings a browser. `npm test` uses the machine's, if there is one. */
const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'

/** A page with a secret. */
const SECRET_PAGE = `
  import { createGateway } from '@mintmark/transport'
  try {
    createGateway({ baseUrl, credentials: { apiKey: 'mk_page', secret: 'sk_page' } })
  } catch (error) {
    console.log(String(error))
  }
`

describe.skipIf(!existsSync(executablePath))('a page in a browser', () => {
  const stops = new AsyncDisposableStack()
  let gateway: TestGateway
  let listening: Listening
  let browser: Browser
  let pages: string
  let settings: { baseUrl: string; publishableKey: string }
  beforeAll(async () => {
    gateway = await testGateway()
    stops.defer(() => gateway.close())
    listening = await listen(gateway.app, { port: 0 })
    stops.defer(() => listening.close())
    const scripts = { '/shop': await bundle(readExample()), '/secret': await bundle(SECRET_PAGE) }
    pages = await serveLocally(({ url }, response) => {
      const script = Object.entries(scripts).find(([path]) => path === url)?.[1]
      if (script === undefined) return void response.writeHead(404).end()
      const code = `Object.assign(globalThis, ${JSON.stringify(settings)})`
      response.setHeader('content-type', 'text/html')
      response.end(
        `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><script>${code}</script><script type="module">${script}</script>`,
      )
    }, stops)
    const { publishableKey } = await createTestPublishableKey(gateway, { origins: [pages] })
    settings = { baseUrl: listening.url, publishableKey }
    browser = await chromium.launch({
      executablePath,
      args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking'],
    })
    stops.defer(() => browser.close())
  })
  afterAll(() => stops.disposeAsync())

  /** Opens a page and returns the first text that it prints, or its first uncaught error. */
  async function open(address: string): Promise<string> {
    const page = await browser.newPage()
    try {
      const printed = page.waitForEvent('console')
      const failed = page.waitForEvent('pageerror')
      const first = Promise.race([printed.then((message) => message.text()), failed.then(String)])
      await page.goto(address)
      return await first
    } finally {
      await page.close()
    }
  }

  it('reads listings by the documented code from an origin of its key', async () => {
    const { projectId } = gateway.key
    const client = clientOf(gateway, gateway.key)
    const { nftName, payPrice } = await createListing({ gateway, projectId, client })
    expect(await open(`${pages}/shop`)).toBe(`${nftName} ${payPrice}`)
  })

  it('reads nothing from another origin', async () => {
    const elsewhere = pages.replace('127.0.0.1', 'localhost')
    expect(await open(`${elsewhere}/shop`)).toContain('blocked by CORS policy')
  })

  it('a page in a browser cannot have a secret', async () => {
    expect(await open(`${pages}/secret`)).toContain('TypeError: A secret must not be in a page')
  })
})

function readExample(): string {
  const text = readFileSync(join(repositoryRoot, 'docs', 'runtimes.md'), 'utf8')
  const [example, ...others] = listCodeBlocks(text).filter(({ code }) =>
    code.includes('createBrowserGateway('),
  )
  if (example === undefined || others.length > 0) throw new Error('one block creates the client of a page')
  return example.code
}

async function bundle(contents: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: repositoryRoot, loader: 'ts' },
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    conditions: ['@mintmark/source'],
  })
  const code = outputFiles[0]?.text ?? ''
  return code.replaceAll('</script', '<\\/script')
}
