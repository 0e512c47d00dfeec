import { assets, contracts, lazyMinting, nfts } from '@mintmark/contracts'
import { signatureMint721Abi } from '@mintmark/contracts/abi'
import { devAccount } from '@mintmark/devkit/chain/accounts'
import { deployMintContract, sendMint } from '@mintmark/devkit/chain/mint-contract'
import { testChain } from '@mintmark/devkit/chain/testing'
import { waitForBlockedStatements } from '@mintmark/devkit/testing'
import { openChains, parseChains } from '@mintmark/evm-reader'
import { commonSales } from '@mintmark/market'
import type { GatewayClient } from '@mintmark/operation'
import { orders } from '@mintmark/orders'
import { createLog } from '@mintmark/server-kit'
import { type Address, zeroAddress } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createMintChain, type MintChain } from '../../../chain/mint-chain.ts'
import { createPaymentChains, type PaymentChains } from '../../../chain/payment-chains.ts'
import type { Db } from '../../../database/tables.ts'
import { Tenant } from '../../../database/tenant.ts'
import { orderPort } from '../../../main/composition.ts'
import { type TestGateway, testGateway } from '../../../testing/gateway.ts'
import { testIndexer } from '../../../testing/indexer-fixture.ts'
import { createOrderFixture } from '../../../testing/order-fixture.ts'
import { clientOf } from '../../../testing/samples/calls.ts'
import { completeMint } from '../reservations/mint-inventory.ts'
import { find as findReservation } from '../reservations/reservations-store.ts'
import { createMintWatcher } from '../watching/watch-mints.ts'

const chain = await testChain()
const chainId = String(chain.chainId)
const [buyer, seller] = [devAccount(3).address.toLowerCase(), devAccount(5).address.toLowerCase()]
const log = createLog('gateway', 'silent')

let gateway: TestGateway
let client: GatewayClient
let mintChain: MintChain
let payments: PaymentChains
let contract: Address
let nftAddress: string
beforeAll(async () => {
  const chains = openChains(parseChains(`${chainId}=${chain.rpcUrl}`, '1'))
  mintChain = createMintChain(chains, log)
  payments = createPaymentChains(chains, log)
  gateway = await testGateway({ mintChain, chains: payments })
  client = clientOf(gateway, gateway.key)
})
afterAll(() => gateway.close())

/** A collection on the chain whose contract accepts signatures of the project's minter. */
beforeEach(async () => {
  const known = await lazyMinting.collection(client, { nftAddress: nftAddress ?? '' }).catch(() => undefined)
  let minter = known?.minter ?? ''
  if (minter === '') {
    // The key is made with the first collection that is written, whatever its contract.
    const first = { nftAddress: `0x${'1'.repeat(40)}`, name: 'First', nftType: 'ERC721', chainId }
    await contracts.add(client, first)
    minter = (await lazyMinting.updateCollection(client, { nftAddress: first.nftAddress })).minter
  }
  contract = await deployMintContract(chain, minter)
  nftAddress = contract.toLowerCase()
  await contracts.add(client, { nftAddress, name: 'Prints', nftType: 'ERC721', chainId })
  await lazyMinting.updateCollection(client, {
    nftAddress,
    tokenUri: 'ipfs://any',
    royaltyPercentage: 2.5,
    royaltyRecipient: seller,
    primarySaleRecipient: seller,
  })
  await lazyMinting.updatePresale(client, {
    nftAddress,
    phases: [{ name: 'public', startTime: '2020-01-01T00:00:00Z', price: '1000', limitPerWallet: 3 }],
  })
})

const addNft = (name = 'Blue') => lazyMinting.addNft(client, { nftAddress, name, tokenUri: `ipfs://${name}` })
const sign = (more: object = {}) => lazyMinting.mintSign(client, { nftAddress, recipient: buyer, ...more })
/** Blocks that make all before them final. */
const settle = async () => {
  await chain.client.mine({ blocks: 2 })
  await gateway.owner.system
    .updateTable('gateway.mint_reservations')
    .set({ due_at: new Date(0) })
    .where('status', '=', 'SIGNED')
    .execute()
  await createMintWatcher({ orders: orderPort, database: gateway.database, chain: mintChain, log }).run()
}
const ownerOf = async (id: bigint) => {
  const call = { address: contract, abi: signatureMint721Abi, functionName: 'ownerOf' } as const
  return (await chain.client.readContract({ ...call, args: [id] })).toLowerCase()
}
const tokenUri = (id: bigint) => {
  const call = { address: contract, abi: signatureMint721Abi, functionName: 'tokenURI' } as const
  return chain.client.readContract({ ...call, args: [id] })
}

it('a mint signature mints its NFT on the chain, at its price, for its recipient, whoever sends it', async () => {
  const { id, nftId } = await addNft()
  const signed = await sign({ nftId })
  const before = await chain.client.getBalance({ address: devAccount(5).address })
  const hash = await sendMint(chain, contract, signed, { from: 4 })
  expect(await ownerOf(0n)).toBe(buyer)
  expect(await tokenUri(0n)).toBe('ipfs://Blue')
  expect((await chain.client.getBalance({ address: devAccount(5).address })) - before).toBe(1000n)
  const royalty = { address: contract, abi: signatureMint721Abi, functionName: 'royaltyInfo' } as const
  expect(await chain.client.readContract({ ...royalty, args: [0n, 10_000n] })).toEqual([
    devAccount(5).address,
    250n,
  ])

  await settle()
  expect(await lazyMinting.getNft(client, { id })).toMatchObject({ status: 'MINTED', tokenId: '0' })
  const row = await gateway.owner.system
    .selectFrom('gateway.mint_reservations')
    .select(['status', 'hash'])
    .where('uid', '=', signed.uid)
    .executeTakeFirst()
  expect(row).toEqual({ status: 'MINTED', hash })
  expect((await lazyMinting.product(client, { nftAddress })).counts).toMatchObject({
    minted: 1,
    mintedTokens: 1,
    reserved: 0,
  })
})

it('a mint signature mints several tokens of the collection with one signature', async () => {
  await sendMint(chain, contract, await sign({ quantity: 2 }))
  expect(await ownerOf(1n)).toBe(buyer)
  expect(await tokenUri(1n)).toBe('ipfs://any')
})

it('a mint signature is refused by the contract a second time', async () => {
  const signed = await sign()
  await sendMint(chain, contract, signed)
  await expect(sendMint(chain, contract, signed)).rejects.toThrow('SignatureUsed')
})

it('a mint signature is refused by the contract when any field of it was changed', async () => {
  const signed = await sign()
  for (const change of [
    { pricePerToken: '1' },
    { quantity: '9' },
    { to: devAccount(4).address },
    { uri: 'x' },
  ]) {
    const payload = { ...signed.payload, ...change }
    await expect(
      sendMint(chain, contract, { ...signed, payload }),
      JSON.stringify(Object.keys(change)),
    ).rejects.toThrow('InvalidSignature')
  }
})

it('a mint signature is refused by a contract that does not accept the minter', async () => {
  const signed = await sign()
  const call = { address: contract, abi: signatureMint721Abi, functionName: 'setMinter' } as const
  await chain.confirm(chain.as(0).writeContract({ ...call, args: [`0x${signed.signer.slice(2)}`, false] }))
  await expect(sendMint(chain, contract, signed)).rejects.toThrow('InvalidSignature')
})

it('a mint signature is returned again by a repeated call, and replaced by a new one once it was used', async () => {
  const first = await sign()
  expect(await sign()).toEqual(first)
  await sendMint(chain, contract, first)
  const second = await sign()
  expect(second.uid).not.toBe(first.uid)
  await sendMint(chain, contract, second)
  // Both count, also while neither is final.
  expect((await lazyMinting.presale(client, { nftAddress })).phases[0]?.claimed).toBe(2)
})

it('a mint that an order has paid for is free on the chain, is minted once, and gets another signature when the first one expires', async () => {
  const { phases } = await lazyMinting.updatePresale(client, {
    nftAddress,
    phases: [{ name: 'paid', startTime: '2020-01-01T00:00:00Z', price: '1000', pricedBy: 'ORDER' }],
  })
  const { id, nftId } = await addNft('Bought')
  const bought = { phaseId: phases[0]?.id ?? 0, quantity: 1, nftId }
  const order = await orders.preOrder(client, { ...bought, recipient: buyer })
  const hash = await chain.as(3).sendTransaction({ to: devAccount(5).address, value: 1000n })
  await chain.client.waitForTransactionReceipt({ hash })
  const { orderNo } = order
  await orders.payOrder(client, { orderNo, recipient: buyer, hash })
  const project = { gateway, projectId: gateway.key.projectId, key: gateway.key, client }
  await chain.client.mine({ blocks: 2 })
  await createOrderFixture(project, { chains: payments }).verify()

  const first = await sign({ orderNo })
  await chain.client.increaseTime({ seconds: 700 })
  await settle()
  await settle()
  const second = await sign({ orderNo })
  expect(second.uid).not.toBe(first.uid)
  await expect(sendMint(chain, contract, first)).rejects.toThrow('OutsideValidity')
  const before = await chain.client.getBalance({ address: devAccount(5).address })
  await sendMint(chain, contract, second, { from: 4 })
  expect(await ownerOf(0n)).toBe(buyer)
  expect(await chain.client.getBalance({ address: devAccount(5).address })).toBe(before)
  await settle()
  expect(await lazyMinting.getNft(client, { id })).toMatchObject({ status: 'MINTED', tokenId: '0' })
  expect(await orders.get(client, { orderNo })).toMatchObject({ delivery: 'done', nftId: '0' })
})

it('a token of an indexed contract has its owner once it was minted by a signature', async () => {
  const { minter } = await lazyMinting.collection(client, { nftAddress })
  const indexed = await deployMintContract(chain, minter)
  const registered = { nftAddress: indexed, name: 'Indexed', nftType: 'ERC721', chainId, index: true }
  await contracts.add(client, registered)
  await lazyMinting.updatePresale(client, {
    nftAddress: indexed,
    phases: [{ name: 'public', startTime: '2020-01-01T00:00:00Z', price: '0' }],
  })
  const input = { nftAddress: indexed, name: 'Seen', tokenUri: 'ipfs://seen' }
  const { id, nftId } = await lazyMinting.addNft(client, input)
  const signed = await lazyMinting.mintSign(client, { nftAddress: indexed, nftId, recipient: buyer })
  const hash = await sendMint(chain, indexed, signed)
  await settle()
  expect(await lazyMinting.getNft(client, { id })).toMatchObject({ status: 'MINTED' })
  expect((await assets.list(client, { nftAddress: indexed })).list).toEqual([])
  const { indexer, database } = testIndexer({ ...chain, url: gateway.url })
  try {
    await indexer.run()
  } finally {
    await database.close()
  }
  const owned = await assets.list(client, { nftAddress: indexed })
  expect(owned.list).toMatchObject([{ nftId: '0', owner: buyer, quantity: '1' }])
  expect((await assets.transfers(client, { nftAddress: indexed })).list).toMatchObject([{ to: buyer, hash }])
})

it('mint signatures of an ERC-1155 mint units of one token, which its recipient owns once that is final', async () => {
  const { minter } = await lazyMinting.collection(client, { nftAddress })
  const deployed = await deployMintContract(chain, minter, 'ERC1155')
  const edition = deployed.toLowerCase()
  await contracts.add(client, { nftAddress: edition, name: 'Edition', nftType: 'ERC1155', chainId })
  await lazyMinting.updateCollection(client, { nftAddress: edition, tokenUri: 'ipfs://any' })
  await lazyMinting.updatePresale(client, {
    nftAddress: edition,
    phases: [{ name: 'public', startTime: '2020-01-01T00:00:00Z', price: '5' }],
  })
  for (const quantity of [2, 1_500]) {
    const signed = await lazyMinting.mintSign(client, { nftAddress: edition, recipient: buyer, quantity })
    await sendMint(chain, deployed, signed)
    await settle()
  }
  const { list } = await assets.list(client, { nftAddress: edition })
  expect(list).toMatchObject([{ nftId: '1', owner: buyer, quantity: '1502' }])
  const transfers = await assets.transfers(client, { nftAddress: edition })
  expect(transfers.list.map(({ nftId, quantity }) => [nftId, quantity])).toEqual([
    ['1', '1500'],
    ['1', '2'],
  ])
})

describe('a token of a contract that is not indexed', () => {
  const listOwners = async () =>
    (await assets.list(client, { nftAddress })).list.map(({ nftId, owner, quantity }) => [
      nftId,
      owner,
      quantity,
    ])

  /** Records a mint that the chain has not made. */
  async function complete(db: Db, uid: string): Promise<void> {
    const trx = new Tenant(db, gateway.key.projectId)
    const { id } = await trx
      .selectFrom('gateway.mint_reservations')
      .select('id')
      .where('uid', '=', uid)
      .executeTakeFirstOrThrow()
    const row = await findReservation(trx, id)
    if (row === undefined) throw new Error('The signature has no reservation')
    await completeMint(trx, orderPort, row, { tokenId: '0', hash: `0x${'5'.repeat(64)}` })
  }

  it('a token of a contract that is not indexed belongs to the recipient of its mint once that is final, and can be sold', async () => {
    const { nftId } = await addNft('Owned')
    const hash = await sendMint(chain, contract, await sign({ nftId }))
    expect(await listOwners()).toEqual([])
    await settle()
    await settle()
    expect(await listOwners()).toEqual([['0', buyer, '1']])
    expect((await assets.transfers(client, { nftAddress })).list).toMatchObject([
      { nftId: '0', from: zeroAddress, to: buyer, quantity: '1', hash },
    ])
    const listing = { seller: buyer, nftAddress, nftId: '0', quantity: 1, payPrice: '1000' }
    expect(await commonSales.putOnShelf(client, listing)).toMatchObject({ remaining: 1 })
  })

  it('a token of a contract that is not indexed is one of several that a signature mints', async () => {
    await sendMint(chain, contract, await sign({ quantity: 3 }))
    await settle()
    expect((await listOwners()).sort()).toEqual(['0', '1', '2'].map((id) => [id, buyer, '1']))
  })

  it('a token of a contract that is not indexed can be added as an NFT of its owner, and of nobody else', async () => {
    await sendMint(chain, contract, await sign())
    await settle()
    const add = (owner: string) => nfts.add(client, { nftAddress, nftId: '0', name: 'Blue', owner })
    await expect(add(seller)).rejects.toThrow('A wallet already owns this token')
    expect(await add(buyer)).toMatchObject({ owner: buyer, quantity: 1 })
    expect(await listOwners()).toEqual([['0', buyer, '1']])
    expect((await assets.transfers(client, { nftAddress })).list).toHaveLength(1)
  })

  it('a token of a contract that is not indexed keeps the owner that the project has recorded before the mint was final', async () => {
    await sendMint(chain, contract, await sign())
    await nfts.add(client, { nftAddress, nftId: '0', name: 'Blue', owner: seller })
    await settle()
    expect(await listOwners()).toEqual([['0', seller, '1']])
  })

  it('a token of a contract that is not indexed gets one owner when it is added as an NFT while its mint is recorded', async () => {
    const { uid } = await sign()
    let adding: Promise<unknown> = Promise.resolve()
    await gateway.owner.system.transaction().execute(async (db) => {
      await complete(db, uid)
      adding = nfts.add(client, { nftAddress, nftId: '0', name: 'Blue', owner: seller }).catch(String)
      await Promise.race([adding, waitForBlockedStatements(gateway.owner.system)])
    })
    expect(await adding).toContain('A wallet already owns this token')
    expect(await listOwners()).toEqual([['0', buyer, '1']])
  })

  it('a token of a contract that is not indexed has no owner if its mint was larger than the gateway records', async () => {
    const phases = [{ name: 'large', startTime: '2020-01-01T00:00:00Z', price: '0' }]
    await lazyMinting.updatePresale(client, { nftAddress, phases })
    const { uid } = await sign({ quantity: 1_001 })
    await gateway.owner.system.transaction().execute((db) => complete(db, uid))
    expect((await lazyMinting.product(client, { nftAddress })).counts).toMatchObject({ mintedTokens: 1_001 })
    expect(await listOwners()).toEqual([])
  })
})

it('a signature that expired is refused by the contract, and its reservation is released once that is final', async () => {
  const { id, nftId } = await addNft('Late')
  const signed = await sign({ nftId })
  await settle()
  expect((await lazyMinting.getNft(client, { id })).status).toBe('RESERVED')

  await chain.client.increaseTime({ seconds: 700 })
  await chain.client.mine({ blocks: 1 })
  await expect(sendMint(chain, contract, signed)).rejects.toThrow('OutsideValidity')
  // No new one is issued until that is final.
  await expect(sign({ nftId })).rejects.toMatchObject({ code: 40955 })
  await settle()
  expect((await lazyMinting.getNft(client, { id })).status).toBe('DISPLAY')
  expect((await lazyMinting.presale(client, { nftAddress })).phases[0]?.claimed).toBe(0)
  const again = await sign({ nftId })
  expect(again.uid).not.toBe(signed.uid)
  await sendMint(chain, contract, again)
  expect(await ownerOf(0n)).toBe(buyer)
})

it('a signature that expired counts as minted when it was used in time', async () => {
  const { id, nftId } = await addNft('Used')
  await sendMint(chain, contract, await sign({ nftId }))
  await chain.client.increaseTime({ seconds: 700 })
  await settle()
  expect((await lazyMinting.getNft(client, { id })).status).toBe('MINTED')
})
