import { type FormEvent, type ReactNode, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { TextField } from '../../components/field.tsx'
import { useNewPassword } from '../../form/use-new-password.tsx'
import { t } from '../../language/translate.ts'
import type { Acceptance } from './invitations.ts'

interface NewPersonFormProps {
  /** Password managers store the password under this name. */
  readonly email: string
  /** The verb on the button. */
  readonly action: string
  readonly isPending: boolean
  readonly onSubmit: (acceptance: Acceptance) => void
}

/** Lets a new person choose a name and a password. */
export function NewPersonForm({ email, action, isPending, onSubmit }: NewPersonFormProps): ReactNode {
  const [name, setName] = useState('')
  const { fields, check } = useNewPassword({ password: t('Password'), repeated: t('Repeat the password') })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const password = check(event.currentTarget)
    if (password !== undefined && !isPending) onSubmit({ name: name.trim(), password })
  }
  return (
    <form onSubmit={submit} className="stack">
      <input type="text" name="email" autoComplete="username" value={email} readOnly hidden />
      <TextField
        label={t('Your name')}
        name="name"
        autoComplete="name"
        required
        autoFocus
        value={name}
        onChange={setName}
      />
      {fields}
      <Button kind="primary" type="submit" isPending={isPending}>
        {action}
      </Button>
    </form>
  )
}
