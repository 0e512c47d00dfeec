import type { WalletInfo } from '@mintmark/wallet'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useFeedRecords } from '../../api/feed-records.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
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

const { columns: headers } = walletsTexts

const columns: readonly Column<WalletInfo>[] = [
  {
    key: 'name',
    header: headers.name,
    cell: ({ name, address, profilePhoto }) => (
      <TitledPicture address={profilePhoto}>
        <ProjectLink to={`wallets/${address}`} className="row-link">
          {name || walletsTexts.noName}
        </ProjectLink>
      </TitledPicture>
    ),
  },
  { key: 'address', header: headers.address, cell: ({ address }) => <WalletLink address={address} /> },
  { key: 'description', header: headers.description, cell: ({ description }) => description },
]

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
      {walletsTexts.own}
    </ProjectLink>
  )
  return (
    <>
      <PageHeader
        title={walletsTexts.title}
        context={projectName}
        description={walletsTexts.description}
        actions={own}
      />
      <Toolbar isFiltered={false} onClear={() => setIsWrong(false)}>
        <SearchField label={walletsTexts.search} value="" onSearch={open} />
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
            <EmptyState icon="wallet" {...walletsTexts.empty} />
          ) : (
            <DataTable
              label={walletsTexts.title}
              columns={columns}
              rows={items}
              getKey={({ address }) => address}
            />
          )}
          {pagination}
          {hasMore && <p className="muted">{walletsTexts.truncated}</p>}
        </div>
      )}
    </QueryView>
  )
}
