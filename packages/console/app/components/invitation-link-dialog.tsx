import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { CopiedText } from './copy-button.tsx'
import { Dialog } from './dialog.tsx'
import { Notice } from './notice.tsx'

interface InvitationLinkDialogProps {
  readonly invitation: { readonly email: string; readonly url?: string | undefined }
  readonly onClose: () => void
}

/** Shows the link of a new invitation, once. */
export function InvitationLinkDialog({ invitation, onClose }: InvitationLinkDialogProps): ReactNode {
  const { email, url = '' } = invitation
  return (
    <Dialog title={`Invitation of ${email}`} isOpen onClose={onClose} showsSecret>
      <Notice
        tone="warning"
        title="Send this link to the person now"
        advice="It is shown only once, and works for seven days. Whoever opens it can set the password of the account."
      />
      <p>
        <CopiedText text={url} label="Copy the link" />
      </p>
      <div className="dialog-actions">
        <Button kind="primary" onClick={onClose}>
          Done
        </Button>
      </div>
    </Dialog>
  )
}
