import { isMintmarkError } from '@mintmark/envelope'
import { type WalletInfo, walletInfo } from '@mintmark/wallet'
import type { ReactNode } from 'react'
import { useOperation } from '../../api/operations.ts'
import { ActionButtons } from '../../components/actions.tsx'
import { DetailList, Section } from '../../components/detail-list.tsx'
import { openForm } from '../../components/dialogs.tsx'
import { Empty } from '../../components/empty.tsx'
import { TextLink } from '../../components/links.tsx'
import { Picture } from '../../components/picture.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { t } from '../../language/translate.ts'
import { profileTexts } from '../../texts/wallets.ts'

const { fields: texts } = profileTexts
const sendsEmpty = true

const fields = {
  name: { kind: 'text', sendsEmpty, ...texts.name },
  email: { kind: 'email', sendsEmpty, ...texts.email },
  description: { kind: 'multiline', sendsEmpty, ...texts.description },
  profilePhoto: {
    kind: 'url',
    sendsEmpty,
    label: t('Photo'),
    description: t('An address that begins with https://.'),
  },
  background: { kind: 'url', sendsEmpty, ...texts.background },
  showcaseBackground: { kind: 'url', sendsEmpty, ...texts.showcaseBackground },
} as const

interface ProfileSectionProps {
  readonly address: string
}

/** The profile of a wallet, or adding one. */
export function ProfileSection({ address }: ProfileSectionProps): ReactNode {
  const query = useOperation(walletInfo.get, { address })
  const { error } = query
  if (isMintmarkError(error) && error.kind === 'NotFound') return <MissingProfile address={address} />
  return <QueryView query={query}>{(info) => <Profile info={info} />}</QueryView>
}

const addProfile = (address: string) =>
  openForm({
    operation: walletInfo.add,
    fields,
    fixed: { address },
    title: t('Add profile'),
    done: t('The profile is saved'),
  })

function MissingProfile({ address }: ProfileSectionProps): ReactNode {
  return (
    <Empty
      icon="wallet"
      title={t('This wallet has no profile')}
      advice={t('Add one to show a name instead of the address.')}
      adviceToRead={t('The console shows its address instead of a name.')}
      action={{ label: t('Add profile'), kind: 'primary', icon: 'plus', onSelect: () => addProfile(address) }}
    />
  )
}

const editProfile = (info: WalletInfo) =>
  openForm({
    operation: walletInfo.edit,
    fields,
    fixed: { address: info.address },
    initial: info,
    title: t('Edit profile'),
    action: t('Save'),
    done: t('The profile is saved'),
  })

function Profile({ info }: { readonly info: WalletInfo }): ReactNode {
  const { name, email, description, profilePhoto, background, showcaseBackground } = info
  const edit = { label: t('Edit profile'), onSelect: () => editProfile(info) }
  return (
    <Section title={t('Profile')} actions={<ActionButtons actions={[edit]} />}>
      <div className="record-head">
        <Picture address={profilePhoto} label={t('Photo of {name}', { name })} size="large" />
        <DetailList
          details={{
            [texts.name.label]: name,
            [texts.email.label]: email,
            [texts.description.label]: description,
            [texts.background.label]: <TextLink address={background} />,
            [texts.showcaseBackground.label]: <TextLink address={showcaseBackground} />,
          }}
        />
      </div>
    </Section>
  )
}
