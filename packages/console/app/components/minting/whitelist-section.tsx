import type { Presale, WhitelistEntry } from '@mintmark/contracts'
import { type ReactNode, useState } from 'react'
import { useList } from '../../api/lists.ts'
import { useWrite } from '../../api/operations.ts'
import { shortenIdentifier } from '../../format/identifier.ts'
import { formatQuantity } from '../../format/number.ts'
import { readPageNumber } from '../../navigation/search-params.ts'
import { useSearchState } from '../../navigation/use-address.ts'
import { useMayChange } from '../../session/project-context.tsx'
import { whitelistTexts } from '../../texts/minting.ts'
import { Button, IconButton } from '../button.tsx'
import { ConfirmDialog } from '../confirm-dialog.tsx'
import type { Columns } from '../data-table.tsx'
import { Section } from '../detail-list.tsx'
import { FilterSelect } from '../filters.tsx'
import { ListView } from '../list-view.tsx'
import { EmptyState } from '../placeholders.tsx'
import { showToast } from '../toast.tsx'
import { WalletLink } from '../wallet-link.tsx'
import { AddWalletsDialog } from './add-wallets-dialog.tsx'
import { type MintingProgram, mintingPrograms } from './programs.ts'

const columns: Columns<WhitelistEntry> = {
  address: { label: 'Wallet', cell: ({ address }) => <WalletLink address={address} /> },
  limit: {
    label: 'Limit',
    cell: ({ limit }) => (limit === '0' ? <span className="faint">As in the phase</span> : limit),
  },
  phase: 'Phase',
  createTime: 'Added',
}

interface WhitelistSectionProps {
  readonly program: MintingProgram
  readonly presale: Presale
}

/** The wallets that may mint in the phases of a presale. */
export function WhitelistSection({ program, presale }: WhitelistSectionProps): ReactNode {
  const { nftAddress, phases, active } = presale
  const mayChange = useMayChange()
  const [isAdding, setIsAdding] = useState(false)
  const [{ phase = active || phases[0]?.name }, setSearch] = useSearchState('phase')
  if (phase === undefined) {
    return (
      <Section title={whitelistTexts.title}>
        <EmptyState
          icon="people"
          title="No phases yet"
          advice="A whitelist belongs to a phase. Add a phase first."
          adviceToRead="A whitelist belongs to a phase."
        />
      </Section>
    )
  }
  const actions = (
    <div className="row">
      <FilterSelect
        label="Phase"
        value={phase}
        hasAll={false}
        options={phases.map(({ name }) => ({ value: name, label: name }))}
        onChange={(value) => setSearch({ phase: value })}
      />
      {mayChange && (
        <Button icon="plus" onClick={() => setIsAdding(true)}>
          Add wallets
        </Button>
      )}
    </div>
  )
  return (
    <Section title={whitelistTexts.title} actions={actions}>
      <WhitelistTable program={program} nftAddress={nftAddress} phase={phase} />
      {isAdding && (
        <AddWalletsDialog
          program={program}
          nftAddress={nftAddress}
          phase={phase}
          onClose={() => setIsAdding(false)}
          onAdded={(count) => {
            showToast(`${formatQuantity(count, whitelistTexts.wallets)} added to ${phase}`)
            setIsAdding(false)
          }}
        />
      )}
    </Section>
  )
}

interface WhitelistTableProps {
  readonly program: MintingProgram
  readonly nftAddress: string
  readonly phase: string
}

function WhitelistTable({ program, nftAddress, phase }: WhitelistTableProps): ReactNode {
  const mayChange = useMayChange()
  const [{ page }, setSearch] = useSearchState('page')
  const [removed, setRemoved] = useState<WhitelistEntry>()
  const query = useList(
    mintingPrograms[program].whitelist,
    { nftAddress, phase },
    { pageNumber: readPageNumber(page) },
  )
  return (
    <>
      <ListView
        label={whitelistTexts.title}
        query={query}
        columns={columns}
        getKey={({ id }) => id}
        empty={
          <EmptyState
            icon="people"
            title="No wallets on the whitelist"
            advice="In a phase for wallets on the whitelist, nobody can mint until you add wallets."
            adviceToRead="In a phase for wallets on the whitelist, nobody can mint at present."
          />
        }
        onPage={(pageNumber) => setSearch({ page: String(pageNumber) })}
        {...(mayChange && {
          actions: (entry: WhitelistEntry) => (
            <IconButton icon="close" label={`Remove ${entry.address}`} onClick={() => setRemoved(entry)} />
          ),
        })}
      />
      {removed !== undefined && (
        <RemoveEntryDialog
          program={program}
          nftAddress={nftAddress}
          entry={removed}
          onClose={() => setRemoved(undefined)}
        />
      )}
    </>
  )
}

interface RemoveEntryDialogProps {
  readonly program: MintingProgram
  readonly nftAddress: string
  readonly entry: WhitelistEntry
  readonly onClose: () => void
}

function RemoveEntryDialog({ program, nftAddress, entry, onClose }: RemoveEntryDialogProps): ReactNode {
  const { address, phase } = entry
  const remove = useWrite(mintingPrograms[program].removeFromWhitelist)
  const onConfirm = () =>
    remove.mutate(
      { nftAddress, phase, address },
      {
        onSuccess: () => {
          showToast('The wallet is removed from the whitelist')
          onClose()
        },
      },
    )
  return (
    <ConfirmDialog
      title={`Remove ${shortenIdentifier(address)} from the whitelist?`}
      action="Remove"
      isOpen
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <p>{`The wallet can no longer mint in phase ${phase}. You can add it again.`}</p>
    </ConfirmDialog>
  )
}
