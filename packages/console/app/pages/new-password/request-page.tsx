import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, type ReactNode, useState } from 'react'
import { requestNewPassword } from '../../auth/new-password.ts'
import { Button } from '../../components/button.tsx'
import { TextField } from '../../components/field.tsx'
import { LonePage } from '../../components/lone-page.tsx'
import { ErrorNotice, Notice } from '../../components/notice.tsx'
import { t } from '../../language/translate.ts'

/** The page on which a person who has forgotten the password requests a link for a new one. */
export function RequestNewPasswordPage(): ReactNode {
  const [email, setEmail] = useState('')
  const request = useMutation({ mutationFn: () => requestNewPassword(email.trim()) })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!request.isPending) request.mutate()
  }
  return (
    <LonePage title={t('New password')}>
      {request.isSuccess ? (
        <div role="status">
          <Notice
            tone="success"
            title={t('Look for a mail')}
            advice={t(
              'If {email} has an account, a mail with a link is on its way. The link works for an hour.',
              { email: email.trim() },
            )}
          />
        </div>
      ) : (
        <form onSubmit={submit} className="stack" data-transient>
          <p>{t('You get a mail with a link by which you choose a new password.')}</p>
          <TextField
            label={t('Email address')}
            type="email"
            name="email"
            autoComplete="username"
            required
            autoFocus
            value={email}
            onChange={setEmail}
          />
          <ErrorNotice error={request.error} />
          <Button kind="primary" type="submit" isPending={request.isPending}>
            {t('Send the link')}
          </Button>
        </form>
      )}
      <Link key={request.status} to="/sign-in" autoFocus={request.isSuccess}>
        {t('Back to the sign-in')}
      </Link>
    </LonePage>
  )
}
