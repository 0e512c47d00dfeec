import type { WalletInfo } from '@mintmark/wallet'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { FeedTable } from '../../components/feed-table.tsx'
import { SearchField, Toolbar } from '../../components/filters.tsx'
import { WalletLink } from '../../components/links.tsx'
import { Notice } from '../../components/notice.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { isWalletAddress } from '../../format/identifier.ts'
import { t } from '../../language/translate.ts'
import { ProjectLink } from '../../navigation/project-link.tsx'
import { useProject } from '../../session/project-context.tsx'
import { walletsTexts } from '../../texts/wallets.ts'

/** The wallets with a profile, and opening any wallet by its address. */
export function WalletsPage(): ReactNode {
  const { projectId, wallet } = useProject()
  const navigate = useNavigate()
  const [isWrong, setIsWrong] = useState(false)
  const open = (text: string) => {
    setIsWrong(text !== '' && !isWalletAddress(text))
    if (isWalletAddress(text)) void navigate({ to: `/p/${projectId}/wallets/${text.toLowerCase()}` })
  }
  const own = wallet !== '' && (
    <ProjectLink to={`wallets/${wallet}`} className="button button-secondary">
      {t('Your wallet')}
    </ProjectLink>
  )
  return (
    <>
      <PageHeader
        title={walletsTexts.title}
        description={t(
          'Profiles of wallets, their address books, followers and messages. Here are the profiles that changed within the time for which the gateway keeps events.',
        )}
        actions={own}
      />
      <Toolbar isFiltered={false} onClear={() => setIsWrong(false)}>
        <SearchField label={t('Open a wallet by its address')} value="" onSearch={open} />
      </Toolbar>
      <div className="stack">
        {isWrong && <Notice tone="warning" {...walletsTexts.notAnAddress} />}
        <ProfileList />
      </div>
    </>
  )
}

function ProfileList(): ReactNode {
  return (
    <FeedTable<WalletInfo>
      feed={{ group: 'walletInfo', types: 'wallet.*' }}
      label={t('Wallets')}
      columns={{
        name: { label: t('Name'), cell: ({ name }) => name || t('No name') },
        address: { label: t('Address'), cell: ({ address }) => <WalletLink address={address} /> },
        description: t('About'),
      }}
      getKey={({ address }) => address}
      link={({ address }) => `wallets/${address}`}
      picture={({ profilePhoto }) => profilePhoto}
      empty={{
        icon: 'wallet',
        title: t('No profiles yet'),
        advice: t('Enter the address of a wallet above. Its profile can be added on its page.'),
        adviceToRead: t('Enter the address of a wallet above to see its page.'),
      }}
      truncated={t('The gateway has more events about wallets than were read. Open others by their address.')}
    />
  )
}
