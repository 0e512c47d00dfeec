import { walletInfo } from '@mintmark/wallet'
import type { ReactNode } from 'react'
import { useOperation } from '../../api/operations.ts'
import { CopiedText } from '../../components/copy-button.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { EmptyState } from '../../components/placeholders.tsx'
import { ViewTabs } from '../../components/view-tabs.tsx'
import { isWalletAddress, shortenIdentifier } from '../../format/identifier.ts'
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
        title={`Wallet ${name}`}
        list={{ to: 'wallets', title: walletsTexts.title }}
        description={<CopiedText text={address} />}
        actions={
          <ProjectLink to="nfts" search={{ owner: address }} className="button button-secondary">
            Tokens of this wallet
          </ProjectLink>
        }
      />
      {isAddress ? (
        <ViewTabs
          label="Parts of the wallet"
          to={`wallets/${address}`}
          views={{
            profile: ['Profile', <ProfileSection key="profile" address={address} />],
            book: ['Address book', <AddressBookSection key="book" owner={address} />],
            followers: ['Followers', <Followers key="followers" address={address} />],
            following: ['Following', <Following key="following" address={address} />],
            messages: ['Messages', <MessagesSection key="messages" address={address} />],
          }}
        />
      ) : (
        <EmptyState icon="wallet" {...walletsTexts.notAnAddress} />
      )}
    </>
  )
}
