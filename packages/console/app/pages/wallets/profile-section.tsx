import { isMintmarkError } from '@mintmark/envelope'
import { type WalletInfo, walletInfo } from '@mintmark/wallet'
import { type ReactNode, useState } from 'react'
import { useOperation } from '../../api/operations.ts'
import { Button } from '../../components/button.tsx'
import { DetailList, Section } from '../../components/detail-list.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Picture } from '../../components/picture.tsx'
import { EmptyState } from '../../components/placeholders.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { showToast } from '../../components/toast.tsx'
import { OperationForm } from '../../form/operation-form.tsx'
import { useMayChange } from '../../session/project-context.tsx'
import { componentTexts } from '../../texts/shell.ts'
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
    label: 'Photo',
    description: 'An address that begins with https://.',
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

function MissingProfile({ address }: ProfileSectionProps): ReactNode {
  const mayChange = useMayChange()
  const [isAdding, setIsAdding] = useState(false)
  const add = mayChange && (
    <Button kind="primary" icon="plus" onClick={() => setIsAdding(true)}>
      {profileTexts.add}
    </Button>
  )
  return (
    <>
      <EmptyState
        icon="wallet"
        title="This wallet has no profile"
        advice="Add one to show a name instead of the address."
        adviceToRead="The console shows its address instead of a name."
        action={add}
      />
      {isAdding && (
        <Dialog title={profileTexts.add} isOpen onClose={() => setIsAdding(false)} isDismissable={false}>
          <OperationForm
            operation={walletInfo.add}
            fields={fields}
            fixed={{ address }}
            action={profileTexts.add}
            onDone={() => {
              showToast(profileTexts.saved)
              setIsAdding(false)
            }}
            onCancel={() => setIsAdding(false)}
          />
        </Dialog>
      )}
    </>
  )
}

interface ProfileProps {
  readonly info: WalletInfo
}

function Profile({ info }: ProfileProps): ReactNode {
  const mayChange = useMayChange()
  const [isEditing, setIsEditing] = useState(false)
  const { address, name, email, description, profilePhoto, background, showcaseBackground } = info
  const edit = mayChange && <Button onClick={() => setIsEditing(true)}>{profileTexts.edit}</Button>
  return (
    <Section title="Profile" actions={edit}>
      <div className="record-head">
        <Picture address={profilePhoto} label={`Photo of ${name}`} size="large" />
        <DetailList
          details={[
            { label: texts.name.label, value: name },
            { label: texts.email.label, value: email },
            { label: texts.description.label, value: description },
            { label: texts.background.label, value: <TextLink address={background} /> },
            { label: texts.showcaseBackground.label, value: <TextLink address={showcaseBackground} /> },
          ]}
        />
      </div>
      {isEditing && (
        <Dialog title={profileTexts.edit} isOpen onClose={() => setIsEditing(false)} isDismissable={false}>
          <OperationForm
            operation={walletInfo.edit}
            fields={fields}
            fixed={{ address }}
            initial={info}
            action={componentTexts.save}
            onDone={() => {
              showToast(profileTexts.saved)
              setIsEditing(false)
            }}
            onCancel={() => setIsEditing(false)}
          />
        </Dialog>
      )}
    </Section>
  )
}
