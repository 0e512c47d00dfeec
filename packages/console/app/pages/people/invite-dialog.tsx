import { type Invitation, people, Role } from '@mintmark/admin'
import type { ReactNode } from 'react'
import { Button } from '../../components/button.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Notice } from '../../components/notice.tsx'
import { OperationForm } from '../../form/operation-form.tsx'
import { peopleTexts } from '../../texts/people.ts'
import { roleOptions } from './role-options.ts'

const { fields, link } = peopleTexts

interface InviteDialogProps {
  readonly onInvited: (invitation: Invitation) => void
  readonly onClose: () => void
}

/** Invites a person. */
export function InviteDialog({ onInvited, onClose }: InviteDialogProps): ReactNode {
  return (
    <Dialog title={peopleTexts.invite} isOpen onClose={onClose} isDismissable={false}>
      <OperationForm
        operation={people.invite}
        fields={{
          email: { kind: 'email', isRequired: true, ...fields.email },
          role: { kind: 'radio', isRequired: true, options: roleOptions, ...fields.role },
          wallet: { kind: 'address', ...fields.wallet },
        }}
        initial={{ role: Role.STAFF }}
        action={peopleTexts.invite}
        onDone={onInvited}
        onCancel={onClose}
      />
    </Dialog>
  )
}

interface LinkDialogProps {
  readonly invitation: Invitation
  readonly onClose: () => void
}

/** Shows the link of a new invitation, once. */
export function LinkDialog({ invitation, onClose }: LinkDialogProps): ReactNode {
  const { email, url = '' } = invitation
  return (
    <Dialog title={link.title(email)} isOpen onClose={onClose} isDismissable={false}>
      <Notice tone="warning" title={link.once} advice={link.advice} />
      <p className="row">
        <code className="break grow">{url}</code>
        <CopyButton text={url} label={link.copy} />
      </p>
      <div className="dialog-actions">
        <Button kind="primary" onClick={onClose}>
          {link.done}
        </Button>
      </div>
    </Dialog>
  )
}
