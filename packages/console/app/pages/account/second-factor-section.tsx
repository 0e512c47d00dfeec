import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { disableSecondFactor, replaceBackupCodes } from '../../auth/account.ts'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { Section } from '../../components/detail-list.tsx'
import { openDialog } from '../../components/open-dialog.tsx'
import { showToast } from '../../components/toast.tsx'
import { t } from '../../language/translate.ts'
import { useSession } from '../../session/project-context.tsx'
import { sessionQuery } from '../../session/session.ts'
import { accountTexts } from '../../texts/account.ts'
import { BackupCodesDialog } from './backup-codes-dialog.tsx'
import { PasswordDialog } from './password-dialog.tsx'
import { TurnOnDialog } from './turn-on-dialog.tsx'

const texts = accountTexts.secondFactor

/** Shows new backup codes, once the person has confirmed it. */
async function replaceCodes(): Promise<void> {
  const codes = await openDialog<readonly string[]>((close) => (
    <PasswordDialog
      title={texts.newCodes}
      action={texts.continue}
      run={replaceBackupCodes}
      onDone={close}
      onClose={() => close()}
    />
  ))
  if (codes !== undefined)
    await openDialog((close) => <BackupCodesDialog codes={codes} onClose={() => close()} />)
}

/** Turns the second factor on and off, and replaces its backup codes. */
export function SecondFactorSection(): ReactNode {
  const { hasSecondFactor } = useSession()
  const client = useQueryClient()
  const finish = async (message: string) => {
    showToast(message)
    await client.invalidateQueries({ queryKey: sessionQuery.queryKey })
  }
  const turnOn = async () => {
    const isOn = await openDialog<true>((close) => (
      <TurnOnDialog onDone={() => close(true)} onClose={() => close()} />
    ))
    if (isOn) await finish(t('The second factor is on'))
  }
  const turnOff = async () => {
    const isOff = await openDialog<true>((close) => (
      <PasswordDialog
        title={t('Turn off the second factor?')}
        warning={t('Then your password alone is enough to sign in.')}
        action={texts.turnOff}
        isDangerous
        run={disableSecondFactor}
        onDone={() => close(true)}
        onClose={() => close()}
      />
    ))
    if (isOff) await finish(t('The second factor is off'))
  }
  const actions = hasSecondFactor ? (
    <div className="button-group">
      <Button onClick={() => void replaceCodes()}>{texts.newCodes}</Button>
      <Button onClick={() => void turnOff()}>{texts.turnOff}</Button>
    </div>
  ) : (
    <Button onClick={() => void turnOn()}>{texts.turnOn}</Button>
  )
  return (
    <Section title={t('Second factor')} actions={actions}>
      <p className="row">
        <Badge tone={hasSecondFactor ? 'success' : 'warning'}>{hasSecondFactor ? t('On') : t('Off')}</Badge>
        <span className="muted">
          {t('After the password, the sign-in asks for a code of an authenticator app on your phone.')}
        </span>
      </p>
    </Section>
  )
}
