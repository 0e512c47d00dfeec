import { type LazyNft, lazyMinting } from '@mintmark/contracts'
import type { ReactNode } from 'react'
import { Badge, type Tone } from '../../components/badge.tsx'
import { confirm, openForm } from '../../components/dialogs.tsx'
import { MintAmount } from '../../components/minting/mint-amount.tsx'
import { ResourceSection } from '../../components/resource.tsx'
import { lazyNftsTexts } from '../../texts/minting.ts'

const { statuses, visibility } = lazyNftsTexts

const tones: Readonly<Record<keyof typeof statuses, Tone>> = {
  HIDDEN: 'neutral',
  DISPLAY: 'success',
  RESERVED: 'warning',
  MINTED: 'info',
}
const visibilityOptions = Object.entries(visibility).map(([value, label]) => ({ value, label }))

const fields = {
  name: {
    kind: 'text',
    isRequired: true,
    label: 'Name',
    description: 'What buyers see, at most 200 characters.',
  },
  tokenUri: {
    kind: 'url',
    isRequired: true,
    label: 'Metadata',
    description: 'The address that the contract returns as tokenURI.',
  },
  imgUrl: {
    kind: 'url',
    sendsEmpty: true,
    label: 'Image',
    description: 'An address that begins with https://.',
  },
  description: { kind: 'multiline', sendsEmpty: true, label: 'Description' },
  properties: {
    kind: 'pairs',
    keys: ['trait_type', 'value'],
    label: 'Properties',
    description: 'One in each line: a name, a colon and a value, as in paper: cotton.',
  },
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
    action: 'Add NFT',
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
      filters={{
        status: {
          label: 'Status',
          options: statuses,
          // The options are the statuses of the input.
          toInput: (status) => ({ status: status as keyof typeof statuses }),
        },
      }}
      columns={{
        name: { label: 'Name', sort: true },
        status: { label: 'Status', cell: (nft) => <LazyNftStatusBadge status={nft.status} /> },
        price: { label: 'Price', align: 'end', cell: (nft) => <LazyNftPrice nft={nft} chainId={chainId} /> },
        tokenId: 'Token id',
        createTime: { label: 'Added', sort: true },
      }}
      getKey={({ id }) => id}
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

function LazyNftStatusBadge({ status }: { readonly status: string }): ReactNode {
  const known = status in statuses ? (status as keyof typeof statuses) : undefined
  return <Badge tone={known ? tones[known] : 'neutral'}>{known ? statuses[known] : status}</Badge>
}

function LazyNftPrice({ nft, chainId }: { readonly nft: LazyNft; readonly chainId: string }): ReactNode {
  const { price: baseUnits, payTokenAddress } = nft
  if (baseUnits === '') return <span className="faint">As in the phase</span>
  return <MintAmount chainId={chainId} payTokenAddress={payTokenAddress} baseUnits={baseUnits} />
}
