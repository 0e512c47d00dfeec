import { type LazyNft, lazyMinting } from '@mintmark/contracts'
import type { ReactNode } from 'react'
import { createStatusColumn, createStatusFilter } from '../../components/badge.tsx'
import { alignEnd } from '../../components/data-table.tsx'
import { confirm, openForm } from '../../components/dialogs.tsx'
import { MintAmount } from '../../components/minting/mint-table.tsx'
import { ResourceSection } from '../../components/resource.tsx'
import { imageField, metadataField, propertiesField } from '../../form/nft-fields.ts'

const statuses = {
  HIDDEN: ['Hidden', 'neutral'],
  DISPLAY: ['On display', 'success'],
  RESERVED: ['Reserved', 'warning'],
  MINTED: ['Minted', 'info'],
} as const
const visibilityOptions = [
  { value: 'DISPLAY', label: 'On display: can be minted' },
  { value: 'HIDDEN', label: 'Hidden: cannot be minted' },
]

const fields = {
  name: {
    kind: 'text',
    isRequired: true,
    label: 'Name',
    description: 'What buyers see, at most 200 characters.',
  },
  tokenUri: { ...metadataField, isRequired: true },
  imgUrl: imageField,
  description: { kind: 'multiline', sendsEmpty: true, label: 'Description' },
  properties: propertiesField,
  royaltyPercentage: {
    kind: 'integer',
    label: 'Royalty in percent',
    description: 'Empty: that of the collection.',
  },
  status: { kind: 'select', isRequired: true, options: visibilityOptions, label: 'Visibility' },
} as const

const addNft = (nftAddress: string) =>
  openForm({
    operation: lazyMinting.addNft,
    fields,
    fixed: { nftAddress },
    initial: { status: 'DISPLAY' },
    title: 'Add NFT',
    done: ({ name }) => `${name} is added`,
  })

const editNft = (nft: LazyNft) =>
  openForm({
    operation: lazyMinting.updateNft,
    fields,
    fixed: { id: nft.id },
    initial: nft,
    title: `Edit ${nft.name}`,
    action: 'Save',
    done: ({ name }) => `${name} is saved`,
  })

const removeNft = ({ id, name }: LazyNft) =>
  confirm({
    operation: lazyMinting.removeNft,
    input: { id },
    title: `Remove ${name}?`,
    text: 'This cannot be undone. An NFT that is reserved or minted cannot be removed.',
    action: 'Remove',
    done: `${name} is removed`,
  })

interface LazyNftsSectionProps {
  readonly nftAddress: string
  readonly chainId: string
}

/** The NFTs of a collection that buyers mint. Once one is reserved or minted, nothing of it can change. */
export function LazyNftsSection({ nftAddress, chainId }: LazyNftsSectionProps): ReactNode {
  return (
    <ResourceSection
      operation={lazyMinting.listNfts}
      input={{ nftAddress }}
      title="NFTs to mint"
      actions={() => [{ label: 'Add NFT', icon: 'plus', onSelect: () => addNft(nftAddress) }]}
      filters={{ status: createStatusFilter(statuses) }}
      columns={{
        name: { label: 'Name', sort: true },
        status: createStatusColumn(statuses),
        price: alignEnd('Price', (nft: LazyNft) =>
          nft.price === '' ? (
            <span className="faint">As in the phase</span>
          ) : (
            <MintAmount chainId={chainId} priced={nft} />
          ),
        ),
        tokenId: 'Token id',
        createTime: { label: 'Added', sort: true },
      }}
      picture={({ imgUrl }) => imgUrl}
      nameOf={({ name }) => name}
      rowActions={(nft) =>
        nft.status === 'DISPLAY' || nft.status === 'HIDDEN'
          ? [
              { label: 'Edit', onSelect: () => editNft(nft) },
              { label: 'Remove', isDangerous: true, onSelect: () => removeNft(nft) },
            ]
          : []
      }
      empty={{
        icon: 'nft',
        title: 'No NFTs to mint yet',
        advice: 'Add the NFTs that buyers can mint, or let buyers mint by quantity in the settings.',
        adviceToRead: 'The NFTs that buyers can mint appear here. Buyers may mint by quantity, too.',
      }}
    />
  )
}
