import type { Session } from '@mintmark/admin'
import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { SESSION_KEY } from '../api/query-client.ts'
import { signOut } from '../auth/sign-out.ts'
import { Dialog } from '../components/dialog.tsx'
import { Icon } from '../components/icon.tsx'
import { LazyMenu } from '../components/lazy-menu.tsx'
import { ErrorNotice } from '../components/notice.tsx'
import { confirmDiscard } from '../form/confirm-discard.ts'
import { changeLanguage, getLanguage, LANGUAGES, type Language } from '../language/locale.ts'
import { t } from '../language/translate.ts'

/** Leads to the account, changes the language, and signs out. */
export function AccountMenu({ session }: { readonly session: Session }): ReactNode {
  const navigate = useNavigate()
  const end = useSignOut()
  return (
    <>
      <LazyMenu
        label={t('Account of {name}', { name: session.name })}
        kind="wide"
        entries={[
          {
            key: 'account',
            label: t('Account settings'),
            icon: 'account',
            onSelect: () => void navigate({ to: '/account' }),
          },
          ...Object.entries(LANGUAGES).map(([language, label]) => ({
            key: language,
            label,
            icon: 'language' as const,
            isCurrent: language === getLanguage(),
            onSelect: () => confirmDiscard(() => changeLanguage(language as Language)),
          })),
          {
            key: 'sign-out',
            label: t('Sign out'),
            icon: 'external',
            onSelect: () => confirmDiscard(end.mutate),
          },
        ]}
      >
        <Icon name="account" />
        <span className="grow truncate">{session.name}</span>
      </LazyMenu>
      {end.isError && (
        <Dialog title={t('You are still signed in')} onClose={end.reset}>
          <ErrorNotice error={end.error} onRetry={() => end.mutate()} />
        </Dialog>
      )}
    </>
  )
}

/** Ends the session and forgets everything that was read. */
export function useSignOut(): UseMutationResult<void, Error, void> {
  const client = useQueryClient()
  return useMutation({
    mutationFn: signOut,
    onSuccess: () => {
      // The page is still shown. It leads to the sign-in as soon as it knows that nobody is signed in.
      client.setQueryData(SESSION_KEY, null)
      client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION_KEY[0] })
    },
  })
}
