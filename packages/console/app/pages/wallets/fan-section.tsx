import { type Fan, fans } from '@mintmark/wallet'
import type { ReactNode } from 'react'
import { useList } from '../../api/lists.ts'
import type { Column } from '../../components/data-table.tsx'
import { Section } from '../../components/detail-list.tsx'
import { ListView } from '../../components/list-view.tsx'
import { EmptyState } from '../../components/placeholders.tsx'
import { Time } from '../../components/time.tsx'
import { TitledPicture } from '../../components/titled-picture.tsx'
import { WalletLink } from '../../components/wallet-link.tsx'
import { readPageNumber } from '../../navigation/search-params.ts'
import { useSearchState } from '../../navigation/use-address.ts'
import { fansTexts } from '../../texts/wallets.ts'

const { columns: headers } = fansTexts
const since: Column<Fan> = {
  key: 'since',
  header: headers.since,
  cell: ({ createTime }) => <Time value={createTime} />,
}

const columnsBySide: Readonly<Record<FanSectionProps['side'], readonly Column<Fan>[]>> = {
  followers: [
    {
      key: 'wallet',
      header: headers.wallet,
      cell: ({ fan, fanName, fanPhoto }) => (
        <TitledPicture address={fanPhoto}>
          <WalletLink address={fan} name={fanName} />
        </TitledPicture>
      ),
    },
    since,
  ],
  following: [
    {
      key: 'wallet',
      header: headers.wallet,
      cell: ({ address, name, photo }) => (
        <TitledPicture address={photo}>
          <WalletLink address={address} name={name} />
        </TitledPicture>
      ),
    },
    since,
  ],
}

interface FanSectionProps {
  readonly address: string
  /** The wallets that follow this one, or those that it follows. */
  readonly side: 'followers' | 'following'
}

/** The wallets that follow a wallet, or that it follows. */
export function FanSection({ address, side }: FanSectionProps): ReactNode {
  const [{ page }, setSearch] = useSearchState('page')
  const operation = side === 'followers' ? fans.list : fans.following
  const query = useList(operation, { address }, { pageNumber: readPageNumber(page) })
  const { title, empty } = fansTexts[side]
  return (
    <Section title={title}>
      <ListView
        label={title}
        query={query}
        columns={columnsBySide[side]}
        getKey={({ id }) => id}
        empty={<EmptyState icon="people" {...empty} />}
        onPage={(pageNumber) => setSearch({ page: String(pageNumber) })}
      />
    </Section>
  )
}
