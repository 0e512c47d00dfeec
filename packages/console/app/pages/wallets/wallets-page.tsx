import type { WalletInfo } from '@mintmark/wallet'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useFeedRecords } from '../../api/feed-records.ts'
import { type Columns, DataTable } from '../../components/data-table.tsx'
import { SearchField, Toolbar } from '../../components/filters.tsx'
import { Notice } from '../../components/notice.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { EmptyState } from '../../components/placeholders.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { TitledPicture } from '../../components/titled-picture.tsx'
import { usePageOf } from '../../components/use-page-of.tsx'
import { WalletLink } from '../../components/wallet-link.tsx'
import { isWalletAddress } from '../../format/identifier.ts'
import { ProjectLink } from '../../navigation/project-link.tsx'
import { useProject } from '../../session/project-context.tsx'
import { walletsTexts } from '../../texts/wallets.ts'

const columns: Columns<WalletInfo> = {
  name: {
    label: 'Name',
    cell: ({ name, address, profilePhoto }) => (
      <TitledPicture address={profilePhoto}>
        <ProjectLink to={`wallets/${address}`} className="row-link">
          {name || 'No name'}
        </ProjectLink>
      </TitledPicture>
    ),
  },
  address: { label: 'Address', cell: ({ address }) => <WalletLink address={address} /> },
  description: 'About',
}

/** The wallets with a profile, and opening any wallet by its address. */
export function WalletsPage(): ReactNode {
  const { projectId, projectName, wallet } = useProject()
  const navigate = useNavigate()
  const [isWrong, setIsWrong] = useState(false)
  const open = (text: string) => {
    setIsWrong(text !== '' && !isWalletAddress(text))
    if (isWalletAddress(text)) void navigate({ to: `/p/${projectId}/wallets/${text.toLowerCase()}` })
  }
  const own = wallet !== '' && (
    <ProjectLink to={`wallets/${wallet}`} className="button button-secondary">
      Your wallet
    </ProjectLink>
  )
  return (
    <>
      <PageHeader
        title={walletsTexts.title}
        context={projectName}
        description="Profiles of wallets, their address books, followers and messages. Here are the profiles that changed within the time for which the gateway keeps events."
        actions={own}
      />
      <Toolbar isFiltered={false} onClear={() => setIsWrong(false)}>
        <SearchField label="Open a wallet by its address" value="" onSearch={open} />
      </Toolbar>
      <div className="stack">
        {isWrong && <Notice tone="warning" {...walletsTexts.notAnAddress} />}
        <ProfileList />
      </div>
    </>
  )
}

function ProfileList(): ReactNode {
  const query = useFeedRecords({ group: 'walletInfo', types: 'wallet.*' })
  // The types are those of events whose data is a profile.
  const list = (query.data?.list ?? []).map(({ data }) => data as WalletInfo)
  const { items, pagination } = usePageOf(list)
  return (
    <QueryView query={query}>
      {({ hasMore }) => (
        <div>
          {list.length === 0 ? (
            <EmptyState
              icon="wallet"
              title="No profiles yet"
              advice="Enter the address of a wallet above. Its profile can be added on its page."
              adviceToRead="Enter the address of a wallet above to see its page."
            />
          ) : (
            <DataTable
              label={walletsTexts.title}
              columns={columns}
              rows={items}
              getKey={({ address }) => address}
            />
          )}
          {pagination}
          {hasMore && (
            <p className="muted">
              The gateway has more events about wallets than were read. Open others by their address.
            </p>
          )}
        </div>
      )}
    </QueryView>
  )
}
