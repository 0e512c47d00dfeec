import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { promoCodeCards } from '@mintmark/cards'
import { signatureMint1155Abi, toMintCall } from '@mintmark/contracts/abi'
import { serveLocally } from '@mintmark/devkit/serve-locally'
import { createGateway } from '@mintmark/transport'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AgentOptions, runAgent } from '../../examples/agent/agent.ts'
import { createChatPlanner } from '../../examples/agent/chat-planner.ts'
import { createScriptedPlanner } from '../../examples/agent/scripted-planner.ts'
import { createServerSettings } from '../../examples/agent/server-settings.ts'
import { createCoffeeShop } from '../../examples/coffee-shop/shop.ts'
import { buy, connectWallet, deployEdition, listOwned, mint, openPhase } from '../../examples/drop/drop.ts'
import { createPaidApi } from '../../examples/paid-api/api.ts'
import { startServers } from './servers.ts'

const stops = new AsyncDisposableStack()
let prepare: Awaited<ReturnType<typeof startServers>>
beforeAll(async () => {
  prepare = await startServers(stops)
})
afterAll(() => stops.disposeAsync())

describe('the coffee shop', () => {
  const staff = { authorization: `Basic ${btoa('staff:beans')}` }

  async function openShop() {
    const { credentials } = await prepare('coffee shop')
    const gateway = createGateway(credentials.gateway)
    const shop = createCoffeeShop({
      gateway,
      nftAddress: credentials.demo.nftAddress,
      staffPassword: 'beans',
    })
    const created = await shop.request('/cards', { method: 'POST' })
    const cardPage = created.headers.get('location') ?? ''
    const readCard = async () => await (await shop.request(cardPage)).text()
    const scan = async (nonce: string, qrCode = cardPage.replace('/cards/', '')) => {
      const body = JSON.stringify({ qrCode, nonce })
      const response = await shop.request('/stamps', { method: 'POST', body, headers: staff })
      return await response.json()
    }
    return { shop, readCard, scan }
  }

  it('gives ten stamps and one free coffee, however often a scan is sent and by whomever', async () => {
    const { readCard, scan } = await openShop()
    expect(await readCard()).toContain('0 of 10 stamps')
    // Two tills scan at the same time, and each sends its scan twice.
    const nonces = Array.from({ length: 11 }, (_, index) => `scan ${index}`)
    const outcomes = await Promise.all([...nonces, ...nonces].map((nonce) => scan(nonce)))
    const texts = outcomes.slice(0, 11).map(({ text }) => text)
    expect(outcomes.slice(11).map(({ text }) => text)).toEqual(texts)
    const stamps = Array.from({ length: 10 }, (_, index) => `Stamp ${index + 1} of 10`)
    expect(texts.toSorted()).toEqual([...stamps, 'This coffee is free'].toSorted())
    expect(await scan('one more')).toEqual({ ok: false, text: 'This card is full' })
    expect(await readCard()).toContain('You have had your free coffee.')
  })

  it('shows the card with its QR code', async () => {
    const { readCard, scan } = await openShop()
    await scan('first')
    expect(await readCard()).toMatch(/1 of 10 stamps.*<img src="http[^"]+\.svg"/s)
  })

  it('the coffee shop does not stamp for anybody else than the staff', async () => {
    const { shop, readCard } = await openShop()
    const body = JSON.stringify({ qrCode: 'x', nonce: 'y' })
    expect((await shop.request('/stamps', { method: 'POST', body })).status).toBe(401)
    expect((await shop.request('/staff')).status).toBe(401)
    expect(await readCard()).toContain('0 of 10 stamps')
  })

  it('responds to an unknown card and to a broken scan', async () => {
    const { shop, scan } = await openShop()
    expect((await shop.request('/cards/unknown')).status).toBe(404)
    expect(await scan('n', 'unknown')).toEqual({ ok: false, text: 'No card has this code' })
    const broken = await shop.request('/stamps', { method: 'POST', body: '{', headers: staff })
    expect(broken.status).toBe(400)
  })
})

type Prepared = Awaited<ReturnType<typeof prepare>>

/** Starts the paid API. Returns the address of its reports. */
async function startPaidApi({ given, credentials }: Prepared): Promise<string> {
  const api = createPaidApi({
    facilitatorUrl: credentials.facilitator.baseUrl,
    token: credentials.facilitator.token,
    payTo: String(given.payTo),
    network: `eip155:${credentials.chain.chainId}`,
  })
  const server = api.listen(0, '127.0.0.1')
  stops.defer(() => new Promise<void>((resolve) => void server.close(() => resolve())))
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return `http://127.0.0.1:${port}/weather`
}

describe('the paid API', () => {
  it('answers a call that is paid by a stock client, and asks for the price otherwise', async () => {
    const prepared = await prepare('paid API')
    const address = `${await startPaidApi(prepared)}/Berlin`
    expect((await fetch(address)).status).toBe(402)
    const customer = privateKeyToAccount(prepared.given.customerKey as Hex)
    const client = new x402Client().register('eip155:*', new ExactEvmScheme(customer))
    const paid = await wrapFetchWithPayment(fetch, client)(address)
    expect([paid.status, await paid.json()]).toEqual([200, { city: 'Berlin', weather: 'sunny', celsius: 21 }])
  })
})

it('the drop ends with the units that a listed wallet has paid for, minted once', async () => {
  const { credentials } = await prepare('drop')
  const { accounts, chain } = credentials
  const gateway = createGateway(credentials.gateway)
  const [shop, buyer] = [accounts.creator, accounts.buyer].map(({ privateKey }) =>
    connectWallet(chain.rpcUrl, privateKey),
  )
  if (shop === undefined || buyer === undefined) throw new Error('There are two wallets')
  const recipient = buyer.account.address
  const nftAddress = await deployEdition(gateway, shop)
  const phaseId = await openPhase(gateway, nftAddress, [shop.account.address])
  await expect(buy(gateway, buyer, phaseId, 2)).rejects.toMatchObject({ reason: 'NOT_WHITELISTED' })
  await openPhase(gateway, nftAddress, [recipient])
  const orderNo = await buy(gateway, buyer, phaseId, 2)
  const signed = await mint(gateway, buyer, nftAddress, orderNo)
  await expect
    .poll(() => listOwned(gateway, nftAddress, recipient), { timeout: 20_000 })
    .toEqual([{ nftId: '1', quantity: '2' }])
  const repeated = buyer.writeContract({ abi: signatureMint1155Abi, ...toMintCall(signed) })
  await expect(repeated).rejects.toThrow('SignatureUsed')
})

describe('the agent', () => {
  /** Prepares what agents of one session after another share: the seller, the gateway and the journal. */
  async function prepareAgent(name: string) {
    const prepared = await prepare(name)
    const { given, credentials } = prepared
    const weatherUrl = await startPaidApi(prepared)
    const folder = await mkdtemp(join(tmpdir(), 'mintmark-agent-'))
    stops.defer(() => rm(folder, { recursive: true }))
    const settings = createServerSettings({
      gateway: credentials.gateway,
      privateKey: String(given.customerKey),
      seller: '127.0.0.1',
      asset: `eip155:${credentials.chain.chainId}/${credentials.chain.token}`,
      stateFile: join(folder, 'state.sqlite'),
    })
    const { nftAddress } = credentials.demo
    const run = async (planner = createScriptedPlanner({ weatherUrl, nftAddress })) => {
      const lines: string[] = []
      const options: AgentOptions = {
        goal: 'A card',
        planner,
        print: (line) => lines.push(line),
        ...settings,
      }
      return { answer: await runAgent(options), transcript: lines.join('\n') }
    }
    const gateway = createGateway(credentials.gateway)
    return { run, gateway, secrets: [credentials.gateway.secret, String(given.customerKey)] }
  }

  it('creates one card in two sessions, spends its budget in each and is refused the rest', async () => {
    const { run, gateway, secrets } = await prepareAgent('agent')
    const first = await run()
    const { list } = await promoCodeCards.search(gateway, {})
    const [card] = list
    expect(list.map(({ name }) => name)).toEqual(['Sunny day in Berlin'])
    expect(first.answer).toBe(
      `Card ${card?.id} is for Berlin; repeating the call returned card ${card?.id}. I did not buy the weather of Munich: the budget is used up.`,
    )
    const refusals = first.transcript.match(/(?<=REFUSED )\w+/g)
    expect(refusals).toEqual(['BudgetExceeded', 'NotAllowed'])
    expect(first.transcript).toContain('20000 of 20000 is spent or reserved')
    expect(first.transcript).toContain('An equal call took effect before')
    expect(secrets.filter((secret) => first.transcript.includes(secret))).toEqual([])

    expect((await run()).answer).toBe(first.answer)
    expect((await promoCodeCards.search(gateway, {})).totalRow).toBe(1)
  })

  it('follows a model that speaks the chat completions API', async () => {
    const { run } = await prepareAgent('model')
    const requests: { messages: { role: string }[]; tools: { function: { name: string } }[] }[] = []
    const baseUrl = await serveLocally(async (request, response) => {
      requests.push((await json(request)) as (typeof requests)[number])
      const call = { id: 'a', type: 'function', function: { name: 'get_budget', arguments: '{}' } }
      const message = requests.length === 1 ? { content: null, tool_calls: [call] } : { content: 'Two cents' }
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ choices: [{ index: 0, message }] }))
    }, stops)
    const { answer, transcript } = await run(createChatPlanner({ baseUrl, apiKey: 'key', model: 'any' }))
    expect(answer).toBe('Two cents')
    expect(transcript).toContain('"sessionLimit":"20000"')
    expect(requests[0]?.tools.map((tool) => tool.function.name)).toContain('fetch_paid_url')
    expect(requests[1]?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool'])
  })
})
