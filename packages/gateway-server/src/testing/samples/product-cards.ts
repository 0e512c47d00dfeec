import assert from 'node:assert/strict'
import { productCards } from '@mintmark/market'
import { aMintContract, ofContract, openPhase, presaleRefusals, whitelistRefusals } from './minting.ts'
import { newAddress, type Sample, type SampleProject, sample } from './sample.ts'

/** A product of a registered contract, by its contract and its id. */
async function aProduct(project: SampleProject, more: object = {}) {
  const { client } = project
  const nftAddress = await aMintContract(project)
  const info = { name: 'Lamp', owner: newAddress(), tokenUri: 'ipfs://lamp', limited: 5 }
  await productCards.addNftInfo(client, { nftAddress, ...info, ...more })
  const { nfts } = await productCards.product(client, { nftAddress })
  const [{ id, nftId } = { id: 0, nftId: '' }] = nfts
  return { nftAddress, id, nftId }
}

async function aSale(project: SampleProject, phase: object = {}) {
  const product = await aProduct(project)
  const { nftAddress } = product
  await productCards.updatePresale(project.client, { nftAddress, phases: [{ ...openPhase, ...phase }] })
  return product
}

async function aWhitelist(project: SampleProject, whitelistMode = 'LIST') {
  const [{ nftAddress }, address] = [await aSale(project, { whitelistMode }), newAddress()]
  await productCards.addToWhitelist(project.client, { nftAddress, phase: 'public', entries: [{ address }] })
  return { nftAddress, address }
}

const infoSamples: readonly Sample[] = [
  sample(productCards.updateNftInfo, {
    input: async (project) => ({
      id: (await aProduct(project)).id,
      name: 'Big lamp',
      limited: 7,
      licenseCode: 'CC-BY',
      owner: newAddress(),
      status: 'HIDDEN',
    }),
    refused: [
      ['status', { status: 'MINTED' }],
      ['royaltyPercentage', { royaltyPercentage: 100.01 }],
      ['limited', { limited: 0.5 }],
    ],
    contains: { name: 'Big lamp', limited: 7, status: 'HIDDEN', tokenUri: 'ipfs://lamp' },
  }),
  sample(productCards.removeNftInfo, { input: async (project) => ({ id: (await aProduct(project)).id }) }),
  sample(productCards.tokenData, {
    input: async (project) => {
      const { nftAddress, nftId } = await aProduct(project)
      return { nftAddress, nftId }
    },
    contains: { data: {}, version: 0, updatedBy: '' },
  }),
  sample(productCards.writeData, {
    notSent: ['version'],
    input: async (project) => {
      const { nftAddress, nftId } = await aProduct(project)
      return { nftAddress, nftId, data: { serial: 'L-1' } }
    },
    refused: [['version', { version: -1 }]],
    contains: { data: { serial: 'L-1' }, version: 1, updatedBy: 'test' },
  }),
  sample(productCards.tokenDataLog, {
    input: async (project) => {
      const { nftAddress, nftId } = await aProduct(project)
      await productCards.writeData(project.client, { nftAddress, nftId, data: { serial: 'L-1' } })
      return { nftAddress, nftId }
    },
    otherProject: 'not found',
    contains: { totalRow: 1, list: [{ version: 1, before: {}, after: { serial: 'L-1' } }] },
  }),
]

const saleSamples: readonly Sample[] = [
  sample(productCards.presale, {
    input: async (project) => ({ nftAddress: (await aSale(project)).nftAddress }),
    contains: { active: 'public' },
  }),
  sample(productCards.updatePresale, {
    input: async (project) => ({ ...(await ofContract(project)), phases: [openPhase] }),
    refused: presaleRefusals,
    contains: { active: 'public', phases: [{ price: '1000', whitelistMode: 'NONE' }] },
  }),
  sample(productCards.addToWhitelist, {
    input: async (project) => ({
      nftAddress: (await aSale(project)).nftAddress,
      phase: 'public',
      entries: [{ address: newAddress() }],
    }),
    refused: whitelistRefusals,
    checkResponse: (data) => assert.deepEqual(data, { count: 1 }),
  }),
  sample(productCards.removeFromWhitelist, {
    input: async (project) => ({ ...(await aWhitelist(project)), phase: 'public' }),
  }),
  sample(productCards.whitelist, {
    input: async (project) => ({ nftAddress: (await aWhitelist(project)).nftAddress }),
    otherProject: 'not found',
    contains: { totalRow: 1, list: [{ limit: '0', phase: 'public' }] },
  }),
  sample(productCards.checkWhitelist, {
    input: async (project) => await aWhitelist(project),
    refused: [['address', { address: 'nobody' }]],
    contains: { eligible: true, remaining: -1, price: '1000' },
  }),
  sample(productCards.preview, {
    input: ofContract,
    contains: { items: [] },
  }),
  sample(productCards.updatePreview, {
    input: async (project) => ({
      ...(await ofContract(project)),
      items: [{ url: 'ipfs://1', name: 'Front' }],
    }),
    contains: { items: [{ url: 'ipfs://1', mediaFileType: '', name: 'Front' }] },
  }),
  sample(productCards.mintSign, {
    notSent: ['orderNo', 'nftId'],
    notReturned: ['proof', 'limit'],
    input: async (project) => ({
      nftAddress: (await aSale(project)).nftAddress,
      recipient: newAddress(),
      quantity: 2,
    }),
    refused: [['recipient', { recipient: `0x${'0'.repeat(40)}` }]],
    contains: { status: 'SIGNED', payload: { uri: 'ipfs://lamp', quantity: '2' } },
  }),
  sample(productCards.mints, {
    input: async (project) => {
      const [{ nftAddress }, address] = [await aSale(project), newAddress()]
      await productCards.mintSign(project.client, { nftAddress, recipient: address })
      return { nftAddress, address }
    },
    otherProject: 'not found',
    contains: { totalRow: 1, list: [{ status: 'SIGNED', hash: '', tokenId: '' }] },
  }),
  sample(productCards.product, {
    input: async (project) => ({ nftAddress: (await aSale(project)).nftAddress }),
    contains: {
      nfts: [{ name: 'Lamp', limited: 5 }],
      counts: { displayed: 1 },
      presale: { active: 'public' },
    },
  }),
]

export const productCardSamples: readonly Sample[] = [...infoSamples, ...saleSamples]
