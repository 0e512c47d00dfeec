import { type Invitation, type OperatorProject, operatorProjects } from '@mintmark/admin'
import { type ReactNode, useState } from 'react'
import { Dialog } from '../../components/dialog.tsx'
import { InvitationLinkDialog } from '../../components/invitation-link-dialog.tsx'
import { OperationForm } from '../../form/operation-form.tsx'

interface InviteOwnerDialogProps {
  readonly project: OperatorProject
  readonly onClose: () => void
}

/** Invites the first owner of a project, then shows the link once. */
export function InviteOwnerDialog({ project, onClose }: InviteOwnerDialogProps): ReactNode {
  const [invitation, setInvitation] = useState<Invitation>()
  if (invitation !== undefined) return <InvitationLinkDialog invitation={invitation} onClose={onClose} />
  const { projectId, name } = project
  return (
    <Dialog title={`Invite the owner of ${name}`} isOpen onClose={onClose} isDismissable={false}>
      <p>
        The next step shows a link for this person. The owner then invites everybody else on the page People.
      </p>
      <OperationForm
        operation={operatorProjects.inviteOwner}
        fixed={{ projectId }}
        fields={{ email: { kind: 'email', isRequired: true, label: 'Email address of the owner' } }}
        action="Invite"
        onDone={setInvitation}
        onCancel={onClose}
      />
    </Dialog>
  )
}
