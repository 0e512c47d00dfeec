import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { FormEvent, ReactNode } from 'react'
import { setNewPassword } from '../../auth/new-password.ts'
import { Button } from '../../components/button.tsx'
import { LonePage } from '../../components/lone-page.tsx'
import { ErrorNotice, Notice } from '../../components/notice.tsx'
import { markSaved } from '../../form/unsaved-input.ts'
import { useNewPassword } from '../../form/use-new-password.tsx'
import { t } from '../../language/translate.ts'
import { usePathParam } from '../../navigation/use-address.ts'

/** The page of a mailed link, on which a person chooses a new password. */
export function NewPasswordPage(): ReactNode {
  const token = usePathParam('token')
  const { fields, check } = useNewPassword({
    password: t('New password'),
    repeated: t('Repeat the new password'),
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
      <LonePage title={t('New password')}>
        <Notice
          tone="success"
          title={t('Your password is changed')}
          advice={t(
            'You are signed out on all devices, and your passkeys are removed. Your second factor stays.',
          )}
        />
        <Link to="/sign-in" className="button button-primary" autoFocus>
          {t('Sign in')}
        </Link>
      </LonePage>
    )
  }
  return (
    <LonePage title={t('New password')}>
      <form onSubmit={submit} className="stack">
        {fields}
        <ErrorNotice error={change.error} />
        <Button kind="primary" type="submit" isPending={change.isPending}>
          {t('Change password')}
        </Button>
      </form>
      <Link to="/new-password">{t('Request a new link')}</Link>
    </LonePage>
  )
}
