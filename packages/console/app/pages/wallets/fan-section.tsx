import { fans } from '@mintmark/wallet'
import type { ReactNode } from 'react'
import { ResourceSection } from '../../components/resource.tsx'
import { WalletLink } from '../../components/wallet-link.tsx'

interface FanSectionProps {
  readonly address: string
  /** The wallets that follow this one, or those that it follows. */
  readonly side: 'followers' | 'following'
}

/** The wallets that follow a wallet, or that it follows. */
export function FanSection({ address, side }: FanSectionProps): ReactNode {
  if (side === 'followers') {
    return (
      <ResourceSection
        operation={fans.list}
        input={{ address }}
        title="Followers"
        columns={{
          fan: { label: 'Wallet', cell: ({ fan, fanName }) => <WalletLink address={fan} name={fanName} /> },
          createTime: 'Since',
        }}
        getKey={({ id }) => id}
        picture={({ fanPhoto }) => fanPhoto}
        empty={{
          icon: 'people',
          title: 'No followers yet',
          advice: 'Wallets that follow this wallet appear here.',
        }}
      />
    )
  }
  return (
    <ResourceSection
      operation={fans.following}
      input={{ address }}
      title="Following"
      columns={{
        address: { label: 'Wallet', cell: (fan) => <WalletLink address={fan.address} name={fan.name} /> },
        createTime: 'Since',
      }}
      getKey={({ id }) => id}
      picture={({ photo }) => photo}
      empty={{
        icon: 'people',
        title: 'This wallet follows nobody',
        advice: 'Wallets that it follows appear here.',
      }}
    />
  )
}
