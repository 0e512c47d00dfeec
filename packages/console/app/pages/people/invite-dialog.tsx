import { type Invitation, people, Role } from '@mintmark/admin'
import type { ReactNode } from 'react'
import { Dialog } from '../../components/dialog.tsx'
import { OperationForm } from '../../form/operation-form.tsx'
import { peopleTexts } from '../../texts/people.ts'
import { roleOptions } from './role-options.ts'

const { fields } = peopleTexts

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
          email: { kind: 'email', isRequired: true, label: 'Email address' },
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
