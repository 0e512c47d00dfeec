import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, type ReactNode, useState } from 'react'
import { setNewPassword } from '../../auth/new-password.ts'
import { Button } from '../../components/button.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { TextField } from '../../components/field.tsx'
import { LonePage } from '../../components/lone-page.tsx'
import { Notice } from '../../components/notice.tsx'
import { focusFirstInvalid } from '../../form/focus-first-invalid.ts'
import { findPasswordIssues } from '../../form/password-issues.ts'
import { markSaved } from '../../form/unsaved-input.ts'
import { usePathParam } from '../../navigation/use-address.ts'
import { passwordTexts } from '../../texts/password.ts'

/** The page of a mailed link, on which a person chooses a new password. */
export function NewPasswordPage(): ReactNode {
  const token = usePathParam('token')
  const [password, setPassword] = useState('')
  const [repeated, setRepeated] = useState('')
  const [isChecked, setIsChecked] = useState(false)
  const change = useMutation({
    mutationFn: () => setNewPassword(token, password),
    onSuccess: () => markSaved(document),
  })
  const issues = findPasswordIssues(password, repeated)
  const shown = isChecked ? issues : {}
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    setIsChecked(true)
    if (Object.keys(issues).length > 0) focusFirstInvalid(event.currentTarget)
    else if (!change.isPending) change.mutate()
  }
  if (change.isSuccess) {
    return (
      <LonePage title="New password">
        <Notice
          tone="success"
          title="Your password is changed"
          advice="You are signed out on all devices, and your passkeys are removed. Your second factor stays."
        />
        <Link to="/sign-in" className="button button-primary" autoFocus>
          Sign in
        </Link>
      </LonePage>
    )
  }
  return (
    <LonePage title="New password">
      <form onSubmit={submit} className="stack">
        <TextField
          label="New password"
          description={passwordTexts.description}
          error={shown.password}
          type="password"
          name="password"
          autoComplete="new-password"
          required
          autoFocus
          value={password}
          onChange={setPassword}
        />
        <TextField
          label="Repeat the new password"
          error={shown.repeated}
          type="password"
          name="repeated"
          autoComplete="new-password"
          required
          value={repeated}
          onChange={setRepeated}
        />
        <ErrorNotice error={change.error} />
        <Button kind="primary" type="submit" isPending={change.isPending}>
          Change password
        </Button>
      </form>
      <Link to="/new-password">Request a new link</Link>
    </LonePage>
  )
}
