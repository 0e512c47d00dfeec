import assert from 'node:assert/strict'
import { contracts, lazyMinting } from '@mintmark/contracts'
import type { InputOf } from '@mintmark/operation'
import { has, newAddress, type Sample, type SampleProject, sample } from './sample.ts'

const HASH = `0x${'ab'.repeat(32)}`

/** A phase that is open to everyone. */
export const openPhase = {
  name: 'public',
  startTime: '2020-01-01T00:00:00Z',
  endTime: '2099-01-01T00:00:00Z',
  price: '1000',
}

export async function aMintContract({ client }: SampleProject): Promise<string> {
  const input = { owner: newAddress(), name: 'Prints', chainId: '84532', nftType: 'ERC721' }
  return (await contracts.add(client, { ...input, nftAddress: newAddress() })).nftAddress
}

async function aCollection(project: SampleProject, phase: object = {}): Promise<string> {
  const nftAddress = await aMintContract(project)
  await lazyMinting.updatePresale(project.client, { nftAddress, phases: [{ ...openPhase, ...phase }] })
  return nftAddress
}

async function aLazyNft(project: SampleProject, nftAddress?: string) {
  const input = { name: 'Blue', tokenUri: 'ipfs://blue', price: '2000' }
  return await lazyMinting.addNft(project.client, {
    ...input,
    nftAddress: nftAddress ?? (await aCollection(project)),
  })
}

/** Creates a collection with a whitelist of one wallet. */
async function aWhitelist(project: SampleProject, whitelistMode = 'LIST') {
  const [nftAddress, address] = [await aCollection(project, { whitelistMode }), newAddress()]
  const entries = [{ address, limit: '2' }]
  await lazyMinting.addToWhitelist(project.client, { nftAddress, phase: 'public', entries })
  return { nftAddress, address }
}

const refusedPhases = [
  { endTime: '2019-01-01T00:00:00Z' },
  { maxClaimable: -1 },
  { limitPerWallet: -1 },
  { payTokenAddress: 'USDC' },
  { pricedBy: 'SOME' },
  { whitelistMode: 'SOME' },
  { merkleRoot: HASH },
  { whitelistMode: 'MERKLE', merkleRoot: '0x1' },
].map((change): readonly ['phases', object] => ['phases', { phases: [{ ...openPhase, ...change }] }])

type Refusals<Operation> = readonly (readonly [field: string, change: Partial<InputOf<Operation>>])[]

/** Inputs that every presale refuses by rules beyond its fields' types. */
export const presaleRefusals: Refusals<typeof lazyMinting.updatePresale> = [
  ...refusedPhases,
  ['phases', { phases: [openPhase, openPhase] }],
  ['phases', { phases: [openPhase, { ...openPhase, name: 'other' }] }],
  ['phases', { phases: [openPhase, { ...openPhase, name: 'other', startTime: '2021-01-01T00:00:00Z' }] }],
]

export const whitelistRefusals: Refusals<typeof lazyMinting.addToWhitelist> = [
  ['entries', { entries: [] }],
  ['entries', { entries: [{ address: 'nobody' }] }],
  ['entries', { entries: [{ address: `0x${'0'.repeat(40)}` }] }],
  [
    'entries',
    { entries: ['0xAA', '0xaa'].map((end) => ({ address: `0x${'1'.repeat(38)}${end.slice(2)}` })) },
  ],
]

/** The input of a contract without more. */
export const ofContract = async (project: SampleProject) => ({ nftAddress: await aMintContract(project) })

const nftSamples: readonly Sample[] = [
  sample(lazyMinting.addNft, {
    input: async (project) => ({
      nftAddress: await aMintContract(project),
      name: 'Blue',
      tokenUri: 'ipfs://blue',
      description: 'A blue print.',
      imgUrl: 'https://example.com/blue.png',
      mediaFileUrl: 'https://example.com/blue.mp4',
      properties: [{ trait_type: 'color', value: 'blue' }],
      royaltyPercentage: 2.5,
      price: '2000',
      payTokenAddress: newAddress(),
      status: 'HIDDEN',
    }),
    refused: [
      ['royaltyPercentage', { royaltyPercentage: 100.5 }],
      ['payTokenAddress', { payTokenAddress: 'USDC' }],
      ['status', { status: 'MINTED' }],
    ],
    contains: { status: 'HIDDEN', price: '2000', royaltyPercentage: 2.5, tokenId: '' },
  }),
  sample(lazyMinting.updateNft, {
    input: async (project) => ({
      id: (await aLazyNft(project)).id,
      name: 'Red',
      tokenUri: 'ipfs://red',
      status: 'HIDDEN',
    }),
    refused: [
      ['status', { status: 'RESERVED' }],
      ['royaltyPercentage', { royaltyPercentage: -1 }],
    ],
    contains: { name: 'Red', tokenUri: 'ipfs://red', status: 'HIDDEN', price: '2000' },
  }),
  sample(lazyMinting.removeNft, { input: async (project) => ({ id: (await aLazyNft(project)).id }) }),
  sample(lazyMinting.getNft, {
    input: async (project) => ({ id: (await aLazyNft(project)).id }),
    checkResponse: (data, { id }) => has(data, { id, nftId: String(id), status: 'DISPLAY' }),
  }),
  sample(lazyMinting.listNfts, {
    input: async (project) => ({ nftAddress: (await aLazyNft(project)).nftAddress, status: 'DISPLAY' }),
    refused: [['status', { status: 'SOLD' }]],
  }),
  sample(lazyMinting.randomNft, {
    notReturned: ['recipient', 'proof', 'limit'],
    input: async (project) => {
      const nftAddress = await aCollection(project)
      await aLazyNft(project, nftAddress)
      // The sample is called twice.
      await aLazyNft(project, nftAddress)
      return { nftAddress, recipient: newAddress() }
    },
    refused: [['recipient', { recipient: 'nobody' }]],
    contains: { status: 'RESERVED', name: 'Blue' },
  }),
]

const saleSamples: readonly Sample[] = [
  sample(lazyMinting.presale, {
    input: async (project) => ({ nftAddress: await aCollection(project) }),
    contains: { active: 'public', phases: [{ name: 'public', claimed: 0 }] },
  }),
  sample(lazyMinting.updatePresale, {
    input: async (project) => ({
      nftAddress: await aMintContract(project),
      phases: [
        { name: 'early', startTime: '2020-01-01T00:00:00Z', price: '0', whitelistMode: 'LIST' },
        { ...openPhase, startTime: '2021-01-01T00:00:00Z', maxClaimable: 10, limitPerWallet: 2 },
      ],
    }),
    refused: presaleRefusals,
    contains: { active: 'public', phases: [{ endTime: '2021-01-01T00:00:00.000Z' }, { name: 'public' }] },
  }),
  sample(lazyMinting.addToWhitelist, {
    input: async (project) => ({
      nftAddress: await aCollection(project, { whitelistMode: 'LIST' }),
      phase: 'public',
      entries: [{ address: newAddress() }, { address: newAddress(), limit: '3' }],
    }),
    refused: whitelistRefusals,
    checkResponse: (data) => assert.deepEqual(data, { count: 2 }),
  }),
  sample(lazyMinting.removeFromWhitelist, {
    input: async (project) => ({ ...(await aWhitelist(project)), phase: 'public' }),
  }),
  sample(lazyMinting.whitelist, {
    input: async (project) => ({ nftAddress: (await aWhitelist(project)).nftAddress, phase: 'public' }),
    otherProject: 'not found',
    contains: { totalRow: 1, list: [{ limit: '2', phase: 'public' }] },
  }),
  sample(lazyMinting.checkWhitelist, {
    input: async (project) => await aWhitelist(project, 'MERKLE'),
    refused: [['address', { address: 'nobody' }]],
    contains: { eligible: true, reasons: [], remaining: 2, price: '1000', limit: '2', pricedBy: 'CHAIN' },
  }),
  sample(lazyMinting.mintSign, {
    notSent: ['orderNo'],
    notReturned: ['proof', 'limit'],
    input: async (project) => {
      const { nftAddress, nftId } = await aLazyNft(project)
      return { nftAddress, nftId, recipient: newAddress() }
    },
    refused: [
      ['recipient', { recipient: 'nobody' }],
      ['quantity', { quantity: 2 }],
    ],
    checkResponse: (data, { recipient }) =>
      has(data, {
        status: 'SIGNED',
        price: '2000',
        payload: { to: recipient, uri: 'ipfs://blue', quantity: '1', pricePerToken: '2000' },
        domain: { name: 'SignatureMintERC721', version: '1', chainId: 84532 },
      }),
  }),
]

const pageSamples: readonly Sample[] = [
  sample(lazyMinting.previews, {
    input: ofContract,
    contains: { items: [] },
  }),
  sample(lazyMinting.updatePreviews, {
    input: async (project) => ({
      nftAddress: await aMintContract(project),
      items: [{ url: 'https://example.com/1.png', mediaFileType: 'image/png' }],
    }),
    contains: { items: [{ mediaFileType: 'image/png', name: '' }] },
  }),
  sample(lazyMinting.collection, {
    input: ofContract,
    contains: { name: 'Prints', chainId: '84532', tokenUri: '' },
  }),
  sample(lazyMinting.updateCollection, {
    input: async (project) => ({
      nftAddress: await aMintContract(project),
      name: 'Web prints',
      tokenUri: 'ipfs://any',
      royaltyPercentage: 5,
      royaltyRecipient: newAddress(),
      primarySaleRecipient: newAddress(),
    }),
    refused: [
      ['royaltyPercentage', { royaltyPercentage: 101 }],
      ['royaltyRecipient', { royaltyRecipient: 'nobody' }],
      ['primarySaleRecipient', { primarySaleRecipient: '0x1' }],
    ],
    checkResponse: (data: { minter: string }) => {
      has(data, { name: 'Web prints', tokenUri: 'ipfs://any', royaltyPercentage: 5 })
      assert.match(data.minter, /^0x[0-9a-f]{40}$/)
    },
  }),
  sample(lazyMinting.extension, {
    input: ofContract,
    contains: { extension: {} },
  }),
  sample(lazyMinting.updateExtension, {
    input: async (project) => ({
      nftAddress: await aMintContract(project),
      extension: { theme: { color: 'blue' } },
    }),
    contains: { extension: { theme: { color: 'blue' } } },
  }),
  sample(lazyMinting.product, {
    input: async (project) => ({ nftAddress: (await aLazyNft(project)).nftAddress }),
    contains: { presale: { active: 'public' }, counts: { displayed: 1, minted: 0 } },
  }),
]

export const mintingSamples: readonly Sample[] = [...nftSamples, ...saleSamples, ...pageSamples]
