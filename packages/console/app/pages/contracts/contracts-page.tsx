import { contracts, NftType } from '@mintmark/contracts'
import { Badge } from '../../components/badge.tsx'
import { defineResource } from '../../components/resource.tsx'
import { addContract } from './contract-forms.ts'

const types = Object.fromEntries(Object.values(NftType).map((type) => [type, type]))

/** The contracts of a project. */
export const ContractsPage = defineResource(contracts.list, {
  title: 'Contracts',
  description: 'The contracts whose tokens the project sells and mints.',
  actions: ({ go }) => [
    {
      label: 'Add contract',
      kind: 'primary',
      icon: 'plus',
      onSelect: async () => {
        const added = await addContract()
        if (added !== undefined) go(`contracts/${added.nftAddress}`)
      },
    },
  ],
  filters: {
    q: { label: 'Search by name, symbol or address', toInput: (keyword) => ({ keyword }) },
    type: { label: 'Type', options: types, toInput: (nftType) => ({ nftType }) },
  },
  columns: {
    name: { label: 'Name', sort: true },
    nftType: { label: 'Type', cell: ({ nftType }) => <Badge tone="neutral">{nftType}</Badge> },
    chainId: 'Chain',
    nftAddress: 'Address',
    createTime: { label: 'Added', sort: true },
  },
  link: ({ nftAddress }) => `contracts/${nftAddress}`,
  picture: ({ imgUrl }) => imgUrl,
  empty: {
    icon: 'contract',
    title: 'No contracts yet',
    advice: 'Add the contract of your collection. Then its NFTs can be added, sold and minted.',
    adviceToRead: 'The contracts of the project’s collections appear here.',
  },
})
