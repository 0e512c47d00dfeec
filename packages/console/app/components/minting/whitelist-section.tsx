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
import type { Column } from '../data-table.tsx'
import { Section } from '../detail-list.tsx'
import { FilterSelect } from '../filters.tsx'
import { ListView } from '../list-view.tsx'
import { EmptyState } from '../placeholders.tsx'
import { Time } from '../time.tsx'
import { showToast } from '../toast.tsx'
import { WalletLink } from '../wallet-link.tsx'
import { AddWalletsDialog } from './add-wallets-dialog.tsx'
import { type MintingProgram, mintingPrograms } from './programs.ts'

const { columns: headers } = whitelistTexts

const columns: readonly Column<WhitelistEntry>[] = [
  { key: 'wallet', header: headers.wallet, cell: ({ address }) => <WalletLink address={address} /> },
  {
    key: 'limit',
    header: headers.limit,
    cell: ({ limit }) => (limit === '0' ? <span className="faint">{whitelistTexts.phaseLimit}</span> : limit),
  },
  { key: 'phase', header: headers.phase, cell: ({ phase }) => phase },
  { key: 'added', header: headers.added, cell: ({ createTime }) => <Time value={createTime} /> },
]

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
        <EmptyState icon="people" {...whitelistTexts.noPhase} />
      </Section>
    )
  }
  const actions = (
    <div className="row">
      <FilterSelect
        label={whitelistTexts.phase}
        value={phase}
        hasAll={false}
        options={phases.map(({ name }) => ({ value: name, label: name }))}
        onChange={(value) => setSearch({ phase: value })}
      />
      {mayChange && (
        <Button icon="plus" onClick={() => setIsAdding(true)}>
          {whitelistTexts.add}
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
            showToast(whitelistTexts.added(formatQuantity(count, whitelistTexts.wallets), phase))
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
        empty={<EmptyState icon="people" {...whitelistTexts.empty} />}
        onPage={(pageNumber) => setSearch({ page: String(pageNumber) })}
        {...(mayChange && {
          actions: (entry: WhitelistEntry) => (
            <IconButton
              icon="close"
              label={whitelistTexts.removeName(entry.address)}
              onClick={() => setRemoved(entry)}
            />
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
          showToast(whitelistTexts.removed)
          onClose()
        },
      },
    )
  return (
    <ConfirmDialog
      title={whitelistTexts.removeTitle(shortenIdentifier(address))}
      action={whitelistTexts.remove}
      isOpen
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <p>{whitelistTexts.removeWarning(phase)}</p>
    </ConfirmDialog>
  )
}
