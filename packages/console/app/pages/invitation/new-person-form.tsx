import { type FormEvent, type ReactNode, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { TextField } from '../../components/field.tsx'
import { focusFirstInvalid } from '../../form/focus-first-invalid.ts'
import { findPasswordIssues } from '../../form/password-issues.ts'
import { passwordTexts } from '../../texts/password.ts'
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
  const [password, setPassword] = useState('')
  const [repeated, setRepeated] = useState('')
  const [isChecked, setIsChecked] = useState(false)
  const issues = isChecked ? findPasswordIssues(password, repeated) : {}
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    setIsChecked(true)
    const { password: invalid, repeated: differs } = findPasswordIssues(password, repeated)
    if (invalid !== undefined || differs !== undefined) focusFirstInvalid(event.currentTarget)
    else if (!isPending) onSubmit({ name: name.trim(), password })
  }
  return (
    <form onSubmit={submit} className="stack">
      <input type="text" name="email" autoComplete="username" value={email} readOnly hidden />
      <TextField
        label="Your name"
        name="name"
        autoComplete="name"
        required
        autoFocus
        value={name}
        onChange={setName}
      />
      <TextField
        label="Password"
        description={passwordTexts.description}
        error={issues.password}
        type="password"
        name="password"
        autoComplete="new-password"
        required
        value={password}
        onChange={setPassword}
      />
      <TextField
        label="Repeat the password"
        error={issues.repeated}
        type="password"
        name="repeated"
        autoComplete="new-password"
        required
        value={repeated}
        onChange={setRepeated}
      />
      <Button kind="primary" type="submit" isPending={isPending}>
        {action}
      </Button>
    </form>
  )
}
