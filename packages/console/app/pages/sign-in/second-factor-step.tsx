import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { authClient, readAuth } from '../../auth/auth-client.ts'
import { Button } from '../../components/button.tsx'
import { Checkbox, TextField } from '../../components/field.tsx'
import { ErrorNotice } from '../../components/notice.tsx'
import { t } from '../../language/translate.ts'

interface SecondFactorStepProps {
  readonly onSignedIn: () => Promise<void>
  readonly onStartAgain: () => void
}

/** Verifies the second factor: a code of an authenticator app, or one of the backup codes. */
export function SecondFactorStep({ onSignedIn, onStartAgain }: SecondFactorStepProps): ReactNode {
  const [isBackup, setIsBackup] = useState(false)
  const [code, setCode] = useState('')
  const [trustDevice, setTrustDevice] = useState(false)
  const verify = useMutation({
    mutationFn: async () => {
      const input = { code: code.replaceAll(' ', ''), trustDevice }
      const { twoFactor } = authClient
      if (isBackup) await readAuth(twoFactor.verifyBackupCode(input))
      else await readAuth(twoFactor.verifyTotp(input))
      await onSignedIn()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!verify.isPending) verify.mutate()
  }
  const switchMethod = () => {
    setIsBackup(!isBackup)
    setCode('')
    verify.reset()
  }
  return (
    <form onSubmit={submit} className="stack" data-transient>
      <TextField
        // A new field for each method, so that it gets the focus.
        key={String(isBackup)}
        label={isBackup ? t('Backup code') : t('Code')}
        description={
          isBackup
            ? t('Each of your backup codes works once.')
            : t('Enter the six digits that your authenticator app shows.')
        }
        name="code"
        inputMode={isBackup ? 'text' : 'numeric'}
        autoComplete="one-time-code"
        isCode
        required
        autoFocus
        value={code}
        onChange={setCode}
      />
      <Checkbox label={t('Trust this device for 30 days')} checked={trustDevice} onChange={setTrustDevice} />
      <ErrorNotice error={verify.error} />
      <Button kind="primary" type="submit" isPending={verify.isPending}>
        {t('Continue')}
      </Button>
      <Button onClick={switchMethod}>
        {isBackup ? t('Use the authenticator app') : t('Use a backup code')}
      </Button>
      <Button kind="plain" onClick={onStartAgain}>
        {t('Use another account')}
      </Button>
    </form>
  )
}
