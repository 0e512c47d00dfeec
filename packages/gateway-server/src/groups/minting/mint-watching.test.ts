import { contracts, lazyMinting, type MintSignature } from '@mintmark/contracts'
import { createLog, openChains, parseChains } from '@mintmark/server-kit'
import { type FaultyNode, faultyNode } from '@mintmark/server-kit/testing'
import type { GatewayClient } from '@mintmark/transport/operation'
import type { Address, Hex } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { devAccount } from '../../../../../tools/devchain/accounts.ts'
import { signatureMint721Abi } from '../../../../../tools/devchain/artifacts/abi.ts'
import { testChain } from '../../../../../tools/devchain/testing.ts'
import { createMintChain, type MintChain } from '../../chain/mint-chain.ts'
import { type TestGateway, testGateway } from '../../testing/gateway.ts'
import { deployMintContract, sendMint } from '../../testing/mint-contract.ts'
import { clientOf } from '../../testing/samples/calls.ts'
import { createMintWatcher } from './watch-mints.ts'

vi.setConfig({ testTimeout: 120_000 })

const LIMIT_REACHED = 40952
const FINALITY_DEPTH = 2
const PAST_EVERY_SIGNATURE_SECONDS = 700

const chain = await testChain()
const chainId = String(chain.chainId)
const buyer = devAccount(3).address.toLowerCase()

let node: FaultyNode
let gateway: TestGateway
let client: GatewayClient
let mintChain: MintChain
let contract: Address
let nftAddress: string
let logged: string[] = []
const log = createLog('gateway', 'trace', { write: (line: string) => void logged.push(line) })

beforeAll(async () => {
  node = await faultyNode(chain.rpcUrl)
  mintChain = createMintChain(openChains(parseChains(`${chainId}=${node.url}`, String(FINALITY_DEPTH))), log)
  gateway = await testGateway({ mintChain })
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
  await createMintWatcher({ database: gateway.database, chain: mintChain, log }).run()
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

describe('a node that lags when a mint signature expires', () => {
  it('does not let a wallet mint more than its limit, and the mint is recorded once the node catches up', async () => {
    const first = await addNft('First')
    const second = await addNft('Second')
    const signature = await sign({ nftId: first.nftId })
    await node.lag()
    node.lags = (method) => method === 'eth_getLogs'
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
})
