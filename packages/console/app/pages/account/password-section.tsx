import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { changePassword } from '../../auth/account.ts'
import { Button } from '../../components/button.tsx'
import { Section } from '../../components/detail-list.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { TextField } from '../../components/field.tsx'
import { showToast } from '../../components/toast.tsx'
import { focusFirstInvalid } from '../../form/focus-first-invalid.ts'
import { findPasswordIssues } from '../../form/password-issues.ts'
import { useSession } from '../../session/project-context.tsx'
import { passwordTexts } from '../../texts/password.ts'
import { DEVICES_KEY } from './account-keys.ts'

const EMPTY = { current: '', next: '', repeated: '' }

/** Changes the password. */
export function PasswordSection(): ReactNode {
  const { email } = useSession()
  const client = useQueryClient()
  const [values, setValues] = useState(EMPTY)
  const [isChecked, setIsChecked] = useState(false)
  const issues = findPasswordIssues(values.next, values.repeated)
  const shown = isChecked ? issues : {}
  const change = useMutation({
    mutationFn: () => changePassword(values.current, values.next),
    onSuccess: async () => {
      setValues(EMPTY)
      setIsChecked(false)
      showToast('Your password is changed')
      await client.invalidateQueries({ queryKey: DEVICES_KEY })
    },
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    setIsChecked(true)
    if (Object.keys(issues).length > 0) focusFirstInvalid(event.currentTarget)
    else if (!change.isPending) change.mutate()
  }
  const fieldOf = (name: keyof typeof EMPTY) => ({
    type: 'password',
    name,
    required: true,
    value: values[name],
    onChange: (value: string) => setValues({ ...values, [name]: value }),
  })
  return (
    <Section title="Password">
      <form onSubmit={submit} className="stack panel narrow">
        {/* Password managers store the new password under this name. */}
        <input type="text" autoComplete="username" value={email} readOnly hidden />
        <TextField label="Current password" autoComplete="current-password" {...fieldOf('current')} />
        <TextField
          label="New password"
          description={passwordTexts.description}
          error={shown.password}
          autoComplete="new-password"
          {...fieldOf('next')}
        />
        <TextField
          label="Repeat the new password"
          error={shown.repeated}
          autoComplete="new-password"
          {...fieldOf('repeated')}
        />
        <ErrorNotice error={change.error} />
        <div className="row">
          <Button type="submit" isPending={change.isPending}>
            Change password
          </Button>
          <span className="muted">Other devices are signed out.</span>
        </div>
      </form>
    </Section>
  )
}
