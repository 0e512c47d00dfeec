import { contracts, lazyMinting } from '@mintmark/contracts'
import { waitForBlockedStatements } from '@mintmark/devkit/testing'
import type { GatewayClient } from '@mintmark/operation'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { orderPort } from '../../../main/composition.ts'
import { TEST_URL, type TestGateway, testGateway } from '../../../testing/gateway.ts'
import { rawClient } from '../../../testing/raw-client.ts'
import { clientOf } from '../../../testing/samples/calls.ts'
import { newAddress } from '../../../testing/samples/sample.ts'
import { createMintWatcher } from '../watching/watch-mints.ts'
import { leafOf, merkleTree } from '../whitelist/merkle.ts'

let gateway: TestGateway
let client: GatewayClient
beforeAll(async () => {
  gateway = await testGateway()
  client = clientOf(gateway, gateway.key)
})
afterAll(() => gateway.close())

let nftAddress: string
beforeEach(async () => {
  nftAddress = newAddress()
  await contracts.add(client, { nftAddress, name: 'Prints', nftType: 'ERC721', chainId: '84532' })
})

const PAST = '2020-01-01T00:00:00Z'
const open = (more: object = {}, ...others: { name: string; startTime: string; price: string }[]) =>
  lazyMinting.updatePresale(client, {
    nftAddress,
    phases: [{ name: 'public', startTime: PAST, price: '1000', ...more }, ...others],
  })
const addNft = (more: object = {}) =>
  lazyMinting.addNft(client, { nftAddress, name: 'Print', tokenUri: 'ipfs://print', ...more })
const addNfts = (count: number) => Promise.all(Array.from({ length: count }, () => addNft()))
const draw = (recipient = newAddress(), more: object = {}) =>
  lazyMinting.randomNft(client, { nftAddress, recipient, ...more })
const sign = (recipient: string, more: object = {}) =>
  lazyMinting.mintSign(client, { nftAddress, recipient, ...more })
const check = (address: string, more: object = {}) =>
  lazyMinting.checkWhitelist(client, { nftAddress, address, ...more })
const list = (...addresses: string[]) =>
  lazyMinting.addToWhitelist(client, {
    nftAddress,
    phase: 'public',
    entries: addresses.map((address) => ({ address })),
  })
const editions = () => lazyMinting.updateCollection(client, { nftAddress, tokenUri: 'ipfs://any' })
const claimed = async () => (await lazyMinting.presale(client, { nftAddress })).phases[0]?.claimed

/** Makes the draws of this collection past their time. */
async function expireDraws() {
  const past = new Date(Date.now() - 1000)
  const db = gateway.owner.system
  await db
    .updateTable('gateway.mint_reservations')
    .set({ expires_at: past })
    .where('status', '=', 'RESERVED')
    .execute()
  await db
    .updateTable('gateway.mintable_nfts')
    .set({ reserved_until: past })
    .where('reserved_until', 'is not', null)
    .execute()
}

it('draws that are neither signed nor ordered reserve five NFTs of a collection for a wallet, however many it draws at the same time', async () => {
  await open()
  await addNfts(12)
  const wallet = newAddress()
  const draws = await Promise.allSettled(Array.from({ length: 12 }, () => draw(wallet)))
  expect(draws.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
  await expect(draw(wallet)).rejects.toMatchObject({
    code: 40952,
    message: expect.stringContaining('too many open draws'),
  })
  await expireDraws()
  expect(await draw(wallet)).toMatchObject({ status: 'RESERVED' })
})

it('draws that are neither signed nor ordered cannot reserve a collection with ever new wallets, and leave the rest to those who sign', async () => {
  await open()
  await addNfts(20)
  const few = await gateway.another({ orderSettings: { openDrawsPerCollection: 8 } })
  const limited = rawClient((request) => few.fetch(request), gateway.key, { publicUrl: TEST_URL })
  const statuses = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const body = { nftAddress, recipient: newAddress() }
      return (await limited.call({ path: '/api/v1/lazyMinting/randomNft', body })).json.code
    }),
  )
  expect(statuses.filter((code) => code === 200)).toHaveLength(8)
  expect(new Set(statuses)).toEqual(new Set([200, 40952]))
  const { id } = (await lazyMinting.listNfts(client, { nftAddress, status: 'DISPLAY' })).list[0] ?? {}
  expect(await sign(newAddress(), { nftId: String(id) })).toMatchObject({ status: 'SIGNED' })
})

describe('a presale', () => {
  it('a presale allows no mint before it exists and outside of its phases', async () => {
    await addNft()
    await expect(draw()).rejects.toMatchObject({ code: 40951 })
    for (const [startTime, endTime] of [
      ['2098-01-01T00:00:00Z', '2099-01-01T00:00:00Z'],
      [PAST, '2021-01-01T00:00:00Z'],
    ]) {
      const presale = await open({ startTime, endTime })
      expect(presale.active).toBe('')
      await expect(draw()).rejects.toMatchObject({ code: 40951 })
      expect(await check(newAddress())).toMatchObject({
        eligible: false,
        reasons: ['MINT_NOT_OPEN'],
        remaining: 0,
      })
    }
  })

  it.each([
    [{ maxClaimable: -1 }, 'phases.0.maxClaimable'],
    [{ limitPerWallet: -1 }, 'phases.0.limitPerWallet'],
    [{ pricedBy: 'GIFT' }, 'phases.0.pricedBy'],
    [{ whitelistMode: 'OPEN' }, 'phases.0.whitelistMode'],
    [{ payTokenAddress: '0x12' }, 'phases.0.payTokenAddress'],
    [{ merkleRoot: `0x${'1'.repeat(64)}` }, 'phases.0.merkleRoot'],
    [{ whitelistMode: 'MERKLE', merkleRoot: '0x12' }, 'phases.0.merkleRoot'],
    [{ startTime: PAST, endTime: PAST }, 'phases.0.endTime'],
  ])('a presale refuses a phase with %j by naming the field %s', async (phase, field) => {
    await expect(open(phase)).rejects.toMatchObject({
      kind: 'InvalidInput',
      status: 400,
      message: expect.stringContaining(field),
    })
  })

  it('a presale uses the NFT’s own price, or else the price of the open phase', async () => {
    const later = { name: 'later', startTime: '2090-01-01T00:00:00Z', price: '9' }
    const presale = await open({ price: '7' }, later)
    expect(presale).toMatchObject({ active: 'public', phases: [{ endTime: '2090-01-01T00:00:00.000Z' }, {}] })
    const [plain, priced] = [await addNft(), await addNft({ price: '0', payTokenAddress: '' })]
    expect(await sign(newAddress(), { nftId: plain.nftId })).toMatchObject({ price: '7' })
    expect(await sign(newAddress(), { nftId: priced.nftId })).toMatchObject({
      price: '0',
      payload: { pricePerToken: '0', currency: `0x${'e'.repeat(40)}` },
    })
  })

  it('a presale keeps the counts and the whitelist of a phase with the same name', async () => {
    const wallet = newAddress()
    await open({ whitelistMode: 'LIST' })
    await list(wallet)
    await editions()
    await sign(wallet)
    await open({ whitelistMode: 'LIST', price: '1', maxClaimable: 1 })
    expect(await claimed()).toBe(1)
    expect(await check(wallet)).toMatchObject({ reasons: ['OUT_OF_STOCK'], price: '1' })
    await expect(sign(wallet, { quantity: 2 })).rejects.toMatchObject({ code: 40907 })
  })
})

it('a whitelist that is empty allows no mint', async () => {
  await editions()
  for (const whitelistMode of ['LIST', 'MERKLE']) {
    await open({ whitelistMode })
    expect(await check(newAddress())).toMatchObject({ eligible: false, reasons: ['NOT_WHITELISTED'] })
    await expect(sign(newAddress())).rejects.toMatchObject({
      status: 403,
      code: 40351,
      message: expect.stringContaining('is empty'),
    })
  }
})

it('a whitelist allows its wallets to mint until they are removed', async () => {
  const [listed, other] = [newAddress(), newAddress()]
  await editions()
  await open({ whitelistMode: 'LIST', limitPerWallet: 3 })
  await list(listed.toUpperCase().replace('0X', '0x'))
  expect(await check(listed)).toMatchObject({ eligible: true, remaining: 3, proof: [] })
  expect(await check(other)).toMatchObject({ eligible: false, reasons: ['NOT_WHITELISTED'], remaining: 0 })
  await expect(sign(other)).rejects.toMatchObject({ code: 40351 })
  await sign(listed)
  expect((await check(listed)).remaining).toBe(2)
  await lazyMinting.removeFromWhitelist(client, { nftAddress, phase: 'public', address: listed })
  await expect(sign(listed, { quantity: 2 })).rejects.toMatchObject({ code: 40351 })
  await expect(
    lazyMinting.removeFromWhitelist(client, { nftAddress, phase: 'public', address: listed }),
  ).rejects.toMatchObject({ kind: 'NotFound' })
})

it('a whitelist limits a wallet to its own limit', async () => {
  const wallet = newAddress()
  await editions()
  await open({ whitelistMode: 'LIST', limitPerWallet: 10 })
  const entries = [{ address: wallet, limit: '2' }]
  await lazyMinting.addToWhitelist(client, { nftAddress, phase: 'public', entries })
  await expect(sign(wallet, { quantity: 3 })).rejects.toMatchObject({ code: 40952 })
  await sign(wallet, { quantity: 2 })
  expect(await check(wallet)).toMatchObject({
    eligible: false,
    reasons: ['MINT_LIMIT_REACHED'],
    remaining: 0,
  })
  await expect(sign(wallet, { quantity: 1 })).rejects.toMatchObject({ code: 40952 })
})

it('a whitelist as a Merkle tree returns a valid proof for each of its wallets', async () => {
  const wallets = Array.from({ length: 9 }, () => newAddress())
  await editions()
  await open({ whitelistMode: 'MERKLE' })
  await list(...wallets)
  const tree = await merkleTree(wallets.map((wallet) => leafOf(wallet, 0n)))
  const [first = '', second = ''] = wallets
  const eligibility = await check(first)
  expect(eligibility).toMatchObject({ eligible: true, merkleRoot: tree.root, limit: '0', remaining: -1 })
  expect(eligibility.proof).toEqual(tree.proofOf(leafOf(first, 0n)))
  await sign(first)
  // Of another tree from then on.
  await lazyMinting.removeFromWhitelist(client, { nftAddress, phase: 'public', address: first })
  expect((await check(first)).reasons).toEqual(['NOT_WHITELISTED'])
  expect((await check(second)).merkleRoot).not.toBe(tree.root)
})

it('a whitelist that is stored elsewhere accepts valid proofs only', async () => {
  const [mine, other] = [newAddress(), newAddress()]
  const leaves = { mine: leafOf(mine, 2n), other: leafOf(other, 5n) }
  const tree = await merkleTree([leaves.mine, leaves.other, leafOf(newAddress(), 1n)])
  await editions()
  await open({ whitelistMode: 'MERKLE', merkleRoot: tree.root })
  const proof = tree.proofOf(leaves.mine)
  expect(await check(mine, { proof, limit: '2' })).toMatchObject({ eligible: true, remaining: 2 })
  for (const [address, claim] of [
    [mine, {}],
    [mine, { proof, limit: '3' }],
    [mine, { proof }],
    [mine, { proof: tree.proofOf(leaves.other), limit: '2' }],
    [mine, { proof: [], limit: '2' }],
    [other, { proof, limit: '2' }],
  ] as const) {
    const cause = 'proof' in claim ? 'The proof does not lead' : 'The wallet is not on the whitelist'
    expect(await check(address, claim)).toMatchObject({ eligible: false, reasons: ['NOT_WHITELISTED'] })
    await expect(sign(address, claim)).rejects.toMatchObject({
      code: 40351,
      message: expect.stringContaining(cause),
    })
  }
  await sign(mine, { proof, limit: '2', quantity: 2 })
  await expect(sign(mine, { proof, limit: '2', quantity: 1 })).rejects.toMatchObject({ code: 40952 })
})

it('concurrent mints draw 10 different NFTs of 10 in 60 calls', async () => {
  await open()
  await addNfts(10)
  const drawn = await Promise.allSettled(Array.from({ length: 60 }, () => draw()))
  const ids = drawn.flatMap((each) => (each.status === 'fulfilled' ? [each.value.id] : []))
  expect(ids).toHaveLength(10)
  expect(new Set(ids).size).toBe(10)
  const reasons = drawn.flatMap((each) => (each.status === 'rejected' ? [each.reason.code] : []))
  expect(new Set(reasons)).toEqual(new Set([40907]))
  expect(await claimed()).toBe(10)
  expect((await lazyMinting.product(client, { nftAddress })).counts).toMatchObject({
    displayed: 0,
    reserved: 10,
  })
})

it('concurrent mints exceed neither the limit of the phase nor that of the wallet', async () => {
  await editions()
  await open({ maxClaimable: 10, limitPerWallet: 3 })
  const wallets = Array.from({ length: 8 }, () => newAddress())
  const calls = wallets.flatMap((wallet) => [1, 2, 3].map((quantity) => sign(wallet, { quantity })))
  const done = await Promise.allSettled(calls)
  const codes = done.flatMap((each) => (each.status === 'rejected' ? [each.reason.code] : []))
  expect(codes.filter((code) => code !== 40952 && code !== 40907)).toEqual([])
  const got = new Map<string, number>()
  for (const each of done)
    if (each.status === 'fulfilled')
      got.set(each.value.recipient, (got.get(each.value.recipient) ?? 0) + each.value.quantity)
  const total = [...got.values()].reduce((sum, quantity) => sum + quantity, 0)
  expect(Math.max(...got.values())).toBeLessThanOrEqual(3)
  expect(total).toBeLessThanOrEqual(10)
  expect(await claimed()).toBe(total)
})

it('concurrent mints with the same input are one reservation with one signature', async () => {
  await open()
  await editions()
  const [recipient, { nftId }] = [newAddress(), await addNft()]
  for (const more of [{ nftId }, { quantity: 2 }]) {
    const before = (await claimed()) ?? 0
    const signed = await Promise.all(Array.from({ length: 20 }, () => sign(recipient, more)))
    expect(new Set(signed.map(({ signature }) => signature)).size).toBe(1)
    expect(await claimed()).toBe(before + (more.quantity ?? 1))
  }
})

it('concurrent mints reserve an NFT for one of several wallets', async () => {
  await open()
  const { nftId } = await addNft()
  const done = await Promise.allSettled(Array.from({ length: 20 }, () => sign(newAddress(), { nftId })))
  expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(await claimed()).toBe(1)
})

it('an NFT cannot be added to a contract during its removal', async () => {
  const db = gateway.owner.system
  const adding = await db.transaction().execute(async (trx) => {
    await trx
      .selectFrom('gateway.contracts')
      .select('id')
      .where('nft_address', '=', nftAddress)
      .forUpdate()
      .execute()
    const added = addNft().catch((error: unknown) => error)
    // It has read the contract by then, and waits for its row.
    await waitForBlockedStatements(db)
    await trx
      .updateTable('gateway.contracts')
      .set({ deleted: true })
      .where('nft_address', '=', nftAddress)
      .execute()
    return { added }
  })
  expect(await adding.added).toMatchObject({ kind: 'NotFound' })
})

it('an NFT that is hidden is neither minted nor drawn', async () => {
  await open()
  const { nftId, id } = await addNft({ status: 'HIDDEN' })
  await expect(sign(newAddress(), { nftId })).rejects.toMatchObject({ code: 40954 })
  await expect(draw()).rejects.toMatchObject({ code: 40907 })
  await lazyMinting.updateNft(client, { id, status: 'DISPLAY' })
  expect((await draw()).id).toBe(id)
})

it('an NFT of another contract is not found', async () => {
  await open()
  const { nftId } = await addNft()
  const other = newAddress()
  await contracts.add(client, { nftAddress: other, name: 'Other', nftType: 'ERC721', chainId: '84532' })
  await lazyMinting.updatePresale(client, {
    nftAddress: other,
    phases: [{ name: 'public', startTime: PAST, price: '1' }],
  })
  for (const request of [
    { nftAddress: other, nftId },
    { nftAddress, nftId: '999999' },
    { nftAddress, nftId: 'blue' },
  ]) {
    await expect(lazyMinting.mintSign(client, { ...request, recipient: newAddress() })).rejects.toMatchObject(
      {
        kind: 'NotFound',
      },
    )
  }
})

it('an NFT that is reserved can be neither changed nor removed', async () => {
  await open()
  const { id } = await addNft()
  await draw()
  await expect(lazyMinting.updateNft(client, { id, name: 'x' })).rejects.toMatchObject({ kind: 'Conflict' })
  await expect(lazyMinting.removeNft(client, { id })).rejects.toMatchObject({ kind: 'Conflict' })
  await expireDraws()
  expect((await lazyMinting.updateNft(client, { id, name: 'x' })).status).toBe('DISPLAY')
  expect(await claimed()).toBe(0)
  await lazyMinting.removeNft(client, { id })
  await expect(lazyMinting.getNft(client, { id })).rejects.toMatchObject({ kind: 'NotFound' })
})

it('a draw is signed only for the wallet that drew it, and counts once', async () => {
  await open({ limitPerWallet: 1 })
  await addNft()
  const recipient = newAddress()
  const { nftId } = await draw(recipient)
  await expect(sign(newAddress(), { nftId })).rejects.toMatchObject({ code: 40954 })
  expect(await sign(recipient, { nftId })).toMatchObject({ nftId, quantity: 1 })
  expect(await claimed()).toBe(1)
  await expireDraws()
  expect((await lazyMinting.listNfts(client, { nftAddress, status: 'RESERVED' })).totalRow).toBe(1)
})

it('a draw that has expired is displayed and available to other wallets', async () => {
  await open({ limitPerWallet: 1 })
  const [{ id }, first] = [await addNft(), newAddress()]
  await draw(first)
  await expireDraws()
  expect((await lazyMinting.getNft(client, { id })).status).toBe('DISPLAY')
  expect((await lazyMinting.listNfts(client, { nftAddress, status: 'DISPLAY' })).totalRow).toBe(1)
  expect((await lazyMinting.listNfts(client, { nftAddress, status: 'RESERVED' })).totalRow).toBe(0)
  const second = newAddress()
  expect((await draw(second)).id).toBe(id)
  expect(await claimed()).toBe(1)
  // The first wallet's count came back.
  expect((await check(first)).remaining).toBe(1)
  expect((await check(second)).reasons).toEqual(['MINT_LIMIT_REACHED'])
})

it('a draw that has expired counts for no limit before the job releases it', async () => {
  await open({ limitPerWallet: 1, maxClaimable: 2 })
  await addNfts(2)
  const [first, other] = [newAddress(), newAddress()]
  await draw(first)
  await draw(other)
  expect(await check(first)).toMatchObject({
    reasons: ['MINT_LIMIT_REACHED', 'OUT_OF_STOCK'],
    remaining: 0,
  })
  await expireDraws()
  expect(await check(first)).toMatchObject({ eligible: true, remaining: 1 })
  expect(await claimed()).toBe(2)
  await createMintWatcher({
    orders: orderPort,
    ...gateway,
    chain: gateway.mintChain,
    log: { error: () => {} } as never,
  }).run()
  expect(await claimed()).toBe(0)
  expect((await lazyMinting.product(client, { nftAddress })).counts).toMatchObject({
    displayed: 2,
    reserved: 0,
  })
})

it('a draw requires the whitelist as a mint does', async () => {
  await open({ whitelistMode: 'LIST' })
  await addNft()
  const wallet = newAddress()
  await expect(draw(wallet)).rejects.toMatchObject({ code: 40351 })
  await list(wallet)
  expect((await draw(wallet)).status).toBe('RESERVED')
})

it('a signature is refused without a reservation if the chain cannot be read', async () => {
  await open()
  await editions()
  gateway.mintChain.down = true
  await expect(sign(newAddress())).rejects.toMatchObject({ code: 50301 })
  gateway.mintChain.down = false
  expect(await claimed()).toBe(0)
})

it('a signature is valid from one minute before the chain’s time, for ten minutes', async () => {
  await open()
  await editions()
  const time = Math.floor(Date.now() / 1000) + 5000
  gateway.mintChain.time = time
  expect((await sign(newAddress())).payload).toMatchObject({
    validityStartTimestamp: String(time - 60),
    validityEndTimestamp: String(time + 600),
  })
})

it('a signature is created once under an Idempotency-Key', async () => {
  await open()
  await editions()
  const input = { nftAddress, recipient: newAddress() }
  const first = await lazyMinting.mintSign(client, input, { idempotencyKey: nftAddress })
  expect(await lazyMinting.mintSign(client, input, { idempotencyKey: nftAddress })).toEqual(first)
  expect(await claimed()).toBe(1)
})

it('a signature keeps its reservation until its block is final', async () => {
  await open()
  const { nftId, id } = await addNft()
  const { uid, validUntil } = await sign(newAddress(), { nftId })
  const { mintChain } = gateway
  const log = { error: () => {} } as never
  const watch = async () => {
    await gateway.owner.system
      .updateTable('gateway.mint_reservations')
      .set({ due_at: new Date(0) })
      .where('uid', '=', uid)
      .execute()
    await createMintWatcher({ orders: orderPort, database: gateway.database, chain: mintChain, log }).run()
  }
  // The newest block is past the end, the newest final one is not.
  mintChain.block += 1
  mintChain.time = Date.parse(validUntil) / 1000 + 1
  await watch()
  expect((await lazyMinting.getNft(client, { id })).status).toBe('RESERVED')
  mintChain.mints.set(uid, { uid, tokenId: '7', hash: `0x${'ab'.repeat(32)}`, block: mintChain.block })
  await watch()
  expect((await lazyMinting.getNft(client, { id })).status).toBe('RESERVED')
  mintChain.block += 1
  mintChain.time += 2
  await watch()
  expect(await lazyMinting.getNft(client, { id })).toMatchObject({ status: 'MINTED', tokenId: '7' })
})

it('a signature is logged once if its mint is too large to record the owners of the tokens', async () => {
  await open()
  await editions()
  const { uid } = await sign(newAddress(), { quantity: 1_001 })
  const { mintChain } = gateway
  const warnings: unknown[] = []
  const log = { warn: (details: unknown) => void warnings.push(details), error: () => {} } as never
  const hash = `0x${'cd'.repeat(32)}`
  mintChain.mints.set(uid, { uid, tokenId: '7', hash, block: mintChain.block })
  mintChain.block += mintChain.depth
  for (let run = 0; run < 2; run += 1) {
    await gateway.owner.system
      .updateTable('gateway.mint_reservations')
      .set({ due_at: new Date(0) })
      .where('uid', '=', uid)
      .where('status', '=', 'SIGNED')
      .execute()
    await createMintWatcher({ orders: orderPort, database: gateway.database, chain: mintChain, log }).run()
  }
  expect((await lazyMinting.product(client, { nftAddress })).counts).toMatchObject({ mintedTokens: 1_001 })
  expect(warnings).toEqual([expect.objectContaining({ hash, quantity: 1_001 })])
})

it('a signature is created with a key that is stored encrypted', async () => {
  await editions()
  const { signer } = await open().then(() => sign(newAddress()))
  const row = await gateway.owner.system
    .selectFrom('gateway.minter_keys')
    .selectAll()
    .where('project_id', '=', gateway.key.projectId)
    .executeTakeFirstOrThrow()
  expect(row.address).toBe(signer)
  const place = { table: 'gateway.minter_keys', project: row.project_id, row: row.project_id }
  const privateKey = gateway.sealer.open(row.sealed, place)
  expect(row.sealed).not.toContain(privateKey.slice(2))
  expect(gateway.logged.join('')).not.toContain(privateKey.slice(2))
})
