import type { OperatorProject } from '@mintmark/admin'
import { type ReactNode, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { TextField } from '../../components/field.tsx'
import { operatorProjectsTexts as texts } from '../../texts/operator.ts'
import { formatInviteCommand } from './invite-command.ts'

interface InviteOwnerDialogProps {
  readonly project: OperatorProject
  readonly onClose: () => void
}

/** Shows the command that invites the owner of a project. An operator has no role in it, so the console cannot invite anybody itself. */
export function InviteOwnerDialog({ project, onClose }: InviteOwnerDialogProps): ReactNode {
  const [email, setEmail] = useState('')
  const isEmail = /^[^\s@]+@[^\s@]+\.[^\s@.]+$/.test(email.trim())
  const command = formatInviteCommand({
    email: isEmail ? email.trim() : 'kim@example.com',
    project: project.name,
    publicUrl: location.origin,
  })
  return (
    <Dialog title={texts.inviteTitle(project.name)} isOpen onClose={onClose}>
      <TextField
        {...texts.email}
        type="email"
        autoComplete="off"
        value={email}
        error={email === '' || isEmail ? undefined : texts.notEmail}
        onChange={setEmail}
      />
      <p>{texts.inviteAdvice}</p>
      <section className="json-view" aria-label={texts.command}>
        <CopyButton text={command} label={texts.copyCommand} />
        <pre className="wrapped">{command}</pre>
      </section>
      <div className="dialog-actions">
        <Button kind="primary" onClick={onClose}>
          {texts.done}
        </Button>
      </div>
    </Dialog>
  )
}
