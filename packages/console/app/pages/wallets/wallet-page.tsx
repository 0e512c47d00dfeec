import { walletInfo } from '@mintmark/wallet'
import type { ReactNode } from 'react'
import { useOperation } from '../../api/operations.ts'
import { CopiedText } from '../../components/copy-button.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { EmptyState } from '../../components/placeholders.tsx'
import { ViewTabs } from '../../components/view-tabs.tsx'
import { isWalletAddress, shortenIdentifier } from '../../format/identifier.ts'
import { t } from '../../language/translate.ts'
import { ProjectLink } from '../../navigation/project-link.tsx'
import { usePathParam } from '../../navigation/use-address.ts'
import { walletsTexts } from '../../texts/wallets.ts'
import { AddressBookSection } from './address-book-section.tsx'
import { Followers, Following } from './fan-sections.tsx'
import { MessagesSection } from './messages-section.tsx'
import { ProfileSection } from './profile-section.tsx'

/** A wallet: its profile, address book, followers and messages. */
export function WalletPage(): ReactNode {
  const address = usePathParam('address').toLowerCase()
  const isAddress = isWalletAddress(address)
  const { data } = useOperation(walletInfo.get, { address }, { enabled: isAddress })
  const name = data === undefined || data.name === '' ? shortenIdentifier(address) : data.name
  return (
    <>
      <PageHeader
        title={t('Wallet {name}', { name })}
        list={{ to: 'wallets', title: walletsTexts.title }}
        description={<CopiedText text={address} />}
        actions={
          <ProjectLink to="nfts" search={{ owner: address }} className="button button-secondary">
            {t('Tokens of this wallet')}
          </ProjectLink>
        }
      />
      {isAddress ? (
        <ViewTabs
          label={t('Parts of the wallet')}
          to={`wallets/${address}`}
          views={{
            profile: [t('Profile'), <ProfileSection key="profile" address={address} />],
            book: [t('Address book'), <AddressBookSection key="book" owner={address} />],
            followers: [t('Followers'), <Followers key="followers" address={address} />],
            following: [t('Following'), <Following key="following" address={address} />],
            messages: [t('Messages'), <MessagesSection key="messages" address={address} />],
          }}
        />
      ) : (
        <EmptyState icon="wallet" {...walletsTexts.notAnAddress} />
      )}
    </>
  )
}
