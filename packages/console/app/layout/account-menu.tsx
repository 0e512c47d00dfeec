import type { Session } from '@mintmark/admin'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { SESSION_KEY } from '../api/query-client.ts'
import { Icon } from '../components/icon.tsx'
import { LazyMenu } from '../components/lazy-menu.tsx'
import { shellTexts } from '../texts/shell.ts'

interface AccountMenuProps {
  readonly session: Session
}

/** Leads to the account, and signs out. */
export function AccountMenu({ session }: AccountMenuProps): ReactNode {
  const navigate = useNavigate()
  const signOut = useSignOut()
  return (
    <LazyMenu
      label={shellTexts.accountOf(session.name)}
      kind="wide"
      entries={[
        {
          key: 'account',
          label: shellTexts.accountSettings,
          icon: 'account',
          onSelect: () => void navigate({ to: '/account' }),
        },
        { key: 'sign-out', label: shellTexts.signOut, icon: 'external', onSelect: () => void signOut() },
      ]}
    >
      <Icon name="account" />
      <span className="grow truncate">{session.name}</span>
    </LazyMenu>
  )
}

/** Returns the function that ends the session and forgets everything that was read. */
export function useSignOut(): () => Promise<void> {
  const client = useQueryClient()
  return async () => {
    const { authClient, readAuth } = await import('../auth/auth-client.ts')
    await readAuth(authClient.signOut())
    // The page is still shown. It leads to the sign-in as soon as it knows that nobody is signed in.
    client.setQueryData(SESSION_KEY, null)
    client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION_KEY[0] })
  }
}
