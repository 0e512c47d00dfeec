import { walletInfo } from '@mintmark/wallet'
import type { ReactNode } from 'react'
import { useOperation } from '../../api/operations.ts'
import { BackLink } from '../../components/back-link.tsx'
import { CopiedText } from '../../components/copy-button.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { EmptyState } from '../../components/placeholders.tsx'
import { TabLinks } from '../../components/tab-links.tsx'
import { isWalletAddress, shortenIdentifier } from '../../format/identifier.ts'
import { ProjectLink } from '../../navigation/project-link.tsx'
import { usePathParam, useSearchState } from '../../navigation/use-address.ts'
import { useProject } from '../../session/project-context.tsx'
import { walletsTexts } from '../../texts/wallets.ts'
import { AddressBookSection } from './address-book-section.tsx'
import { FanSection } from './fan-section.tsx'
import { MessagesSection } from './messages-section.tsx'
import { ProfileSection } from './profile-section.tsx'

const { views } = walletsTexts
const viewNames = ['profile', 'book', 'followers', 'following', 'messages'] as const
type ViewName = (typeof viewNames)[number]

/** A wallet: its profile, address book, followers and messages. */
export function WalletPage(): ReactNode {
  const address = usePathParam('address').toLowerCase()
  const { projectName } = useProject()
  const isAddress = isWalletAddress(address)
  const { data } = useOperation(walletInfo.get, { address }, { enabled: isAddress })
  const name = data === undefined || data.name === '' ? shortenIdentifier(address) : data.name
  return (
    <>
      <PageHeader
        title={`Wallet ${name}`}
        context={projectName}
        above={<BackLink to="wallets">{walletsTexts.title}</BackLink>}
        description={<CopiedText text={address} />}
        actions={
          <ProjectLink to="nfts" search={{ owner: address }} className="button button-secondary">
            Tokens of this wallet
          </ProjectLink>
        }
      />
      {isAddress ? (
        <WalletViews address={address} />
      ) : (
        <EmptyState icon="wallet" {...walletsTexts.notAnAddress} />
      )}
    </>
  )
}

interface WalletProps {
  readonly address: string
}

function WalletViews({ address }: WalletProps): ReactNode {
  const [search] = useSearchState('view')
  const view = viewNames.find((name) => name === search.view) ?? 'profile'
  return (
    <>
      <div className="section-tabs">
        <TabLinks
          label={views.label}
          tabs={viewNames.map((name) => ({
            key: name,
            isCurrent: name === view,
            link: (
              <ProjectLink to={`wallets/${address}`} search={{ view: name }}>
                {views[name]}
              </ProjectLink>
            ),
          }))}
        />
      </div>
      <View view={view} address={address} />
    </>
  )
}

function View({ view, address }: WalletProps & { readonly view: ViewName }): ReactNode {
  switch (view) {
    case 'book':
      return <AddressBookSection owner={address} />
    case 'followers':
    case 'following':
      return <FanSection key={view} address={address} side={view} />
    case 'messages':
      return <MessagesSection address={address} />
    default:
      return <ProfileSection address={address} />
  }
}
