import { Role } from '@mintmark/admin'
import type { GatewayClient } from '@mintmark/operation'
import { listen } from '@mintmark/server-kit'
import { createGateway } from '@mintmark/transport'
import type { Browser, Page } from '@playwright/test'
import { createInvitation } from '../../gateway-server/src/domains/people/invitations-store.ts'
import { setOperator } from '../../gateway-server/src/testing/console-person.ts'
import {
  type TestGateway,
  type TestGatewayOptions,
  type TestKey,
  testGateway,
} from '../../gateway-server/src/testing/gateway.ts'
import { type PageOptions, type StorageState, toContextOptions, type View } from './browser.ts'
import { visit } from './check-page.ts'

export const PASSWORD = 'correct horse battery staple'

/** The built console in a browser, served by a real gateway with a database of its own. */
export interface ConsoleFixture {
  /** The address of the gateway. */
  readonly url: string
  readonly gateway: TestGateway
  readonly projectId: number
  /** A client with a key of the project, for what happens outside of the console. */
  readonly client: GatewayClient
  /** The address of a page of the project. */
  at(path: string): string
  /** Opens a tab without a session. */
  open(view?: View): Promise<Page>
  /** Opens a tab in which a person with a role is signed in. The person is created at the first use. */
  openAs(role: Role, options?: PageOptions): Promise<Page>
  /**
   * Opens a tab in which Olga Operator is signed in: an operator of the server, with the role of staff in the
   * project.
   */
  openAsOperator(options?: PageOptions): Promise<Page>
  /** Invites a person to the project, or to another one, and returns the token of the link. */
  invite(email: string, role: Role, project?: number): Promise<string>
  /** Ends the server, and its connections. */
  stopServer(): Promise<void>
  /** Starts it again at the same address. */
  restartServer(): Promise<void>
  /** Creates a person, whose session the tab has then. */
  createPerson(page: Page, person: FixturePerson): Promise<void>
  /** Reads the status of the request for the session of a tab: 200, or 401 when nobody is signed in. */
  readSessionStatus(page: Page): Promise<number>
  close(): Promise<void>
}

export interface ConsoleOptions {
  /** The gateway, whose owner closes it. Default: a new one. */
  readonly gateway?: TestGateway
  /** The key of the project. Default: that of the gateway. */
  readonly key?: TestKey
  /** More settings of the gateway that serves the console. */
  readonly settings?: TestGatewayOptions
}

/** Starts a gateway with the built console. */
export async function startConsole(browser: Browser, options: ConsoleOptions): Promise<ConsoleFixture> {
  const { settings = {} } = options
  const gateway = options.gateway ?? (await testGateway())
  const serve = (port: number) =>
    listen((url) => gateway.another({ ...settings, publicUrl: url, trustedProxyHops: 1 }), {
      host: 'localhost',
      port,
    })
  let listening = await serve(0)
  const { url, port } = listening
  const server = {
    url,
    stop: () => listening.close(0),
    restart: async () => {
      listening = await serve(port)
    },
    close: async () => {
      await listening.close()
      if (options.gateway === undefined) await gateway.close()
    },
  }
  return createFixture({ gateway, key: options.key ?? gateway.key }, server, browser)
}

/** The server of the console. */
interface FixtureServer {
  readonly url: string
  stop(): Promise<void>
  restart(): Promise<void>
  /** Ends it for good, with its gateway. */
  close(): Promise<void>
}

interface FixtureGateway {
  readonly gateway: TestGateway
  readonly key: TestKey
}

/** A person who signs in. */
interface FixturePerson {
  readonly email: string
  readonly name: string
  readonly role: Role
}

const OPERATOR: FixturePerson = { email: 'olga@shop.example', name: 'Olga Operator', role: Role.STAFF }

function createFixture(
  { gateway, key }: FixtureGateway,
  server: FixtureServer,
  browser: Browser,
): ConsoleFixture {
  const { url } = server
  const { projectId, apiKey, secret } = key
  const client = createGateway({ baseUrl: url, credentials: { apiKey, secret }, retries: 0 })
  let tabs = 0
  /** The cookies of each person's session, by email address. */
  const sessions = new Map<string, StorageState>()

  async function open(view: View = {}, storageState?: StorageState): Promise<Page> {
    tabs += 1
    const context = await browser.newContext({
      ...toContextOptions(view),
      // The gateway limits attempts to sign in by address, and each tab is another person's.
      extraHTTPHeaders: { 'x-forwarded-for': `10.0.0.${tabs}` },
      ...(storageState !== undefined && { storageState }),
    })
    return await context.newPage()
  }

  async function invite(email: string, role: Role, project = projectId): Promise<string> {
    const created = await createInvitation(gateway.owner.system, { project, email, role })
    if (typeof created === 'string') throw new Error(`${email} cannot be invited: ${created}`)
    return created.token
  }

  async function createPerson(page: Page, { email, name, role }: FixturePerson): Promise<void> {
    const token = await invite(email, role)
    const response = await page.request.post(`${url}/console/invitations/${token}`, {
      headers: { origin: url },
      data: { name, password: PASSWORD },
    })
    if (!response.ok()) throw new Error(`${response.status()} ${await response.text()}`)
  }

  async function signIn(person: FixturePerson): Promise<void> {
    const page = await open()
    await createPerson(page, person)
    sessions.set(person.email, await page.context().storageState())
    await page.context().close()
  }

  /** Opens a tab of a person, and a page of the console if it is named. */
  async function openSession(email: string, area: string, { path, ...view }: PageOptions): Promise<Page> {
    const page = await open(view, sessions.get(email))
    if (path === undefined) return page
    await visit(page, `${url}/console/${area}/${path}`)
    return page
  }

  return {
    url,
    gateway,
    projectId,
    client,
    stopServer: server.stop,
    restartServer: server.restart,
    invite,
    createPerson,
    at: (path) => `${url}/console/p/${projectId}/${path}`,
    open: (view) => open(view),
    async openAs(role, options = {}) {
      const email = `${role.toLowerCase()}@shop.example`
      if (!sessions.has(email)) await signIn({ email, name: `Person ${role}`, role })
      return await openSession(email, `p/${projectId}`, options)
    },
    async openAsOperator(options = {}) {
      if (!sessions.has(OPERATOR.email)) {
        await signIn(OPERATOR)
        await setOperator(gateway, OPERATOR.email, true)
      }
      return await openSession(OPERATOR.email, 'operator', options)
    },
    async readSessionStatus(page) {
      const headers = { 'x-mintmark-session': 'none' }
      return (await page.request.get(`${url}/admin/v1/session`, { headers })).status()
    },
    close: server.close,
  }
}
