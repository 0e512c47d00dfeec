import assert from 'node:assert/strict'
import { assets, contracts, nfts } from '@mintmark/contracts'
import { newAddress, type Sample, type SampleProject, sample } from './sample.ts'

async function aContract({ client }: SampleProject, nftType = 'ERC721') {
  const owned = { nftAddress: newAddress(), owner: newAddress() }
  const input = { ...owned, name: 'Prints', chainId: '84532', nftType, reference: 'row 7' }
  return await contracts.add(client, input)
}

async function anNft(project: SampleProject) {
  const { nftAddress } = await aContract(project)
  const properties = [{ trait_type: 'color', value: 'blue' }]
  return await nfts.add(project.client, {
    nftAddress,
    nftId: '7',
    owner: newAddress(),
    name: 'Blue',
    properties,
  })
}

export const contractsSamples: readonly Sample[] = [
  sample(contracts.get, {
    input: async (project) => ({ nftAddress: (await aContract(project)).nftAddress }),
    contains: { name: 'Prints', chainId: '84532', deleted: false },
  }),
  sample(contracts.add, {
    notReturned: ['allowUnknownChain', 'index'],
    input: () => ({
      adult: true,
      chainId: '84532',
      contractType: 'collection',
      description: 'Prints of pages.',
      imgUrl: 'https://example.com/prints.png',
      index: true,
      metadata: '{"edition":1}',
      name: 'Prints',
      nftAddress: newAddress(),
      nftType: 'ERC1155',
      owner: newAddress(),
      reference: 'row 7',
      symbol: 'PRINT',
    }),
    otherProject: 'own',
    refused: [
      ['chainId', { chainId: '0x14a34' }],
      ['nftAddress', { nftAddress: '0xno-hexadecimal' }],
      ['nftType', { nftType: 'ERC20' }],
      ['reference', { reference: 'row\n7' }],
    ],
    contains: { channel: '' },
  }),
  sample(contracts.update, {
    async input(project) {
      const { nftAddress } = await aContract(project)
      return {
        nftAddress,
        name: 'Old prints',
        symbol: 'OLD',
        adult: true,
        owner: newAddress(),
        reference: 'row 8',
      }
    },
    contains: { nftType: 'ERC721' },
  }),
  sample(contracts.remove, { input: async (project) => ({ id: (await aContract(project)).id }) }),
  sample(contracts.list, {
    async input(project) {
      const { owner } = await aContract(project)
      return { owner, nftType: 'ERC721', keyword: 'PRINT', reference: 'row 7' }
    },
  }),
  sample(contracts.extension, {
    input: async (project) => ({ nftAddress: (await aContract(project)).nftAddress }),
    checkResponse: (data, { nftAddress }) => assert.deepEqual(data, { nftAddress, extension: {} }),
  }),
  sample(contracts.updateExtension, {
    async input(project) {
      const { nftAddress } = await aContract(project)
      return { nftAddress, extension: { links: ['https://example.com'], since: { year: 2026 } } }
    },
    refused: [
      // Its type does not let a list pass; what calls may not be TypeScript.
      ['extension', { extension: [] as unknown as Record<string, unknown> }],
    ],
  }),
  sample(nfts.add, {
    async input(project) {
      const { nftAddress } = await aContract(project, 'ERC1155')
      return {
        description: 'A blue print.',
        imgUrl: 'https://example.com/7.png',
        mediaFileType: 'video/mp4',
        mediaFileUrl: 'https://example.com/7.mp4',
        name: 'Blue',
        nftAddress,
        nftId: '7',
        owner: newAddress(),
        properties: [{ trait_type: 'color', value: 'blue' }],
        quantity: 5,
        royaltyPercentage: 2.5,
        tokenUri: 'https://example.com/7.json',
      }
    },
    refused: [
      ['royaltyPercentage', { royaltyPercentage: 100.1 }],
      ['royaltyPercentage', { royaltyPercentage: -1 }],
    ],
    contains: { nftType: 'ERC1155', chainId: '84532' },
  }),
  sample(nfts.remove, {
    async input(project) {
      const { nftAddress, nftId } = await anNft(project)
      return { nftAddress, nftId }
    },
  }),
  sample(nfts.get, {
    async input(project) {
      const { nftAddress, nftId } = await anNft(project)
      return { nftAddress, nftId }
    },
    contains: { name: 'Blue', quantity: 1 },
  }),
  sample(nfts.properties, {
    input: async (project) => ({ nftAddress: (await anNft(project)).nftAddress, nftId: '7' }),
    otherProject: 'not found',
    checkResponse: (data) =>
      assert.deepEqual(data, [{ trait_type: 'color', value: 'blue', count: 1, rarity: 1 }]),
  }),
  sample(nfts.list, {
    async input(project) {
      const { nftAddress, owner, creator } = await anNft(project)
      return { nftAddress, owner, creator, keyword: 'BLU', trait_type: 'color', value: 'blue' }
    },
  }),
  sample(assets.get, {
    async input(project) {
      const { owner } = await anNft(project)
      const { list } = await assets.list(project.client, { owner })
      return { id: list[0]?.id ?? 0 }
    },
    contains: { name: 'Blue', nftId: '7', quantity: '1', reserved: '0' },
  }),
  sample(assets.list, {
    async input(project) {
      const { owner, nftAddress } = await anNft(project)
      return { owner, nftAddress, nftType: 'ERC721' }
    },
  }),
  sample(assets.transfers, {
    async input(project) {
      const { owner, nftAddress, nftId } = await anNft(project)
      return { address: owner, nftAddress, nftId }
    },
  }),
]
