import type { Mint } from '@mintmark/contracts'
import type { ReactNode } from 'react'
import { useFeedRecords } from '../../api/feed-records.ts'
import { DataTable } from '../../components/data-table.tsx'
import { Section } from '../../components/detail-list.tsx'
import { listMintColumns } from '../../components/minting/mint-table.tsx'
import { EmptyState } from '../../components/placeholders.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { usePageOf } from '../../components/use-page-of.tsx'
import { mintsTexts } from '../../texts/minting.ts'

interface MintsSectionProps {
  readonly nftAddress: string
  readonly chainId: string
}

/**
 * The signed mints of a collection with their outcomes. The gateway has no list of them, so they are read
 * from the events.
 */
export function MintsSection({ nftAddress, chainId }: MintsSectionProps): ReactNode {
  const query = useFeedRecords({ group: 'lazyMinting', types: 'mint.*' })
  // The types are those of events whose data is a mint.
  const mints = (query.data?.list ?? []).map(({ data }) => data as Mint)
  const own = mints.filter((mint) => mint.nftAddress === nftAddress)
  const { items, pagination } = usePageOf(own)
  return (
    <Section title={mintsTexts.title}>
      <QueryView query={query}>
        {({ hasMore }) => (
          <>
            {own.length === 0 ? (
              <EmptyState icon="minting" {...mintsTexts.empty} />
            ) : (
              <DataTable
                label={mintsTexts.title}
                columns={listMintColumns(chainId)}
                rows={items}
                getKey={({ id }) => id}
              />
            )}
            {pagination}
            <p className="muted">
              {hasMore
                ? 'The gateway has more events about mints than were read. Older mints may be missing.'
                : 'Here are the mints that changed within the time for which the gateway keeps events.'}
            </p>
          </>
        )}
      </QueryView>
    </Section>
  )
}
