import type { ReactNode } from 'react'
import { peopleTexts } from '../texts/people.ts'
import { Button } from './button.tsx'
import { CopiedText } from './copy-button.tsx'
import { Dialog } from './dialog.tsx'
import { Notice } from './notice.tsx'

const { link } = peopleTexts

interface InvitationLinkDialogProps {
  readonly invitation: { readonly email: string; readonly url?: string | undefined }
  readonly onClose: () => void
}

/** Shows the link of a new invitation, once. */
export function InvitationLinkDialog({ invitation, onClose }: InvitationLinkDialogProps): ReactNode {
  const { email, url = '' } = invitation
  return (
    <Dialog title={link.title(email)} isOpen onClose={onClose} showsSecret>
      <Notice tone="warning" title={link.once} advice={link.advice} />
      <p>
        <CopiedText text={url} label={link.copy} />
      </p>
      <div className="dialog-actions">
        <Button kind="primary" onClick={onClose}>
          {link.done}
        </Button>
      </div>
    </Dialog>
  )
}
