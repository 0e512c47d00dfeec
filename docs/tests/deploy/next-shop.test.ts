import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { nfts } from '@mintmark/contracts'
import { type GatewayEvent, signTestWebhook } from '@mintmark/events'
import { commonSales } from '@mintmark/market'
import { type Order, OrderStatus, orders } from '@mintmark/orders'
import type { DemoCredentials } from '@mintmark/sandbox'
import { createGateway, type GatewayClient } from '@mintmark/transport'
import { chromium } from 'playwright-core'
import { createWalletClient, getAddress, http } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readRelease } from '../../../tools/release/pack.ts'
import { run } from '../../../tools/run.ts'
import { findChromium } from '../../../tools/toolchains/toolchains.ts'
import { repositoryRoot } from '../../../tools/workspace.ts'
import { findFreePort } from '../free-port.ts'
import { startServers } from '../servers.ts'

const INSTALL_MS = 150_000
const BUILD_MS = 150_000
/** Files that using the example creates. */
const CREATED = ['node_modules', '.next', '.shop', '.env.local']

const stops = new AsyncDisposableStack()
afterAll(() => stops.disposeAsync())

let folder: string
let shopUrl: string
let gateway: GatewayClient
let credentials: DemoCredentials
let webhookSecret: string
const quiet = { ...process.env, NODE_ENV: 'production' as const, NEXT_TELEMETRY_DISABLED: '1' }

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mintmark-next-shop-'))
  stops.defer(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))
  const source = join(repositoryRoot, 'examples/next-shop')
  cpSync(source, folder, { recursive: true, filter: (path) => !CREATED.includes(basename(path)) })
  installReleased()
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error']
  await run('npm', ['install', ...options], { cwd: folder, timeoutMs: INSTALL_MS })
})

/** Replaces the folders of packages by the tarballs that a release would publish. */
function installReleased(): void {
  const file = join(folder, 'package.json')
  const manifest: { dependencies: Record<string, string> } = JSON.parse(readFileSync(file, 'utf8'))
  for (const { manifest: released, tarball } of readRelease().packages) {
    if (released.name in manifest.dependencies) manifest.dependencies[released.name] = `file:${tarball}`
  }
  writeFileSync(file, JSON.stringify(manifest))
}

beforeAll(async () => {
  await runNext(['build'])
})

const nextProgram = () => join(folder, 'node_modules/next/dist/bin/next')

function runNext(parameters: readonly string[]): Promise<string> {
  return run(process.execPath, [nextProgram(), ...parameters], {
    cwd: folder,
    env: quiet,
    timeoutMs: BUILD_MS,
  })
}

/** Starts the built shop. Returns when it accepts requests. */
async function startShop(address: string, onStop: AsyncDisposableStack): Promise<{ log: string[] }> {
  const { hostname, port } = new URL(address)
  const options = ['start', '--hostname', hostname, '--port', port]
  const child = spawn(process.execPath, [nextProgram(), ...options], {
    cwd: folder,
    env: quiet,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onStop.defer(() => end(child))
  const log: string[] = []
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const record = (chunk: Buffer) => {
    log.push(String(chunk))
    if (log.join('').includes('Ready in')) resolve()
  }
  for (const output of [child.stdout, child.stderr]) output.on('data', record)
  child.once('exit', () => reject(new Error(`The shop did not start:\n${log.join('')}`)))
  await promise
  return { log }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}

describe('the built shop without environment variables', () => {
  it('starts, names the missing variable in its log, and shows no message to the buyer', async () => {
    await using ended = new AsyncDisposableStack()
    const address = `http://127.0.0.1:${await findFreePort()}`
    const { log } = await startShop(address, ended)
    const response = await fetch(address)
    expect(response.status).toBe(500)
    expect(await response.text()).not.toContain('is not set')
    expect(log.join('')).toMatch(/(?:SHOP_SELLER|MINTMARK_\w+) is not set/)
  })
})

describe('the shop', () => {
  const jar = new Map<string, string>()

  beforeAll(async () => {
    const prepare = await startServers(stops)
    credentials = (await prepare('next shop')).credentials
    gateway = createGateway(credentials.gateway)
    shopUrl = `http://127.0.0.1:${await findFreePort()}`
    const file = join(folder, 'credentials.json')
    writeFileSync(file, JSON.stringify(credentials))
    await run(process.execPath, ['prepare.ts', file, shopUrl], { cwd: folder })
    const settings = readFileSync(join(folder, '.env.local'), 'utf8')
    webhookSecret = /^MINTMARK_WEBHOOK_SECRETS=(.*)$/m.exec(settings)?.[1] ?? ''
    await startShop(shopUrl, stops)
  })

  /** Sends the form of a page as a browser without scripts does, with changed fields. */
  async function sendForm(
    page: string,
    field: string,
    fields: Readonly<Record<string, string>>,
    html?: string,
  ) {
    const text = html ?? (await (await fetch(shopUrl + page, { headers: cookiesOf(page) })).text())
    const form = text.match(/<form[\s\S]*?<\/form>/g)?.find((each) => each.includes(`name="${field}"`))
    if (form === undefined) throw new Error(`${page} has no form with ${field}`)
    const body = new FormData()
    for (const [input] of form.matchAll(/<input type="hidden"[^>]*>/g))
      body.set(readAttribute(input, 'name'), readAttribute(input, 'value'))
    for (const [name, value] of Object.entries(fields)) body.set(name, value)
    const headers = cookiesOf(page)
    const response = await fetch(shopUrl + page, { method: 'POST', body, headers, redirect: 'manual' })
    const cookie = response.headers.get('set-cookie') ?? ''
    const path = /path=([^;]+)/i.exec(cookie)?.[1]
    if (path !== undefined) jar.set(path, cookie.split(';')[0] ?? '')
    const location = response.headers.get('location') ?? ''
    return { status: response.status, location, cookie, text: await response.text() }
  }

  const cookiesOf = (page: string) => ({ cookie: jar.get(page.replace(/\/status.*/, '')) ?? '' })

  async function placeOrder(fields: Readonly<Record<string, string>> = {}, html?: string) {
    // A wallet of its own: each wallet can have five unpaid orders of a listing.
    const wallet = privateKeyToAddress(generatePrivateKey())
    return await sendForm('/', 'wallet', { wallet, quantity: '1', ...fields }, html)
  }

  const open = (page: string, headers: Record<string, string> = cookiesOf(page)) =>
    fetch(shopUrl + page, { headers })

  async function sendWebhook(event: GatewayEvent, secret = webhookSecret) {
    const message = await signTestWebhook(event, secret)
    return (await fetch(`${shopUrl}/hooks/mintmark`, { method: 'POST', ...message })).status
  }

  const toEvent = (type: 'order.paid' | 'order.created', sequence: number, data: Order): GatewayEvent => ({
    id: `evt_1_${sequence}`,
    type,
    subject: `order/${data.orderNo}`,
    sequence,
    time: new Date().toISOString(),
    projectId: data.projectId,
    apiVersion: '1',
    data,
  })

  it('sells a print to a buyer with a browser, from the listing to the paid print', async () => {
    const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking']
    const browser = await chromium.launch({ executablePath: await findChromium(), args })
    stops.defer(() => browser.close())
    const tab = await browser.newPage()
    const failures: string[] = []
    tab.on('pageerror', (error) => failures.push(error.message))
    await tab.goto(shopUrl)
    await tab.getByLabel('Your wallet').first().fill(credentials.demo.wallet)
    await tab.getByLabel('Quantity').first().fill('2')
    await tab.getByRole('button', { name: 'Order' }).first().click()
    await tab.getByRole('heading', { name: 'Pay your order' }).waitFor()
    const orderNo = new URL(tab.url()).pathname.replace('/orders/', '')
    const order = await orders.get(gateway, { orderNo })
    expect(await tab.locator('dl').textContent()).toContain('0.002 ETH')

    const wallet = createWalletClient({ transport: http(credentials.chain.rpcUrl) })
    const hash = await wallet.sendTransaction({
      account: getAddress(order.recipient),
      chain: null,
      to: getAddress(order.sender),
      value: BigInt(order.payAmount),
    })
    await tab.getByLabel('Hash of your transaction').fill(hash)
    await tab.getByRole('button', { name: 'I have paid' }).click()
    await tab.getByRole('heading', { name: 'It is yours' }).waitFor({ timeout: 150_000 })
    expect(await tab.locator('dl').textContent()).toContain(order.nftAddress)
    expect(failures).toEqual([])
    // The webhook has arrived too, so that the shop knows a sale whose buyer has left.
    await expect
      .poll(() => globSync(`.shop/${orderNo}.json`, { cwd: folder }).map((file) => readStatus(file)))
      .toEqual([OrderStatus.SUCCESS])
  })

  const readStatus = (file: string): number =>
    JSON.parse(readFileSync(join(folder, file), 'utf8')).order.orderStatus

  it('places one order for a form that is sent twice, also at the same time', async () => {
    const html = await (await fetch(shopUrl)).text()
    const { wallet } = credentials.demo
    const sent = await Promise.all([placeOrder({ wallet }, html), placeOrder({ wallet }, html)])
    const repeated = await placeOrder({ wallet }, html)
    const locations = [...sent, repeated].map(({ location }) => location).filter((each) => each !== '')
    expect(new Set(locations).size).toBe(1)
    // A form that arrives while the other one is processed gets its page, or a text.
    expect(sent.filter(({ status }) => status !== 303 && status !== 200)).toEqual([])
    expect(repeated.status).toBe(303)
  })

  it('takes the price, the seller and the kind of sale from the gateway, whatever a form says', async () => {
    const changed = {
      payPrice: '1',
      payAmount: '1',
      orderStatus: '2',
      sender: credentials.demo.wallet,
      marketType: '5',
    }
    const { location } = await placeOrder(changed)
    const order = await orders.get(gateway, { orderNo: location.replace('/orders/', '') })
    expect(order).toMatchObject({
      payAmount: '1000000000000000',
      orderStatus: OrderStatus.PRE,
      sender: credentials.demo.creator,
      marketType: 1,
    })
  })

  it.each([
    [{ quantity: '-1' }, 'Choose 1 to 5.'],
    [{ quantity: '1e3' }, 'Choose 1 to 5.'],
    [{ wallet: '<b>' }, 'Enter the address of your wallet'],
    [{ listingId: '999999' }, 'no longer for sale'],
  ])('explains a form with %j and places no order', async (fields, problem) => {
    const { totalRow } = await orders.list(gateway, {})
    const { status, text, location } = await placeOrder(fields)
    expect([status, location]).toEqual([200, ''])
    expect(text).toContain(problem)
    expect((await orders.list(gateway, {})).totalRow).toBe(totalRow)
  })

  it('the shop does not sell the listings of other sellers of the project', async () => {
    const { wallet, nftAddress } = credentials.demo
    const token = { nftAddress, nftId: '77' }
    await nfts.add(gateway, { ...token, name: 'Of another seller', owner: wallet, quantity: 1 })
    const foreign = await commonSales.putOnShelf(gateway, {
      ...token,
      seller: wallet,
      quantity: 1,
      payPrice: '1',
    })
    expect(await (await open('/')).text()).not.toContain('Of another seller')
    const { text } = await placeOrder({ listingId: String(foreign.id) })
    expect(text).toContain('no longer for sale')
  })

  it('shows an order only to the browser that placed it', async () => {
    const [{ location: own }, { location: other, cookie }] = [await placeOrder(), await placeOrder()]
    expect(cookie).toMatch(/httponly/i)
    expect(cookie).toMatch(/secure/i)
    expect((await open(own)).status).toBe(200)
    const stranger = [{}, { cookie: 'order=' }, { cookie: jar.get(other) ?? '' }]
    for (const headers of stranger) {
      const pages = await Promise.all([own, `${own}/status?known=0`].map((page) => open(page, headers)))
      expect(pages.map(({ status }) => status)).toEqual([404, 404])
    }
    expect((await open('/orders/..%2f..%2fpackage', { cookie: jar.get(own) ?? '' })).status).toBe(404)
    // The form of one's own order, with the number of another one.
    const hash = `0x${'1'.repeat(64)}`
    const stolen = await sendForm(own, 'hash', { hash, orderNo: other.replace('/orders/', '') })
    expect(stolen.text).toContain('You have no such order.')
    expect((await orders.get(gateway, { orderNo: other.replace('/orders/', '') })).hash).toBe('')
  })

  it('accepts only webhooks that the gateway signed, and ignores a replayed older one', async () => {
    const { location } = await placeOrder()
    const order = await orders.get(gateway, { orderNo: location.replace('/orders/', '') })
    const paid = toEvent('order.paid', 1_000_001, { ...order, orderStatus: OrderStatus.SUCCESS })
    const read = async () => await (await open(location)).text()

    expect(await sendWebhook(paid, `whsec_${btoa('another secret of 32 characters!')}`)).toBe(400)
    const captured = await signTestWebhook(paid, webhookSecret)
    const altered = { ...captured, body: captured.body.replace('1000001', '1000002') }
    const refused = await fetch(`${shopUrl}/hooks/mintmark`, { method: 'POST', ...altered })
    expect(refused.status).toBe(400)
    expect(await read()).toContain('Pay your order')

    expect(await sendWebhook(paid)).toBe(204)
    expect(await read()).toContain('It is yours')
    // A replay of the message about the order before it was paid.
    expect(await sendWebhook(toEvent('order.created', 1_000_000, order))).toBe(204)
    expect(await read()).toContain('It is yours')
    const status = await (await open(`${location}/status?known=0`)).json()
    expect(status).toEqual({ orderStatus: OrderStatus.SUCCESS })
  })

  it('sends no secret to browsers', async () => {
    const settings = readFileSync(join(folder, '.env.local'), 'utf8')
    const secrets = ['MINTMARK_API_KEY', 'MINTMARK_SECRET', 'MINTMARK_WEBHOOK_SECRETS', 'SHOP_SECRET'].map(
      (name) => new RegExp(`^${name}=(.+)$`, 'm').exec(settings)?.[1] ?? '',
    )
    expect(secrets).not.toContain('')
    const { location } = await placeOrder()
    const pages = await Promise.all(['/', location].map(async (page) => await (await open(page)).text()))
    const scripts = globSync('.next/static/**/*.{js,css,map}', { cwd: folder })
    expect(scripts.length).toBeGreaterThan(0)
    const sent = [...pages, ...scripts.map((file) => readFileSync(join(folder, file), 'utf8'))].join('\n')
    expect(secrets.filter((secret) => sent.includes(secret))).toEqual([])
    expect(sent).not.toContain('MINTMARK_SECRET')
  })
})

function readAttribute(tag: string, name: string): string {
  const value = new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? ''
  return value
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&amp;', '&')
}
