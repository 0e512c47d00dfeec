import { createHmac, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { commemorativeCards } from '@mintmark/cards'
import { devAccount } from '@mintmark/devkit/chain/accounts'
import { startDevChain } from '@mintmark/devkit/chain/start'
import { serveLocally } from '@mintmark/devkit/serve-locally'
import { webhooks } from '@mintmark/facilitator'
import { createGateway } from '@mintmark/transport'
import { signedBody } from '../../packages/facilitator-server/src/engine/testing.ts'
import {
  paymentInput,
  type TestFacilitator,
  testFacilitator,
} from '../../packages/facilitator-server/src/testing.ts'
import { startTestGateway } from '../gateway.ts'
import { repositoryRoot } from '../workspace.ts'
import type { Input, Result, Vector } from './program.ts'

/** What a program in one runtime should return. */
export interface Traits {
  /** Whose HMAC core-auth uses. */
  readonly signsBy: Result['sign']['by']
  /** How a write ends that no server received: a failed `fetch` does not always say that nothing was sent. */
  readonly unreachedWrite: 'Network' | 'UnknownOutcome'
}

// More than two pages, the last of them not full.
const CARDS = 25
const PAGE_SIZE = 10
const NFT_ADDRESS = '0x00000000000000000000000000000000000000aa'
const TIMES = { startTime: '2026-01-01T00:00:00Z', endTime: '2099-01-01T00:00:00Z' }

const vectors: readonly Vector[] = JSON.parse(
  readFileSync(join(repositoryRoot, 'packages/core-auth/testdata/signing-vectors.json'), 'utf8'),
)

/** A gateway that fails in a way that its path names. */
function startFailingGateway(stops: AsyncDisposableStack): Promise<string> {
  return serveLocally((request, response) => {
    response.setHeader('access-control-allow-origin', '*').setHeader('access-control-allow-headers', '*')
    if (request.method === 'OPTIONS') response.writeHead(204).end()
    else if (request.url?.startsWith('/breaks')) request.socket.destroy()
    else if (request.url?.startsWith('/leaves')) response.writeHead(302, { location: '/elsewhere' }).end()
  }, stops)
}

/** A service that responds with the MAC of a body, under the secret of its path. */
function startKeyService(
  secrets: ReadonlyMap<string, string>,
  origins: readonly string[],
  stops: AsyncDisposableStack,
): Promise<string> {
  return serveLocally(async (request, response) => {
    const { origin = '' } = request.headers
    if (origins.includes(origin)) response.setHeader('access-control-allow-origin', origin)
    const secret = secrets.get(request.url ?? '')
    if (secret === undefined) return void response.writeHead(404).end()
    const mac = createHmac('sha256', secret).update(await text(request))
    response.end(mac.digest())
  }, stops)
}

/** An address of this machine at which no server listens. */
async function findClosedAddress(): Promise<string> {
  await using stops = new AsyncDisposableStack()
  return await serveLocally(() => {}, stops)
}

/** Settles a payment and returns the webhook that the facilitator delivers for it. */
async function deliverWebhook(facilitator: TestFacilitator): Promise<Input['webhook']> {
  await using stops = new AsyncDisposableStack()
  const { promise, resolve } = Promise.withResolvers<Omit<Input['webhook'], 'secret'>>()
  const url = await serveLocally(async (request, response) => {
    const headers = Object.entries(request.headers).filter(([name]) => name.startsWith('webhook-'))
    resolve({ body: await text(request), headers: Object.fromEntries(headers) as Record<string, string> })
    response.writeHead(204).end()
  }, stops)
  const account = await facilitator.account()
  const events = ['settlement.settled'] as const
  const { secret = '' } = await webhooks.configure(facilitator.client(account), { url, events: [...events] })
  const { status } = await facilitator.post('/settle', await signPayment(), account.token)
  if (status !== 200) throw new Error(`The payment was not settled: ${status}`)
  return { ...(await promise), secret }
}

const signPayment = () => signedBody({ account: devAccount(1) })

type TestGateway = Awaited<ReturnType<typeof startTestGateway>>

/** The id of a project's only promo code card with a name. */
async function findCard({ database }: TestGateway, project: number, name: string): Promise<number> {
  const cards = await database.system
    .selectFrom('gateway.cards')
    .select('id')
    .where('project_id', '=', project)
    .where('program', '=', 'promo_code')
    .where('name', '=', name)
    .execute()
  const [card] = cards
  if (card === undefined || cards.length > 1) throw new Error(`${name} was created ${cards.length} times`)
  return card.id
}

/** The subjects of the events of a project's cards, in the order of their creation. */
async function listCardSubjects({ database }: TestGateway, project: number): Promise<string[]> {
  const cards = await database.system
    .selectFrom('gateway.cards')
    .select('id')
    .where('project_id', '=', project)
    .orderBy('id')
    .execute()
  return cards.map(({ id }) => `card/${id}`)
}

/** The request id that the gateway logged for its last answer of this operation and status. */
function findRequestId({ log }: TestGateway, operation: string, status: number): string {
  const calls = log.map((line): Record<string, unknown> => JSON.parse(line))
  const found = calls.findLast((call) => call.operation === operation && call.status === status)
  return String(found?.requestId)
}

interface Environment {
  readonly gateway: TestGateway
  readonly facilitator: TestFacilitator
  readonly webhook: Input['webhook']
}

/** What was created for the program in one runtime. */
interface Run {
  readonly projectId: number
  readonly accountId: number
  readonly cardName: string
  /** The names of the cards that are paged. */
  readonly names: readonly string[]
  readonly payment: Awaited<ReturnType<typeof signPayment>>
}

/** Reads what the program should have returned from the databases and the log. */
async function readExpected(
  { gateway, facilitator, webhook }: Environment,
  { projectId, accountId, cardName, names, payment }: Run,
  { signsBy, unreachedWrite }: Traits,
): Promise<Result> {
  const id = await findCard(gateway, projectId, cardName)
  const settlements = await facilitator.settlements()
  const settlement = settlements.find(({ account_id }) => account_id === accountId)
  const transaction = settlement?.transaction ?? 'none'
  const { id: eventId, type }: Result['verify']['event'] = JSON.parse(webhook.body)
  const { network, amount } = payment.paymentRequirements
  const payer = payment.paymentPayload.payload.authorization.from
  return {
    sign: { signatures: vectors.map(({ signature }) => signature), by: signsBy },
    call: {
      created: { id, name: cardName, attempts: 2 },
      read: { id, name: cardName },
      missing: { kind: 'NotFound', requestId: findRequestId(gateway, 'promoCodeCards.get', 404) },
      corrected: { id, attempts: 2 },
    },
    page: { requests: Math.ceil(CARDS / PAGE_SIZE), names: names.toReversed() },
    fail: {
      late: 'Timeout',
      aborted: 'TimeoutError',
      broken: ['Network', 'UnknownOutcome'],
      unreached: ['Network', unreachedWrite],
      redirected: ['UnexpectedResponse', 'UnexpectedResponse'],
    },
    verify: { event: { id: eventId, type }, altered: 'bad_signature', late: 'stale' },
    settle: {
      settlement: { success: true, payer, transaction, network, amount },
      orders: [{ transaction, status: 'settled' }],
      stranger: 'Unauthorized',
    },
    stream: { connections: 2, subjects: await listCardSubjects(gateway, projectId) },
    verifyEvents: { id: 'evt_7', altered: 'bad_signature' },
  }
}

/** Starts both servers, a key service and a failing gateway. Pages of the given origins may call them. */
export async function startEnvironment(origins: readonly string[], stops: AsyncDisposableStack) {
  const chain = await startDevChain({ port: 0, blockTime: 0 })
  stops.defer(() => chain.stop())
  const env = { CORS_ORIGINS: origins.join(',') }
  const facilitator = await testFacilitator({ chain, signerKeys: [devAccount(9).privateKey], env })
  stops.defer(() => facilitator.close())
  const gateway = await startTestGateway(env, stops)
  /** The secrets that the key service signs with, by its paths. */
  const secrets = new Map<string, string>()
  const keyService = await startKeyService(secrets, origins, stops)
  const failing = await startFailingGateway(stops)
  const unreachable = await findClosedAddress()
  const webhook = await deliverWebhook(facilitator)

  /** Creates a project, an account and a payment for the program in one runtime. */
  return async function prepare(name: string) {
    const creator = devAccount(2).address.toLowerCase()
    const { projectId, ...credentials } = await gateway.newKey(`${name}, ${randomUUID()}`, creator)
    secrets.set(`/${credentials.apiKey}`, credentials.secret)
    const account = await facilitator.account()
    const names = Array.from({ length: CARDS }, (_, index) => `card ${index + 1} of ${CARDS}`)
    await commemorativeCards.createBatch(createGateway({ baseUrl: gateway.url, credentials }), {
      cards: names.map((each) => ({ name: each, nftAddress: NFT_ADDRESS, totalIssued: 1, ...TIMES })),
    })
    const cardName = `card of ${name}`
    const payment = await signPayment()
    const input: Input = {
      vectors,
      gateway: { baseUrl: gateway.url, ...credentials },
      keyService: `${keyService}/${credentials.apiKey}`,
      failing: {
        hangs: `${failing}/hangs`,
        breaks: `${failing}/breaks`,
        leaves: `${failing}/leaves`,
        unreachable,
      },
      creator,
      nftAddress: NFT_ADDRESS,
      pageSize: PAGE_SIZE,
      events: CARDS + 1,
      cardName,
      facilitator: { baseUrl: facilitator.url, token: account.token },
      payment: paymentInput(payment),
      webhook,
    }

    const run = { projectId, accountId: account.id, cardName, names, payment }
    return {
      input,
      /** Reads what the program should have returned, after it has run. */
      expected: (traits: Traits) => readExpected({ gateway, facilitator, webhook }, run, traits),
    }
  }
}
