import { type LazyNft, lazyMinting } from '@mintmark/contracts'
import { type ReactNode, useState } from 'react'
import { useList } from '../../api/lists.ts'
import { useWrite } from '../../api/operations.ts'
import { Badge, type Tone } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import type { Columns } from '../../components/data-table.tsx'
import { Section } from '../../components/detail-list.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { FilterSelect } from '../../components/filters.tsx'
import { LazyMenu } from '../../components/lazy-menu.tsx'
import { ListView } from '../../components/list-view.tsx'
import { MintAmount } from '../../components/minting/mint-amount.tsx'
import { EmptyState } from '../../components/placeholders.tsx'
import { TitledPicture } from '../../components/titled-picture.tsx'
import { showToast } from '../../components/toast.tsx'
import { OperationForm } from '../../form/operation-form.tsx'
import { readPageNumber } from '../../navigation/search-params.ts'
import { useSearchState } from '../../navigation/use-address.ts'
import { useMayChange } from '../../session/project-context.tsx'
import { lazyNftsTexts } from '../../texts/minting.ts'
import { componentTexts } from '../../texts/shell.ts'

const { statuses, visibility } = lazyNftsTexts

const tones: Readonly<Record<keyof typeof statuses, Tone>> = {
  HIDDEN: 'neutral',
  DISPLAY: 'success',
  RESERVED: 'warning',
  MINTED: 'info',
}
const statusOptions = Object.entries(statuses).map(([value, label]) => ({ value, label }))
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

type OpenDialog = { readonly kind: 'add' } | { readonly kind: 'edit' | 'remove'; readonly nft: LazyNft }

interface LazyNftsSectionProps {
  readonly nftAddress: string
  readonly chainId: string
}

/** The NFTs of a collection that buyers mint. */
export function LazyNftsSection({ nftAddress, chainId }: LazyNftsSectionProps): ReactNode {
  const mayChange = useMayChange()
  const [{ status }, setSearch] = useSearchState('status')
  const [dialog, setDialog] = useState<OpenDialog>()
  const actions = (
    <div className="row">
      <FilterSelect
        label="Status"
        value={status ?? ''}
        options={statusOptions}
        onChange={(value) => setSearch({ status: value })}
      />
      {mayChange && (
        <Button icon="plus" onClick={() => setDialog({ kind: 'add' })}>
          {lazyNftsTexts.add}
        </Button>
      )}
    </div>
  )
  return (
    <Section title={lazyNftsTexts.title} actions={actions}>
      <LazyNftList nftAddress={nftAddress} chainId={chainId} onOpen={setDialog} />
      <LazyNftDialog nftAddress={nftAddress} dialog={dialog} onClose={() => setDialog(undefined)} />
    </Section>
  )
}

interface LazyNftListProps extends LazyNftsSectionProps {
  readonly onOpen: (dialog: OpenDialog) => void
}

function LazyNftList({ nftAddress, chainId, onOpen }: LazyNftListProps): ReactNode {
  const mayChange = useMayChange()
  const [{ status, page, sort }, setSearch] = useSearchState('status', 'page', 'sort')
  const filters = { nftAddress, ...(status !== undefined && { status }) }
  const query = useList(lazyMinting.listNfts, filters, { pageNumber: readPageNumber(page), orderBy: sort })
  const columns: Columns<LazyNft> = {
    name: {
      label: 'Name',
      sort: true,
      cell: ({ name, imgUrl }) => <TitledPicture address={imgUrl}>{name}</TitledPicture>,
    },
    status: { label: 'Status', cell: (nft) => <LazyNftStatusBadge status={nft.status} /> },
    price: { label: 'Price', align: 'end', cell: (nft) => <LazyNftPrice nft={nft} chainId={chainId} /> },
    tokenId: 'Token id',
    createTime: { label: 'Added', sort: true },
  }
  return (
    <ListView
      label={lazyNftsTexts.title}
      query={query}
      columns={columns}
      getKey={({ id }) => id}
      empty={
        <EmptyState
          icon="nft"
          title="No NFTs to mint yet"
          advice="Add the NFTs that buyers can mint, or let buyers mint by quantity in the settings."
          adviceToRead="The NFTs that buyers can mint appear here. Buyers may mint by quantity, too."
        />
      }
      isFiltered={status !== undefined}
      onPage={(pageNumber) => setSearch({ page: String(pageNumber) })}
      sort={sort}
      onSort={(next) => setSearch({ sort: next })}
      {...(mayChange && { actions: (nft: LazyNft) => <LazyNftMenu nft={nft} onOpen={onOpen} /> })}
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

interface LazyNftMenuProps {
  readonly nft: LazyNft
  readonly onOpen: (dialog: OpenDialog) => void
}

/** The actions of an NFT. Once it is reserved or minted, nothing can change. */
function LazyNftMenu({ nft, onOpen }: LazyNftMenuProps): ReactNode {
  if (nft.status !== 'DISPLAY' && nft.status !== 'HIDDEN') return null
  return (
    <LazyMenu
      label={`Actions for ${nft.name}`}
      entries={[
        { key: 'edit', label: 'Edit', onSelect: () => onOpen({ kind: 'edit', nft }) },
        {
          key: 'remove',
          label: lazyNftsTexts.remove,
          isDangerous: true,
          onSelect: () => onOpen({ kind: 'remove', nft }),
        },
      ]}
    />
  )
}

interface LazyNftDialogProps {
  readonly nftAddress: string
  readonly dialog: OpenDialog | undefined
  readonly onClose: () => void
}

function LazyNftDialog({ nftAddress, dialog, onClose }: LazyNftDialogProps): ReactNode {
  const finish = (message: string) => {
    showToast(message)
    onClose()
  }
  switch (dialog?.kind) {
    case 'add':
      return (
        <Dialog title={lazyNftsTexts.add} isOpen onClose={onClose} isDismissable={false}>
          <OperationForm
            operation={lazyMinting.addNft}
            fields={fields}
            fixed={{ nftAddress }}
            initial={{ status: 'DISPLAY' }}
            action={lazyNftsTexts.add}
            onDone={({ name }) => finish(`${name} is added`)}
            onCancel={onClose}
          />
        </Dialog>
      )
    case 'edit':
      return (
        <Dialog title={`Edit ${dialog.nft.name}`} isOpen onClose={onClose} isDismissable={false}>
          <OperationForm
            operation={lazyMinting.updateNft}
            fields={fields}
            fixed={{ id: dialog.nft.id }}
            initial={dialog.nft}
            action={componentTexts.save}
            onDone={({ name }) => finish(`${name} is saved`)}
            onCancel={onClose}
          />
        </Dialog>
      )
    case 'remove':
      return <RemoveLazyNftDialog nft={dialog.nft} onClose={onClose} />
    default:
      return null
  }
}

function RemoveLazyNftDialog({
  nft: { id, name },
  onClose,
}: {
  readonly nft: LazyNft
  readonly onClose: () => void
}): ReactNode {
  const remove = useWrite(lazyMinting.removeNft)
  const onConfirm = () =>
    remove.mutate(
      { id },
      {
        onSuccess: () => {
          showToast(`${name} is removed`)
          onClose()
        },
      },
    )
  return (
    <ConfirmDialog
      title={`Remove ${name}?`}
      action={lazyNftsTexts.remove}
      isOpen
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <p>This cannot be undone. An NFT that is reserved or minted cannot be removed.</p>
    </ConfirmDialog>
  )
}
