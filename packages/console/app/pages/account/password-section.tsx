import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { changePassword } from '../../auth/account.ts'
import { Button } from '../../components/button.tsx'
import { Section } from '../../components/detail-list.tsx'
import { TextField } from '../../components/field.tsx'
import { ErrorNotice } from '../../components/notice.tsx'
import { showToast } from '../../components/toast.tsx'
import { useNewPassword } from '../../form/use-new-password.tsx'
import { t } from '../../language/translate.ts'
import { useSession } from '../../session/project-context.tsx'
import { DEVICES_KEY } from './devices-section.tsx'

/** Changes the password. */
export function PasswordSection(): ReactNode {
  const { email } = useSession()
  const client = useQueryClient()
  const [current, setCurrent] = useState('')
  const { fields, check, reset } = useNewPassword({
    password: t('New password'),
    repeated: t('Repeat the new password'),
  })
  const change = useMutation({
    mutationFn: (password: string) => changePassword(current, password),
    onSuccess: async () => {
      setCurrent('')
      reset()
      showToast(t('Your password is changed'))
      await client.invalidateQueries({ queryKey: DEVICES_KEY })
    },
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const password = check(event.currentTarget)
    if (password !== undefined && !change.isPending) change.mutate(password)
  }
  return (
    <Section title={t('Password')}>
      <form onSubmit={submit} className="stack panel narrow">
        {/* Password managers store the new password under this name. */}
        <input type="text" autoComplete="username" value={email} readOnly hidden />
        <TextField
          label={t('Current password')}
          type="password"
          name="current"
          autoComplete="current-password"
          required
          value={current}
          onChange={setCurrent}
        />
        {fields}
        <ErrorNotice error={change.error} />
        <div className="row">
          <Button type="submit" isPending={change.isPending}>
            {t('Change password')}
          </Button>
          <span className="muted">{t('Other devices are signed out.')}</span>
        </div>
      </form>
    </Section>
  )
}
