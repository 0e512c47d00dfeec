import { existsSync } from 'node:fs'
import { seedPeople } from '@mintmark/gateway-server'
import { sql } from 'kysely'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { type Row, summarize } from './figures.ts'
import { type GatewayStorage, startGateway, startStorage } from './gateway-environment.ts'
import { addContract, insertRows } from './list-rows.ts'
import type { Aim, Measurement, MeasureOptions, Section } from './section.ts'
import { median } from './statistics.ts'

const ORDERS = 1_000_000
const ROWS = 100_000
const QUICK_ORDERS = 100_000
const QUICK_ROWS = 10_000
const REPETITIONS = 5
const MAX_PAGE_MS = 300
const MAX_START_MS = 2000
const PASSWORD = 'a password for the benchmark'
const EMAIL = 'owner@demo.example'

/** The pages that are opened from the navigation, by the ends of their addresses. */
const PAGES = [
  ...['overview', 'cards', 'orders', 'market', 'minting', 'contracts', 'nfts', 'wallets'],
  ...['events', 'webhooks', 'explorer', 'audit', 'keys', 'people', 'scanner'],
] as const

/** A phone of the middle class in a slow mobile network, as web performance tools simulate it. */
const PHONE = { cpuSlowdown: 4, latencyMs: 150, bytesPerSecond: 1_600_000 / 8 }

interface Environment {
  readonly url: string
  readonly context: BrowserContext
  /** The project with rows, and one without. */
  readonly filled: number
  readonly empty: number
}

/** Fills what `insertRows` leaves out: the totals of a year, the feed of events and the audit log. */
async function insertHistory({ owner }: GatewayStorage, project: number, rows: number): Promise<void> {
  const { system } = owner
  await sql`
    insert into gateway.totals
    select ${project}, date_bin('15 minutes', clock_timestamp(), '2000-01-01Z') - n * interval '15 minutes', type,
      case when type = 'order.paid' then '84532' else '' end, '', 18, 30, 30
    from generate_series(0, 365 * 96) n,
      unnest(array['order.created', 'order.paid', 'verification.accepted', 'verification.refused']) type`.execute(
    system,
  )
  await sql`insert into gateway.event_counts (project_id, newest) values (${project}, ${rows})`.execute(
    system,
  )
  await sql`
    insert into gateway.events (project_id, sequence, type, subject, occurred_at, data)
    select ${project}, n, 'order.created', 'order/' || n, clock_timestamp(), json_build_object('orderNo', md5(n::text))
    from generate_series(1, ${rows}::integer) n`.execute(system)
  await sql`
    insert into gateway.audit_heads (project_id, sequence, hash) values (${project}, ${rows}, decode(repeat('0', 64), 'hex'))`.execute(
    system,
  )
  await sql`
    insert into gateway.audit_entries
    select ${project}, n, clock_timestamp(), 'key:mk_bench', 'orders', n::text, 'CREATED', '{}', h.hash, h.hash
    from generate_series(1, ${rows}::integer) n, gateway.audit_heads h where h.project_id = ${project}`.execute(
    system,
  )
}

const getChromiumPath = (): string => process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'

function findProblem(): string | undefined {
  const path = getChromiumPath()
  return existsSync(path) ? undefined : `needs Chromium. Set CHROMIUM_PATH, or install it at ${path}`
}

async function launchBrowser(stops: AsyncDisposableStack): Promise<Browser> {
  const executablePath = getChromiumPath()
  const browser = await chromium.launch({
    executablePath,
    args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  })
  stops.defer(() => browser.close())
  return browser
}

/** Starts a gateway with both projects, and a browser in which their owner is signed in. */
async function startEnvironment(stops: AsyncDisposableStack, quick: boolean): Promise<Environment> {
  const storage = await startStorage(stops)
  const { projectId: filled } = await storage.newKey('filled')
  const { projectId: empty } = await storage.newKey('empty')
  for (const project of [filled, empty]) {
    await seedPeople(storage.owner.system, { project, password: PASSWORD, wallet: '' })
  }
  const rows = quick ? QUICK_ROWS : ROWS
  const project = await addContract(storage, filled, true)
  await insertRows(storage, project, 0, rows)
  await insertRows(storage, project, rows, quick ? QUICK_ORDERS : ORDERS, ['orders'])
  await insertHistory(storage, filled, rows)
  await sql`vacuum analyze`.execute(storage.owner.system)
  // It numbers the changes from above after those of the history.
  const url = `http://127.0.0.1:${await startGateway(stops, storage)}`
  const context = await (await launchBrowser(stops)).newContext({ viewport: { width: 1280, height: 800 } })
  const { request } = await context.newPage()
  const response = await request.post(`${url}/console/auth/sign-in/email`, {
    headers: { origin: url },
    data: { email: EMAIL, password: PASSWORD },
  })
  if (!response.ok()) throw new Error(`Sign-in failed: ${response.status()} ${await response.text()}`)
  const environment = { url, context, filled, empty }
  // The first call of a long list counts it.
  for (const name of PAGES) await measurePage(environment, filled, name)
  return environment
}

/** Waits until a page has its title and has read what it shows. */
async function waitUntilReady(page: Page): Promise<void> {
  await page.waitForFunction(
    () =>
      document.querySelector('h1') !== null &&
      document.querySelector('.skeleton, .spinner, [aria-busy="true"]') === null,
  )
}

/**
 * Chooses a link of the navigation in the page. Returns the milliseconds until the page that it leads to
 * shows everything.
 */
function openLink(page: Page, path: string): Promise<number> {
  return page.evaluate(
    (target) =>
      new Promise<number>((resolve) => {
        const { title } = document
        const isReady = () =>
          location.pathname.startsWith(target) &&
          document.title !== title &&
          document.querySelector('h1') !== null &&
          document.querySelector('.skeleton, .spinner, [aria-busy="true"]') === null
        const startedAt = performance.now()
        const check = () =>
          isReady() ? resolve(performance.now() - startedAt) : void requestAnimationFrame(check)
        document.querySelector<HTMLAnchorElement>(`a[href="${target}"]`)?.click()
        check()
      }),
    path,
  )
}

/**
 * Opens a page by its link in the navigation, in a tab that has read nothing of it. Returns the milliseconds
 * until the page shows everything.
 */
async function measurePage({ url, context }: Environment, project: number, name: string): Promise<number> {
  const page = await context.newPage()
  // The account has no part of another page, and nothing of a project.
  const start = name === 'webhooks' ? 'keys' : 'webhooks'
  await page.goto(`${url}/console/p/${project}/${start}`)
  await waitUntilReady(page)
  const milliseconds = await openLink(page, `/console/p/${project}/${name}`)
  await page.close()
  return milliseconds
}

/**
 * Opens the console as a phone that was never there. Returns the milliseconds until the overview can be used.
 */
async function measureStart({ url, context, filled }: Environment): Promise<number> {
  const browser = context.browser()
  if (browser === null) throw new Error('The browser has ended')
  const phone = await browser.newContext({
    viewport: { width: 390, height: 844 },
    isMobile: true,
    hasTouch: true,
    storageState: await context.storageState(),
  })
  const page = await phone.newPage()
  await slowDown(page)
  const startedAt = performance.now()
  await page.goto(`${url}/console/p/${filled}/orders`, { waitUntil: 'commit' })
  await waitUntilReady(page)
  const milliseconds = performance.now() - startedAt
  await phone.close()
  return milliseconds
}

async function slowDown(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: PHONE.cpuSlowdown })
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: PHONE.latencyMs,
    downloadThroughput: PHONE.bytesPerSecond,
    uploadThroughput: PHONE.bytesPerSecond,
  })
}

async function measure({ quick, onStep }: MeasureOptions): Promise<Measurement> {
  await using stops = new AsyncDisposableStack()
  const environment = await startEnvironment(stops, quick)
  const steps = PAGES.length + 1
  const rows: Row[] = []
  let slowest = 0
  for (const [index, name] of PAGES.entries()) {
    const empty: number[] = []
    const filled: number[] = []
    // The first tab of each fills the browser's cache of scripts.
    await measurePage(environment, environment.empty, name)
    for (let repetition = 0; repetition < REPETITIONS; repetition += 1) {
      empty.push(await measurePage(environment, environment.empty, name))
      filled.push(await measurePage(environment, environment.filled, name))
    }
    slowest = Math.max(slowest, median(filled))
    rows.push({ name, figures: [summarize(empty), summarize(filled)] })
    onStep(index + 1, steps)
  }
  const starts: number[] = []
  for (let repetition = 0; repetition < REPETITIONS; repetition += 1)
    starts.push(await measureStart(environment))
  rows.push({ name: 'first start on a slow phone', figures: [null, summarize(starts)] })
  onStep(steps, steps)
  return {
    columns: [
      { name: 'empty project', unit: 'ms' },
      { name: `${(quick ? QUICK_ORDERS : ORDERS).toLocaleString('en')} orders`, unit: 'ms' },
    ],
    rows,
    aims: listAims(slowest, median(starts)),
    notes: [
      `The other lists have ${(quick ? QUICK_ROWS : ROWS).toLocaleString('en')} rows. A page is opened by its link, in a tab that has read nothing of it.`,
      `The phone computes ${PHONE.cpuSlowdown} times slower, and its network has a latency of ${PHONE.latencyMs} ms and 1.6 Mbit/s.`,
    ],
  }
}

function listAims(slowestPage: number, start: number): Aim[] {
  return [
    {
      text: `every page shows everything within ${MAX_PAGE_MS} ms: the slowest takes ${Math.round(slowestPage)} ms`,
      reached: slowestPage <= MAX_PAGE_MS,
    },
    {
      text: `the first start on a slow phone takes at most ${MAX_START_MS} ms: ${Math.round(start)} ms`,
      reached: start <= MAX_START_MS,
    },
  ]
}

/** Measures the console in Chromium, with a project of a million orders beside an empty one. */
export const consoleSection: Section = {
  name: 'console',
  title: 'Pages of the console in Chromium, with a large project beside an empty one',
  findProblem,
  measure,
}
