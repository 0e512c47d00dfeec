import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, type ReactNode, useState } from 'react'
import { authClient, readAuth } from '../../auth/auth-client.ts'
import { readSendsMails } from '../../auth/new-password.ts'
import { hasPasskeySupport, signInWithPasskey } from '../../auth/passkeys.ts'
import { Button } from '../../components/button.tsx'
import { TextField } from '../../components/field.tsx'
import { ErrorNotice } from '../../components/notice.tsx'
import { t } from '../../language/translate.ts'

interface PasswordStepProps {
  /** Whether a page below waits for the sign-in, so that links open another tab. */
  readonly coversPage: boolean
  readonly onSecondFactor: () => void
  readonly onSignedIn: () => Promise<void>
}

/** Signs in with a password or a passkey. */
export function PasswordStep({ coversPage, onSecondFactor, onSignedIn }: PasswordStepProps): ReactNode {
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const { data: sendsMails = false } = useQuery({
    queryKey: ['sends-mails'],
    queryFn: readSendsMails,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const withPassword = useMutation({
    mutationFn: async () => {
      const data = await readAuth(authClient.signIn.email({ email: email.trim(), password }))
      if ('twoFactorRedirect' in data && data.twoFactorRedirect === true) onSecondFactor()
      else await onSignedIn()
    },
  })
  const withPasskey = useMutation({
    mutationFn: async () => {
      await signInWithPasskey()
      await onSignedIn()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    withPasskey.reset()
    if (!withPassword.isPending) withPassword.mutate()
  }
  const passkey = () => {
    withPassword.reset()
    withPasskey.mutate()
  }
  return (
    <>
      <form onSubmit={submit} className="stack" data-transient>
        <TextField
          label={t('Email address')}
          type="email"
          name="email"
          autoComplete="username webauthn"
          required
          autoFocus
          value={email}
          onChange={setEmail}
        />
        <TextField
          label={t('Password')}
          type="password"
          name="password"
          autoComplete="current-password"
          required
          value={password}
          onChange={setPassword}
        />
        <ErrorNotice error={withPassword.error ?? withPasskey.error} />
        <Button kind="primary" type="submit" isPending={withPassword.isPending}>
          {t('Sign in')}
        </Button>
        {hasPasskeySupport() && (
          <>
            <p className="separator">{t('or')}</p>
            <Button icon="passkey" isPending={withPasskey.isPending} onClick={passkey}>
              {t('Sign in with a passkey')}
            </Button>
          </>
        )}
      </form>
      {sendsMails && (
        <Link to="/new-password" {...(coversPage && { target: '_blank' })}>
          {t('Forgot your password?')}
        </Link>
      )}
      <p className="muted">{t('No access? Ask an owner of the project for a new invitation.')}</p>
    </>
  )
}
