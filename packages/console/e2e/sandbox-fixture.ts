import { type Sandbox, startSandbox } from '@mintmark/sandbox'
import type { Browser, Page } from '@playwright/test'
import { type PageOptions, type StorageState, toContextOptions } from './browser.ts'
import { visit } from './check-page.ts'

/** A person of the sandbox's demo data. */
type Person = 'owner' | 'manager' | 'auditor'

/** The built console in a browser, served by a sandbox: a gateway with its jobs, its events and a chain. */
export interface ConsoleSandbox extends AsyncDisposable {
  readonly sandbox: Sandbox
  /** What is stopped after the tests. */
  readonly stops: AsyncDisposableStack
  readonly chainId: string
  /** The addresses of two accounts of the sandbox, in lower case. */
  readonly seller: string
  readonly buyer: string
  /** The address of a page of the project. */
  at(path: string): string
  /**
   * Opens a tab in which a person is signed in. Images of any site are a green square; nothing else is loaded
   * from other sites.
   */
  openAs(person: Person, options?: PageOptions): Promise<Page>
}

/** A green square. */
const IMAGE =
  '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><rect width="8" height="8" fill="green"/></svg>'

/**
 * Starts a sandbox with demo data.
 *
 * @param databaseUrl An empty database. Default: one of the sandbox's own.
 */
export async function startConsoleSandbox(browser: Browser, databaseUrl?: string): Promise<ConsoleSandbox> {
  const sandbox = await startSandbox({ demo: true, databaseUrl })
  const stops = new AsyncDisposableStack()
  stops.defer(() => sandbox.stop())
  const { console: access } = sandbox.credentials
  if (access === undefined) throw new Error('The sandbox has no people')
  const sessions = new Map<Person, StorageState>()
  let base = ''

  async function signIn(page: Page, person: Person): Promise<void> {
    await page.goto(new URL('sign-in', access?.url).href)
    await page.getByLabel('Email address').fill(`${person}@demo.example`)
    await page.getByLabel('Password').fill(access?.password ?? '')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.waitForURL(/\/p\/\d+\//)
    base = /^.*\/p\/\d+\//.exec(page.url())?.[0] ?? ''
    sessions.set(person, await page.context().storageState())
  }

  return {
    sandbox,
    stops,
    chainId: String(sandbox.credentials.chain.chainId),
    seller: sandbox.accounts.creator.address.toLowerCase(),
    buyer: sandbox.accounts.buyer.address.toLowerCase(),
    at: (path) => base + path,
    async openAs(person, { path, ...view } = {}) {
      const storageState = sessions.get(person)
      const context = await browser.newContext({
        ...toContextOptions(view),
        acceptDownloads: true,
        ...(storageState !== undefined && { storageState }),
      })
      await context.route(/^https:/, (route) => route.abort())
      await context.route(/\/console\/images\?/, (route) =>
        route.fulfill({ contentType: 'image/svg+xml', body: IMAGE }),
      )
      const page = await context.newPage()
      if (storageState === undefined) await signIn(page, person)
      if (path === undefined) return page
      await visit(page, base + path)
      return page
    },
    [Symbol.asyncDispose]: () => stops.disposeAsync(),
  }
}
