import { randomInt } from 'node:crypto'
import type { GatewayClient } from '@mintmark/operation'
import { createSessionGateway } from '@mintmark/transport/browser'
import { createInvitation, type NewInvitation } from '../domains/people/invitations-store.ts'
import { TEST_URL, type TestGateway } from './gateway.ts'

export const PASSWORD = 'correct horse battery staple'

/** A browser at the test gateway: it keeps cookies and sends the headers of a page of the gateway. */
export class TestBrowser {
  readonly cookies = new Map<string, string>()
  /** Its address. Limits of attempts are counted by address. */
  readonly #remoteAddress = `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`
  readonly #gateway: Pick<TestGateway, 'app'>

  constructor(gateway: Pick<TestGateway, 'app'>) {
    this.#gateway = gateway
  }

  get cookieHeader(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  /** Sends a request like `fetch` of a page of the gateway. */
  readonly fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const request = new Request(typeof input === 'string' ? new URL(input, TEST_URL) : input, init)
    const headers = new Headers(request.headers)
    if (this.cookies.size > 0) headers.set('cookie', this.cookieHeader)
    if (request.method !== 'GET' && !headers.has('origin')) headers.set('origin', TEST_URL)
    if (!headers.has('sec-fetch-site')) headers.set('sec-fetch-site', 'same-origin')
    const incoming = { socket: { remoteAddress: this.#remoteAddress } }
    const response = await this.#gateway.app.fetch(new Request(request, { headers }), { incoming })
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      if (value === '' || /max-age=0/i.test(cookie)) this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
    return response
  }

  /** Copies the cookies to a browser at another address, as whoever steals them could. */
  steal(gateway = this.#gateway): TestBrowser {
    const thief = new TestBrowser(gateway)
    for (const [name, value] of this.cookies) thief.cookies.set(name, value)
    return thief
  }

  async post(path: string, body: object, headers: Record<string, string> = {}): Promise<Response> {
    return await this.fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
  }

  async signIn(email: string, password = PASSWORD): Promise<Response> {
    return await this.post('/console/auth/sign-in/email', { email, password })
  }

  /** The client of the console for a project. */
  client(projectId?: number): GatewayClient {
    return createSessionGateway({ baseUrl: TEST_URL, projectId, fetch: this.fetch, retries: 0 })
  }
}

/** Makes the person with an email address an operator of the server, or ends that. */
export async function setOperator(gateway: TestGateway, email: string, isOperator: boolean): Promise<void> {
  await gateway.owner.system
    .updateTable('gateway.people')
    .set({ is_operator: isOperator })
    .where('email', '=', email)
    .executeTakeFirstOrThrow()
}

/** Invites a person and returns the token of the link. */
export async function invite(gateway: TestGateway, invitation: NewInvitation): Promise<string> {
  const created = await createInvitation(gateway.owner.system, invitation)
  if (typeof created === 'string') throw new Error(`${invitation.email} is not invited: ${created}`)
  return created.token
}

/** Adds a person to a project by an invitation, and signs in. */
export async function addPerson(
  gateway: TestGateway,
  { email, role, project, wallet }: NewInvitation,
): Promise<TestBrowser> {
  const token = await invite(gateway, { email, role, project, wallet })
  const browser = new TestBrowser(gateway)
  const response = await browser.post(`/console/invitations/${token}`, {
    name: email.split('@')[0],
    password: PASSWORD,
  })
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`)
  return browser
}
