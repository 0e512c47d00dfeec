import { contracts, lazyMinting, type MintSignature } from '@mintmark/contracts'
import { signatureMint721Abi } from '@mintmark/contracts/abi'
import { devAccount } from '@mintmark/devkit/chain/accounts'
import { deployMintContract, sendMint } from '@mintmark/devkit/chain/mint-contract'
import { testChain } from '@mintmark/devkit/chain/testing'
import { randomFrom } from '@mintmark/devkit/random'
import { createFaults, type FaultyNode, readFaultSeeds, startFaultyNode } from '@mintmark/devkit/testing'
import { isMintmarkError } from '@mintmark/envelope'
import { type Chains, openChains, parseChains } from '@mintmark/evm-reader'
import type { GatewayClient } from '@mintmark/operation'
import { orders } from '@mintmark/orders'
import { createLog } from '@mintmark/server-kit'
import { sql } from 'kysely'
import { type Address, createPublicClient, getAddress, type Hex, http } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createMintChain, type MintChain } from '../../../chain/mint-chain.ts'
import { createPaymentChains, type PaymentChains } from '../../../chain/payment-chains.ts'
import { orderPort } from '../../../main/composition.ts'
import { type TestGateway, testGateway } from '../../../testing/gateway.ts'
import { expectMintInvariants } from '../../../testing/mint-invariants.ts'
import { createOrderFixture } from '../../../testing/order-fixture.ts'
import { clientOf } from '../../../testing/samples/calls.ts'
import { newAddress } from '../../../testing/samples/sample.ts'
import { listUndecidedMints, resolveMint } from './operator.ts'
import { createMintWatcher } from './watch-mints.ts'

const LIMIT_REACHED = 40952
const FINALITY_DEPTH = 2
const PAST_EVERY_SIGNATURE_SECONDS = 700

const chain = await testChain()
const chainId = String(chain.chainId)
const buyer = devAccount(3).address.toLowerCase()

let node: FaultyNode
let gateway: TestGateway
let client: GatewayClient
let chains: Chains
/** The watcher's. It has not adapted its requests to the node of an earlier test. */
let mintChain: MintChain
let payments: PaymentChains
let contract: Address
let nftAddress: string
let logged: string[] = []
const log = createLog('gateway', 'trace', { write: (line: string) => void logged.push(line) })

beforeAll(async () => {
  node = await startFaultyNode(chain.rpcUrl)
  chains = openChains(parseChains(`${chainId}=${node.url}`, String(FINALITY_DEPTH)))
  mintChain = createMintChain(chains, log)
  payments = createPaymentChains(chains, log)
  gateway = await testGateway({ mintChain, chains: payments })
  client = clientOf(gateway, gateway.key)
})
afterAll(async () => {
  await gateway.close()
  node.close()
})

/** Each test has its own contract and collection, whose wallets may mint one token each. */
beforeEach(async () => {
  node.catchUp()
  node.lags = () => true
  node.interfere = () => undefined
  node.faults = undefined
  mintChain = createMintChain(chains, log)
  logged = []
  ;({ contract, nftAddress } = await registerCollection(await findMinter()))
})

/** The address that signs the project's mints. It exists once any collection was written. */
async function findMinter(): Promise<string> {
  const first = { nftAddress: `0x${'1'.repeat(40)}`, name: 'First', nftType: 'ERC721', chainId }
  await contracts.add(client, first).catch(() => undefined)
  return (await lazyMinting.updateCollection(client, { nftAddress: first.nftAddress })).minter
}

async function registerCollection(minter: string, limitPerWallet = 1) {
  const deployed = await deployMintContract(chain, minter)
  return await registerCollectionAt(deployed, limitPerWallet)
}

async function registerCollectionAt(deployed: Address, limitPerWallet = 1) {
  const address = deployed.toLowerCase()
  await contracts.add(client, { nftAddress: address, name: 'Prints', nftType: 'ERC721', chainId })
  await lazyMinting.updateCollection(client, { nftAddress: address, tokenUri: 'ipfs://any' })
  await lazyMinting.updatePresale(client, {
    nftAddress: address,
    phases: [{ name: 'public', startTime: '2020-01-01T00:00:00Z', price: '0', limitPerWallet }],
  })
  return { contract: deployed, nftAddress: address }
}

const addNft = (name: string) => lazyMinting.addNft(client, { nftAddress, name, tokenUri: `ipfs://${name}` })
const sign = (more: object = {}): Promise<MintSignature> =>
  lazyMinting.mintSign(client, { nftAddress, recipient: buyer, ...more })
const statusOf = async (id: number) => (await lazyMinting.getNft(client, { id })).status

/** Runs the watcher over every signature that is not decided. */
async function watch(): Promise<void> {
  await gateway.owner.system
    .updateTable('gateway.mint_reservations')
    .set({ due_at: new Date(0) })
    .where('status', '=', 'SIGNED')
    .execute()
  await createMintWatcher({ orders: orderPort, database: gateway.database, chain: mintChain, log }).run()
}

const mineFinalBlocks = () => chain.client.mine({ blocks: FINALITY_DEPTH + 1 })

/** Moves the chain's final block past the end of every signature. */
async function outlastSignatures(): Promise<void> {
  await chain.client.increaseTime({ seconds: PAST_EVERY_SIGNATURE_SECONDS })
  await mineFinalBlocks()
}

async function tokensOf(wallet: string): Promise<bigint> {
  return await chain.client.readContract({
    address: contract,
    abi: signatureMint721Abi,
    functionName: 'balanceOf',
    // Test wallets are 20 bytes in hexadecimal.
    args: [wallet as Hex],
  })
}

/** Runs the watcher until no signature is open, and fails when that takes too many runs. */
async function watchUntilDecided(): Promise<void> {
  for (let runs = 0; runs < 40; runs += 1) {
    await watch()
    if ((await countSigned()) === 0) return
  }
  throw new Error(`${await countSigned()} signatures are still open`)
}

async function countSigned(): Promise<number> {
  const rows = await gateway.owner.system
    .selectFrom('gateway.mint_reservations')
    .select('id')
    .where('status', '=', 'SIGNED')
    .execute()
  return rows.length
}

const isLogRequest = (method: string) => method === 'eth_getLogs'
const isRangeRequest = (method: string, params: unknown) =>
  isLogRequest(method) && JSON.stringify(params).includes('fromBlock')

it('a node that lags when a mint signature expires does not let a wallet mint more than its limit, and the mint is recorded once the node catches up', async () => {
  const first = await addNft('First')
  const second = await addNft('Second')
  const signature = await sign({ nftId: first.nftId })
  await node.lag()
  node.lags = isLogRequest
  await sendMint(chain, contract, signature)
  await outlastSignatures()
  await watch()
  expect(await statusOf(first.id)).toBe('RESERVED')
  await expect(sign({ nftId: second.nftId })).rejects.toMatchObject({ code: LIMIT_REACHED })

  node.catchUp()
  await watch()
  expect(await statusOf(first.id)).toBe('MINTED')
  await expect(sign({ nftId: second.nftId })).rejects.toMatchObject({ code: LIMIT_REACHED })
  expect(await tokensOf(buyer)).toBe(1n)
})

it('a node that lags when a mint signature expires does not let the buyer of a paid order mint twice, and the order is delivered once the node catches up', async () => {
  const primarySaleRecipient = devAccount(5).address
  await lazyMinting.updateCollection(client, { nftAddress, primarySaleRecipient })
  const { phases } = await lazyMinting.updatePresale(client, {
    nftAddress,
    phases: [{ name: 'paid', startTime: '2020-01-01T00:00:00Z', price: '1000', pricedBy: 'ORDER' }],
  })
  const { id, nftId } = await addNft('Bought')
  const phaseId = phases[0]?.id ?? 0
  const { orderNo } = await orders.preOrder(client, {
    phaseId,
    quantity: 1,
    nftId,
    recipient: buyer,
  })
  const hash = await chain.as(3).sendTransaction({ to: devAccount(5).address, value: 1000n })
  await chain.client.waitForTransactionReceipt({ hash })
  await orders.payOrder(client, { orderNo, recipient: buyer, hash })
  await mineFinalBlocks()
  const project = { gateway, projectId: gateway.key.projectId, key: gateway.key, client }
  await createOrderFixture(project, { chains: payments }).verify()

  const signature = await sign({ orderNo })
  await node.lag()
  node.lags = isLogRequest
  await sendMint(chain, contract, signature)
  await outlastSignatures()
  await watch()
  await expect(sign({ orderNo })).rejects.toMatchObject({ status: 409 })
  expect(await orders.get(client, { orderNo })).toMatchObject({ delivery: 'pending' })

  node.catchUp()
  await watch()
  expect(await orders.get(client, { orderNo })).toMatchObject({ delivery: 'done', nftId: '0' })
  expect(await statusOf(id)).toBe('MINTED')
  await expect(sign({ orderNo })).rejects.toMatchObject({ status: 409 })
})

it('a node that lags when a mint signature expires decides nothing when it has neither the final block nor the logs, which is logged and counted', async () => {
  const { id, nftId } = await addNft('Blue')
  const signature = await sign({ nftId })
  await node.lag()
  node.lags = (method) => isLogRequest(method) || method === 'eth_call'
  await sendMint(chain, contract, signature)
  await outlastSignatures()
  await watch()
  await watch()
  expect(await statusOf(id)).toBe('RESERVED')
  expect(logged.filter((line) => line.includes('is undecided')).join()).toContain('header not found')
  const { rows } = await sql`select chain_id, count from gateway.undecided_mints()`.execute(
    gateway.database.system,
  )
  expect(rows).toEqual([{ chain_id: chainId, count: 1 }])

  node.catchUp()
  await watch()
  expect(await statusOf(id)).toBe('MINTED')
})

it('a node that lags when a mint signature expires leaves an operator to decide, who releases what an unused signature reserved or records its mint', async () => {
  const first = await addNft('Blue')
  const second = await addNft('Red')
  const unused = await sign({ nftId: first.nftId })
  const used = await sign({ nftId: second.nftId, recipient: devAccount(4).address.toLowerCase() })
  await node.lag()
  node.lags = (method) => isLogRequest(method) || method === 'eth_call'
  await outlastSignatures()
  await watch()
  const db = gateway.owner.system
  const undecided = await listUndecidedMints(db)
  const findUndecided = ({ uid }: { uid: string }) => undecided.find((mint) => mint.uid === uid)
  const decide = (signature: { uid: string }, minted: { hash: string; tokenId: string } | undefined) => {
    const { projectId: project = 0, reservation = 0 } = findUndecided(signature) ?? {}
    const decision = { project, reservation, minted, actor: 'ada', reason: 'read in an explorer' }
    return resolveMint(db, orderPort, decision)
  }
  expect(findUndecided(unused)).toMatchObject({ nftAddress, chainId, recipient: buyer, attempts: 1 })
  expect(await decide(unused, undefined)).toMatchObject({ status: 'RELEASED' })
  expect(await decide(used, { hash: `0x${'ab'.repeat(32)}`, tokenId: '7' })).toMatchObject({
    status: 'MINTED',
  })
  expect(await statusOf(first.id)).toBe('DISPLAY')
  expect(await statusOf(second.id)).toBe('MINTED')
  await expect(decide(used, undefined)).rejects.toThrow('the chain decides it')
  const remaining = (await listUndecidedMints(db)).map(({ uid }) => uid)
  expect(remaining).not.toContain(unused.uid)
  await expectMintInvariants(gateway)
})

it('a node that lags when a mint signature expires does not keep an unused signature from being released by the other nodes', async () => {
  const { id, nftId } = await addNft('Blue')
  await sign({ nftId })
  await node.lag()
  node.lags = isLogRequest
  await outlastSignatures()
  await watch()
  expect(await statusOf(id)).toBe('DISPLAY')
})

it('a mint that the watcher has passed because the node lagged is recorded while the signature is still valid', async () => {
  const { id, nftId } = await addNft('Blue')
  const signature = await sign({ nftId })
  await node.lag()
  node.lags = isLogRequest
  await sendMint(chain, contract, signature)
  await mineFinalBlocks()
  await watch()
  node.catchUp()
  await mineFinalBlocks()
  await watch()
  expect(await statusOf(id)).toBe('MINTED')
})

it('a mint that the watcher has passed because the node lagged is noticed when its buyer requests another signature', async () => {
  const { nftId } = await addNft('Blue')
  const signature = await sign({ nftId })
  await node.lag()
  node.lags = isLogRequest
  await sendMint(chain, contract, signature)
  await mineFinalBlocks()
  await watch()
  node.catchUp()
  await expect(sign({ nftId })).rejects.toMatchObject({ status: 409 })
})

describe('an expired signature whose contract does not confirm that it is unused', () => {
  const refuseVerify = (method: string) =>
    method === 'eth_call' ? { error: { code: 3, message: 'execution reverted' } } : undefined

  it('an expired signature whose contract does not confirm that it is unused counts as minted by the logs of single blocks if the node refuses ranges', async () => {
    const { id, nftId } = await addNft('Blue')
    await sendMint(chain, contract, await sign({ nftId }))
    await outlastSignatures()
    node.interfere = (method, params) => {
      if (isRangeRequest(method, params)) return { error: { code: -32602, message: 'range too large' } }
      return refuseVerify(method)
    }
    await watchUntilDecided()
    expect(await statusOf(id)).toBe('MINTED')
  })

  it('an expired signature whose contract does not confirm that it is unused is released once the logs of every block show that it was not used', async () => {
    const { id, nftId } = await addNft('Blue')
    await sign({ nftId })
    await outlastSignatures()
    node.interfere = refuseVerify
    await node.lag(FINALITY_DEPTH + 1)
    node.lags = isLogRequest
    await watch()
    await watch()
    expect(await statusOf(id)).toBe('RESERVED')
    node.catchUp()
    await watchUntilDecided()
    expect(await statusOf(id)).toBe('DISPLAY')
  })

  it('an expired signature whose contract does not confirm that it is unused is released when its minter lost the right to sign before it was used', async () => {
    const { id, nftId } = await addNft('Blue')
    const { signer } = await sign({ nftId })
    await chain.as(0).writeContract({
      address: contract,
      abi: signatureMint721Abi,
      functionName: 'setMinter',
      // Signers are 20 bytes in hexadecimal.
      args: [signer as Hex, false],
    })
    await outlastSignatures()
    await watchUntilDecided()
    expect(await statusOf(id)).toBe('DISPLAY')
  })
})

describe('a hostile contract', () => {
  /** Runtime code that misbehaves in the same way for every call. */
  const MISBEHAVIORS: Readonly<Record<string, Hex>> = {
    reverts: '0x60006000fd',
    'burns all gas': '0x5b600056',
    'runs an invalid instruction': '0xfe',
    'returns 1 MiB': '0x621000006000f3',
    'returns an invalid boolean': `0x7f${'ff'.repeat(32)}60005260406000f3`,
    'returns too few bytes': '0x60206000f3',
    'has no code': '0x',
  }

  it('a hostile contract neither delays the mints of others nor keeps its own reservations forever', async () => {
    const { id, nftId } = await addNft('Blue')
    await sign({ nftId })
    for (const bytecode of Object.values(MISBEHAVIORS)) {
      const address = getAddress(newAddress())
      await chain.client.setCode({ address, bytecode })
      const hostile = await registerCollectionAt(address)
      await lazyMinting.mintSign(client, { nftAddress: hostile.nftAddress, recipient: buyer })
    }
    await chain.client.mine({ blocks: 60 })
    await outlastSignatures()
    node.calls.length = 0
    await watch()
    expect(await statusOf(id)).toBe('DISPLAY')
    const ranges = Object.keys(MISBEHAVIORS).length
    expect(node.calls.filter(isLogRequest).length).toBeLessThanOrEqual(100 + ranges)
    const undecided = logged.filter((line) => line.includes('is undecided'))
    expect(undecided.join()).toMatch(/has no verify/)
    await watchUntilDecided()
    expect(logged.filter((line) => line.includes('"level":50'))).toEqual([])
  })
})

it('a mint in a block that is replaced is forgotten, and what it reserved is available again once the signature has expired', async () => {
  const { id, nftId } = await addNft('Blue')
  const signature = await sign({ nftId })
  const snapshot = await chain.client.snapshot()
  await sendMint(chain, contract, signature)
  await expect(sign({ nftId })).rejects.toMatchObject({ status: 409 })
  await chain.client.revert({ id: snapshot })
  await outlastSignatures()
  await watch()
  expect(await statusOf(id)).toBe('DISPLAY')
  await sendMint(chain, contract, await sign({ nftId }))
  await mineFinalBlocks()
  await watch()
  expect(await statusOf(id)).toBe('MINTED')
})

it('a mint in a block that is replaced is not recorded from the logs of a node that still has the replaced block', async () => {
  const { id, nftId } = await addNft('Blue')
  const signature = await sign({ nftId })
  const snapshot = await chain.client.snapshot()
  await sendMint(chain, contract, signature)
  const replaced = await createPublicClient({ transport: http(chain.rpcUrl) }).request({
    method: 'eth_getLogs',
    params: [{ address: contract, fromBlock: '0x1', toBlock: 'latest' }],
  })
  await chain.client.revert({ id: snapshot })
  await chain.client.mine({ blocks: 2 })
  await mineFinalBlocks()
  const minted = replaced.filter(({ topics }) => topics.length === 4 && topics[3] === `0x${'0'.repeat(64)}`)
  node.interfere = (method, params) =>
    isRangeRequest(method, params) ? { result: minted.slice(-1) } : undefined
  await watch()
  expect(await statusOf(id)).toBe('RESERVED')
  await outlastSignatures()
  await watch()
  expect(await statusOf(id)).toBe('DISPLAY')
})

describe('with nodes that lag, limit, drop and truncate responses at random', () => {
  const WALLETS = [3, 4, 5]
  const LIMIT = 2
  const STEPS = 30
  const FAULT_RATES = {
    lag: 0.2,
    delay: 0.05,
    dropRequest: 0.02,
    dropResponse: 0.02,
    truncate: 0.02,
    rateLimitError: 0.01,
    capRange: 0.1,
    revert: 0.05,
  }

  // FAULT_SEEDS=1-50 runs other seeds.
  it.each(readFaultSeeds([1]))(
    'with nodes that lag, limit, drop and truncate responses at random no wallet mints more than its limit, and every mint is recorded (seed %i)',
    async (seed) => {
      const random = randomFrom(seed)
      const minter = await findMinter()
      ;({ contract, nftAddress } = await registerCollection(minter, LIMIT))
      const nfts = await Promise.all(['A', 'B', 'C', 'D', 'E', 'F'].map(addNft))
      const signatures: MintSignature[] = []
      node.lags = () => random.chance(0.5)
      node.faults = createFaults({ seed, rates: FAULT_RATES, rangeCap: 20 })
      for (let step = 0; step < STEPS; step += 1) {
        const recipient = devAccount(random.pick(WALLETS)).address.toLowerCase()
        const action = random.pick(['sign', 'sign', 'mint', 'mint', 'lag', 'wait', 'watch', 'watch'] as const)
        // Each may be refused: a limit, a chain that cannot be read, a signature that has expired or was
        // used.
        if (action === 'sign')
          await sign({ nftId: random.pick(nfts).nftId, recipient }).then(
            (signature) => signatures.push(signature),
            expectRefusal,
          )
        const chosen = signatures.length > 0 ? random.pick(signatures) : undefined
        if (action === 'mint' && chosen !== undefined)
          await sendMint(chain, contract, chosen).catch(expectRevert)
        if (action === 'lag') await node.lag(random.integer(5))
        if (action === 'wait') {
          await chain.client.increaseTime({ seconds: 100 + random.integer(800) })
          await chain.client.mine({ blocks: 1 + random.integer(5) })
        }
        if (action === 'watch') await watch()
        for (const account of WALLETS) {
          const minted = await tokensOf(devAccount(account).address)
          expect(minted, `step ${step}`).toBeLessThanOrEqual(BigInt(LIMIT))
        }
      }
      node.catchUp()
      node.faults = undefined
      await outlastSignatures()
      await watchUntilDecided()
      const statuses = await Promise.all(nfts.map(({ id }) => statusOf(id)))
      const minted = await chain.client.readContract({
        address: contract,
        abi: signatureMint721Abi,
        functionName: 'nextTokenIdToMint',
      })
      expect(statuses.filter((status) => status === 'MINTED')).toHaveLength(Number(minted))
      expect(statuses).not.toContain('RESERVED')
      await expectMintInvariants(gateway)
    },
  )
})

function expectRefusal(error: unknown): void {
  if (!isMintmarkError(error)) throw error
}

function expectRevert(error: unknown): void {
  expect(String(error)).toMatch(/SignatureUsed|InvalidSignature|OutsideValidity/)
}
