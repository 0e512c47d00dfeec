import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { commemorativeCards } from '@mintmark/cards'
import { webhooks } from '@mintmark/facilitator'
import { createGateway } from '@mintmark/transport'
import { signedBody } from '../../packages/facilitator-server/src/payment/testing.ts'
import {
  paymentInput,
  type TestFacilitator,
  testFacilitator,
} from '../../packages/facilitator-server/src/testing.ts'
import { devAccount } from '../devchain/accounts.ts'
import { startDevChain } from '../devchain/start.ts'
import { repositoryRoot } from '../workspace.ts'
import { type GatewayWorld, startGatewayWorld } from './gateway-world.ts'
import type { Given, Seen, Traits, Vector } from './program.ts'
import { addressOfNobody, startFailingGateway, startKeyService, startReceiver } from './remote-parties.ts'

/** What one runtime is given, and what it should then have seen. */
export interface Place {
  readonly given: Given
  /** Asked once the program has run: what it made stands in the databases and in the log by then. */
  expected(traits: Traits): Promise<Seen>
}

/** Both servers on PostgreSQL and a dev chain, and what a product team has beside them. */
export interface World {
  /** A project, an account and a payment of one runtime's own. */
  place(name: string): Promise<Place>
  close(): Promise<void>
}

// More than two pages, the last of them not full.
const CARDS = 25
const PAGE_SIZE = 10
const NFT_ADDRESS = '0x00000000000000000000000000000000000000aa'

const vectors: readonly Vector[] = JSON.parse(
  readFileSync(join(repositoryRoot, 'packages/core-auth/testdata/signing-vectors.json'), 'utf8'),
)

/** Starts them; browsers may call from the given origins. */
export async function startWorld(origins: readonly string[]): Promise<World> {
  const stops: (() => unknown)[] = []
  const close = async () => {
    for (const stop of stops.splice(0).reverse()) await stop()
  }
  try {
    const chain = await startDevChain({ port: 0, blockTime: 0 })
    stops.push(() => chain.stop())
    const env = { CORS_ORIGINS: origins.join(',') }
    const facilitator = await testFacilitator({ chain, signerKeys: [devAccount(9).privateKey], env })
    stops.push(() => facilitator.close())
    const gateway = await startGatewayWorld(env)
    stops.push(() => gateway.close())
    const keyService = await startKeyService(origins)
    stops.push(() => keyService.close())
    const failing = await startFailingGateway()
    stops.push(() => failing.close())
    const webhook = await deliverWebhook(facilitator)
    return {
      place: (name) => makePlace(name, { gateway, facilitator, keyService, failing: failing.url, webhook }),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** A payment that somebody signed. */
const newPayment = () => signedBody({ account: devAccount(1) })

/** Has the facilitator send what it sends when a payment is settled, and answers what arrived. */
async function deliverWebhook(facilitator: TestFacilitator): Promise<Given['webhook']> {
  const receiver = await startReceiver()
  try {
    const account = await facilitator.account()
    const { secret = '' } = await webhooks.configure(facilitator.client(account), {
      url: receiver.url,
      events: ['settlement.settled'],
    })
    const { status } = await facilitator.post('/settle', await newPayment(), account.token)
    if (status !== 200) throw new Error(`the payment was not settled: ${status}`)
    return { ...(await receiver.first), secret }
  } finally {
    await receiver.close()
  }
}

interface Parts {
  readonly gateway: GatewayWorld
  readonly facilitator: TestFacilitator
  readonly keyService: Awaited<ReturnType<typeof startKeyService>>
  readonly failing: string
  readonly webhook: Given['webhook']
}

async function makePlace(name: string, parts: Parts): Promise<Place> {
  const { gateway, facilitator, keyService, failing, webhook } = parts
  const creator = devAccount(2).address.toLowerCase()
  const key = await gateway.newKey(`${name}, ${randomUUID()}`, creator)
  keyService.secrets.set(`/${key.apiKey}`, key.secret)
  const account = await facilitator.account()
  const { projectId, ...credentials } = key
  const times = { startTime: '2026-01-01T00:00:00Z', endTime: '2099-01-01T00:00:00Z' }
  const names = Array.from({ length: CARDS }, (_, index) => `card ${index + 1} of ${CARDS}`)
  await commemorativeCards.createBatch(createGateway({ baseUrl: gateway.url, credentials }), {
    cards: names.map((name) => ({ name, nftAddress: NFT_ADDRESS, totalIssued: 1, ...times })),
  })
  const cardName = `card of ${name}`
  const payment = await newPayment()
  const given: Given = {
    vectors,
    gateway: { baseUrl: gateway.url, ...credentials },
    keyService: `${keyService.url}/${key.apiKey}`,
    failing: {
      hangs: `${failing}/hangs`,
      breaks: `${failing}/breaks`,
      leaves: `${failing}/leaves`,
      nobody: await addressOfNobody(),
    },
    creator,
    nftAddress: NFT_ADDRESS,
    pageSize: PAGE_SIZE,
    cardName,
    facilitator: { baseUrl: facilitator.url, token: account.token },
    payment: paymentInput(payment),
    webhook,
  }
  return {
    given,
    async expected({ signsBy, unreachedWrite }) {
      const [id, ...more] = await gateway.promoCodeCards(projectId, cardName)
      if (id === undefined) throw new Error(`${name} made no card`)
      if (more.length > 0) throw new Error(`${name} made its card ${more.length + 1} times`)
      const settlement = (await facilitator.settlements()).find(({ account_id }) => account_id === account.id)
      const transaction = settlement?.transaction ?? 'none'
      const { id: eventId, type }: Seen['verify']['event'] = JSON.parse(webhook.body)
      const { from } = payment.paymentPayload.payload.authorization
      return {
        sign: { signatures: vectors.map(({ signature }) => signature), by: signsBy },
        call: {
          made: { id, name: cardName, attempts: 2 },
          read: { id, name: cardName },
          missing: { kind: 'NotFound', requestId: gateway.requestIdOf('promoCodeCards.get', 404) },
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
          settlement: {
            success: true,
            payer: from,
            transaction,
            network: payment.paymentRequirements.network,
            amount: payment.paymentRequirements.amount,
          },
          orders: [{ transaction, status: 'settled' }],
          stranger: 'Unauthorized',
        },
      }
    },
  }
}
