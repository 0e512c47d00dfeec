import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { FormEvent, ReactNode } from 'react'
import { setNewPassword } from '../../auth/new-password.ts'
import { Button } from '../../components/button.tsx'
import { LonePage } from '../../components/lone-page.tsx'
import { ErrorNotice, Notice } from '../../components/notice.tsx'
import { markSaved } from '../../form/unsaved-input.ts'
import { useNewPassword } from '../../form/use-new-password.tsx'
import { usePathParam } from '../../navigation/use-address.ts'

/** The page of a mailed link, on which a person chooses a new password. */
export function NewPasswordPage(): ReactNode {
  const token = usePathParam('token')
  const { fields, check } = useNewPassword({
    password: 'New password',
    repeated: 'Repeat the new password',
    autoFocus: true,
  })
  const change = useMutation({
    mutationFn: (password: string) => setNewPassword(token, password),
    onSuccess: () => markSaved(document),
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const password = check(event.currentTarget)
    if (password !== undefined && !change.isPending) change.mutate(password)
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
        {fields}
        <ErrorNotice error={change.error} />
        <Button kind="primary" type="submit" isPending={change.isPending}>
          Change password
        </Button>
      </form>
      <Link to="/new-password">Request a new link</Link>
    </LonePage>
  )
}
