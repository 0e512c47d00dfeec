import type { Mint } from '@mintmark/contracts'
import type { ReactNode } from 'react'
import { Section } from '../../components/detail-list.tsx'
import { FeedTable } from '../../components/feed-table.tsx'
import { listMintColumns } from '../../components/minting/mint-table.tsx'

interface MintsSectionProps {
  readonly nftAddress: string
  readonly chainId: string
}

/**
 * The signed mints of a collection with their outcomes. The gateway has no list of them, so they are read
 * from the events.
 */
export function MintsSection({ nftAddress, chainId }: MintsSectionProps): ReactNode {
  return (
    <Section title="Mints">
      <FeedTable<Mint>
        feed={{ group: 'lazyMinting', types: 'mint.*' }}
        select={(mints) => mints.filter((mint) => mint.nftAddress === nftAddress)}
        label="Mints"
        columns={listMintColumns(chainId)}
        getKey={({ id }) => id}
        empty={{
          icon: 'minting',
          title: 'No mints yet',
          advice: 'When a buyer gets permission to mint, it appears here.',
        }}
        note="Here are the mints that changed within the time for which the gateway keeps events."
        truncated="The gateway has more events about mints than were read. Older mints may be missing."
      />
    </Section>
  )
}
