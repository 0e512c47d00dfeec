import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { disableSecondFactor, replaceBackupCodes } from '../../auth/account.ts'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { Section } from '../../components/detail-list.tsx'
import { showToast } from '../../components/toast.tsx'
import { useSession } from '../../session/project-context.tsx'
import { sessionQuery } from '../../session/session.ts'
import { accountTexts } from '../../texts/account.ts'
import { BackupCodesDialog } from './backup-codes-dialog.tsx'
import { PasswordDialog } from './password-dialog.tsx'
import { TurnOnDialog } from './turn-on-dialog.tsx'

const texts = accountTexts.secondFactor

type OpenDialog = 'turn-on' | 'turn-off' | 'new-codes' | { readonly codes: readonly string[] }

/** Turns the second factor on and off, and replaces its backup codes. */
export function SecondFactorSection(): ReactNode {
  const { hasSecondFactor } = useSession()
  const [dialog, setDialog] = useState<OpenDialog>()
  const actions = hasSecondFactor ? (
    <div className="button-group">
      <Button onClick={() => setDialog('new-codes')}>{texts.newCodes}</Button>
      <Button onClick={() => setDialog('turn-off')}>{texts.turnOff}</Button>
    </div>
  ) : (
    <Button onClick={() => setDialog('turn-on')}>{texts.turnOn}</Button>
  )
  return (
    <Section title="Second factor" actions={actions}>
      <p className="row">
        <Badge tone={hasSecondFactor ? 'success' : 'warning'}>{hasSecondFactor ? 'On' : 'Off'}</Badge>
        <span className="muted">
          After the password, the sign-in asks for a code of an authenticator app on your phone.
        </span>
      </p>
      <SecondFactorDialog dialog={dialog} onOpen={setDialog} />
    </Section>
  )
}

interface SecondFactorDialogProps {
  readonly dialog: OpenDialog | undefined
  readonly onOpen: (dialog: OpenDialog | undefined) => void
}

function SecondFactorDialog({ dialog, onOpen }: SecondFactorDialogProps): ReactNode {
  const client = useQueryClient()
  const close = () => onOpen(undefined)
  const finish = async (message: string) => {
    showToast(message)
    close()
    await client.invalidateQueries({ queryKey: sessionQuery.queryKey })
  }
  if (dialog === undefined) return null
  if (dialog instanceof Object) return <BackupCodesDialog codes={dialog.codes} onClose={close} />
  if (dialog === 'turn-on')
    return <TurnOnDialog onDone={() => finish('The second factor is on')} onClose={close} />
  if (dialog === 'new-codes') {
    return (
      <PasswordDialog
        title={texts.newCodes}
        action={texts.continue}
        run={replaceBackupCodes}
        onDone={(codes) => onOpen({ codes })}
        onClose={close}
      />
    )
  }
  return (
    <PasswordDialog
      title="Turn off the second factor?"
      warning="Then your password alone is enough to sign in."
      action={texts.turnOff}
      isDangerous
      run={disableSecondFactor}
      onDone={() => void finish('The second factor is off')}
      onClose={close}
    />
  )
}
