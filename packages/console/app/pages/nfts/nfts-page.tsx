import { type Nft, nfts } from '@mintmark/contracts'
import type { ReactNode } from 'react'
import { useContractOptions } from '../../api/contract-options.ts'
import { WalletLink } from '../../components/links.tsx'
import { NftGrid } from '../../components/nft-grid.tsx'
import { defineResource } from '../../components/resource.tsx'
import { Segments } from '../../components/segments.tsx'
import { shortenIdentifier } from '../../format/identifier.ts'
import { t } from '../../language/translate.ts'
import { toTokenPath } from '../../navigation/project-link.tsx'
import { useSearchState } from '../../navigation/use-address.ts'
import { addNft } from './add-nft.tsx'

const note = (text: string) => <p className="muted break">{text}</p>

function ViewSwitch(): ReactNode {
  const [{ view = 'grid' }, setSearch] = useSearchState('view')
  return (
    <Segments
      label={t('View')}
      value={view}
      options={[
        { value: 'grid', label: t('Grid') },
        { value: 'list', label: t('List') },
      ]}
      onChange={(next) => setSearch({ view: next })}
    />
  )
}

interface NftViewProps {
  readonly list: readonly Nft[]
  readonly isStale: boolean
  readonly table: ReactNode
}

function NftView({ list, isStale, table }: NftViewProps): ReactNode {
  const [{ view }] = useSearchState('view')
  return view === 'list' ? table : <NftGrid label="NFTs" nfts={list} isStale={isStale} />
}

/** The NFTs of a project, as a grid of images or as a list. */
export const NftsPage = defineResource(nfts.list, {
  title: 'NFTs',
  description: t('The tokens of your contracts, with their owners.'),
  actions: ({ go, search }) => [
    {
      label: t('Add NFT'),
      kind: 'primary',
      icon: 'plus',
      onSelect: async () => {
        const added = await addNft(search.contract)
        if (added !== undefined) go(toTokenPath(added))
      },
    },
  ],
  filters: {
    q: { label: t('Search by name, description or token id'), toInput: (keyword) => ({ keyword }) },
    contract: {
      label: t('Contract'),
      options: useContractOptions,
      toInput: (nftAddress) => ({ nftAddress }),
    },
    trait: {
      note: (trait, { value = '' }) => note(t('Only tokens with {trait}: {value}', { trait, value })),
      toInput: (trait) => ({ trait_type: trait }),
    },
    value: { toInput: (value) => ({ value }) },
    owner: {
      note: (owner) => note(t('Only tokens of {owner}', { owner: shortenIdentifier(owner) })),
      toInput: (owner) => ({ owner }),
    },
  },
  view: <ViewSwitch />,
  columns: {
    name: { label: t('Name'), sort: true },
    nftId: { label: t('Token id'), cell: ({ nftId }) => <code>{nftId}</code> },
    owner: { label: t('Owner'), cell: ({ owner }) => <WalletLink address={owner} /> },
    quantity: t('Units'),
    createTime: { label: t('Added'), sort: true },
  },
  link: toTokenPath,
  picture: ({ imgUrl }) => imgUrl,
  render: (list, isStale, table) => <NftView list={list} isStale={isStale} table={table} />,
  empty: {
    icon: 'nft',
    title: t('No NFTs yet'),
    advice: t('Add an NFT of one of your contracts. If you have no contract, add one first.'),
    adviceToRead: t('The NFTs of the project’s contracts appear here.'),
  },
})
