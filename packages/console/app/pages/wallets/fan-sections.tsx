import { fans } from '@mintmark/wallet'
import type { ReactNode } from 'react'
import { WalletLink } from '../../components/links.tsx'
import { ResourceSection } from '../../components/resource.tsx'

/** The wallets that follow a wallet. */
export function Followers({ address }: { readonly address: string }): ReactNode {
  return (
    <ResourceSection
      operation={fans.list}
      input={{ address }}
      title="Followers"
      columns={{
        fan: { label: 'Wallet', cell: ({ fan, fanName }) => <WalletLink address={fan} name={fanName} /> },
        createTime: 'Since',
      }}
      picture={({ fanPhoto }) => fanPhoto}
      empty={{
        icon: 'people',
        title: 'No followers yet',
        advice: 'Wallets that follow this wallet appear here.',
      }}
    />
  )
}

/** The wallets that a wallet follows. */
export function Following({ address }: { readonly address: string }): ReactNode {
  return (
    <ResourceSection
      operation={fans.following}
      input={{ address }}
      title="Following"
      columns={{
        address: { label: 'Wallet', cell: (fan) => <WalletLink address={fan.address} name={fan.name} /> },
        createTime: 'Since',
      }}
      picture={({ photo }) => photo}
      empty={{
        icon: 'people',
        title: 'This wallet follows nobody',
        advice: 'Wallets that it follows appear here.',
      }}
    />
  )
}
