import { fans } from '@mintmark/wallet'
import type { ReactNode } from 'react'
import { WalletLink } from '../../components/links.tsx'
import { ResourceSection } from '../../components/resource.tsx'
import { t } from '../../language/translate.ts'

/** The wallets that follow a wallet. */
export function Followers({ address }: { readonly address: string }): ReactNode {
  return (
    <ResourceSection
      operation={fans.list}
      input={{ address }}
      title={t('Followers')}
      columns={{
        fan: { label: t('Wallet'), cell: ({ fan, fanName }) => <WalletLink address={fan} name={fanName} /> },
        createTime: t('Since'),
      }}
      picture={({ fanPhoto }) => fanPhoto}
      empty={{
        icon: 'people',
        title: t('No followers yet'),
        advice: t('Wallets that follow this wallet appear here.'),
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
      title={t('Following')}
      columns={{
        address: { label: t('Wallet'), cell: (fan) => <WalletLink address={fan.address} name={fan.name} /> },
        createTime: t('Since'),
      }}
      picture={({ photo }) => photo}
      empty={{
        icon: 'people',
        title: t('This wallet follows nobody'),
        advice: t('Wallets that it follows appear here.'),
      }}
    />
  )
}
