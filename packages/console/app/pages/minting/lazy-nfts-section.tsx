import { type LazyNft, lazyMinting } from '@mintmark/contracts'
import type { ReactNode } from 'react'
import { createStatusColumn, createStatusFilter } from '../../components/badge.tsx'
import { alignEnd } from '../../components/data-table.tsx'
import { confirm, openForm } from '../../components/dialogs.tsx'
import { MintAmount } from '../../components/minting/mint-table.tsx'
import { ResourceSection } from '../../components/resource.tsx'
import { imageField, metadataField, propertiesField } from '../../form/nft-fields.ts'
import { t } from '../../language/translate.ts'

const statuses = {
  HIDDEN: [t('Hidden'), 'neutral'],
  DISPLAY: [t('On display'), 'success'],
  RESERVED: [t('Reserved'), 'warning'],
  MINTED: [t('Minted'), 'info'],
} as const
const visibilityOptions = [
  { value: 'DISPLAY', label: t('On display: can be minted') },
  { value: 'HIDDEN', label: t('Hidden: cannot be minted') },
]

const fields = {
  name: {
    kind: 'text',
    isRequired: true,
    label: t('Name'),
    description: t('What buyers see, at most 200 characters.'),
  },
  tokenUri: { ...metadataField, isRequired: true },
  imgUrl: imageField,
  description: { kind: 'multiline', sendsEmpty: true, label: t('Description') },
  properties: propertiesField,
  royaltyPercentage: {
    kind: 'integer',
    label: t('Royalty in percent'),
    description: t('Empty: that of the collection.'),
  },
  status: { kind: 'select', isRequired: true, options: visibilityOptions, label: t('Visibility') },
} as const

const addNft = (nftAddress: string) =>
  openForm({
    operation: lazyMinting.addNft,
    fields,
    fixed: { nftAddress },
    initial: { status: 'DISPLAY' },
    title: t('Add NFT'),
    done: ({ name }) => t('{name} is added', { name }),
  })

const editNft = (nft: LazyNft) =>
  openForm({
    operation: lazyMinting.updateNft,
    fields,
    fixed: { id: nft.id },
    initial: nft,
    title: t('Edit {name}', { name: nft.name }),
    action: t('Save'),
    done: ({ name }) => t('{name} is saved', { name }),
  })

const removeNft = ({ id, name }: LazyNft) =>
  confirm({
    operation: lazyMinting.removeNft,
    input: { id },
    title: t('Remove {name}?', { name }),
    text: t('This cannot be undone. An NFT that is reserved or minted cannot be removed.'),
    action: t('Remove'),
    done: t('{name} is removed', { name }),
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
      title={t('NFTs to mint')}
      actions={() => [{ label: t('Add NFT'), icon: 'plus', onSelect: () => addNft(nftAddress) }]}
      filters={{ status: createStatusFilter(statuses) }}
      columns={{
        name: { label: t('Name'), sort: true },
        status: createStatusColumn(statuses),
        price: alignEnd(t('Price'), (nft: LazyNft) =>
          nft.price === '' ? (
            <span className="faint">{t('As in the phase')}</span>
          ) : (
            <MintAmount chainId={chainId} priced={nft} />
          ),
        ),
        tokenId: t('Token id'),
        createTime: { label: t('Added'), sort: true },
      }}
      picture={({ imgUrl }) => imgUrl}
      nameOf={({ name }) => name}
      rowActions={(nft) =>
        nft.status === 'DISPLAY' || nft.status === 'HIDDEN'
          ? [
              { label: t('Edit'), onSelect: () => editNft(nft) },
              { label: t('Remove'), isDangerous: true, onSelect: () => removeNft(nft) },
            ]
          : []
      }
      empty={{
        icon: 'nft',
        title: t('No NFTs to mint yet'),
        advice: t('Add the NFTs that buyers can mint, or let buyers mint by quantity in the settings.'),
        adviceToRead: t('The NFTs that buyers can mint appear here. Buyers may mint by quantity, too.'),
      }}
    />
  )
}
