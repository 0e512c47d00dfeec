import { contracts, NftType } from '@mintmark/contracts'
import { Badge } from '../../components/badge.tsx'
import { defineResource } from '../../components/resource.tsx'
import { t } from '../../language/translate.ts'
import { addContract } from './contract-forms.ts'

const types = Object.fromEntries(Object.values(NftType).map((type) => [type, type]))

/** The contracts of a project. */
export const ContractsPage = defineResource(contracts.list, {
  title: t('Contracts'),
  description: t('The contracts whose tokens the project sells and mints.'),
  actions: ({ go }) => [
    {
      label: t('Add contract'),
      kind: 'primary',
      icon: 'plus',
      onSelect: async () => {
        const added = await addContract()
        if (added !== undefined) go(`contracts/${added.nftAddress}`)
      },
    },
  ],
  filters: {
    q: { label: t('Search by name, symbol or address'), toInput: (keyword) => ({ keyword }) },
    type: { label: t('Type'), options: types, toInput: (nftType) => ({ nftType }) },
  },
  columns: {
    name: { label: t('Name'), sort: true },
    nftType: { label: t('Type'), cell: ({ nftType }) => <Badge tone="neutral">{nftType}</Badge> },
    chainId: t('Chain'),
    nftAddress: t('Address'),
    createTime: { label: t('Added'), sort: true },
  },
  link: ({ nftAddress }) => `contracts/${nftAddress}`,
  picture: ({ imgUrl }) => imgUrl,
  empty: {
    icon: 'contract',
    title: t('No contracts yet'),
    advice: t('Add the contract of your collection. Then its NFTs can be added, sold and minted.'),
    adviceToRead: t('The contracts of the project’s collections appear here.'),
  },
})
