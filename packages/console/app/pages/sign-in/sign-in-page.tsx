import { useRouter } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { useSearchState } from '../../navigation/use-address.ts'
import { useSessionQuery } from '../../session/session.ts'
import { SignInSteps } from './sign-in-steps.tsx'

/** The sign-in page. Leads a person who is signed in to the page that required it. */
export function SignInPage(): ReactNode {
  const router = useRouter()
  const [{ returnTo }] = useSearchState('returnTo')
  const { data: session } = useSessionQuery()
  const isSignedIn = session !== null && session !== undefined
  // The address changes as soon as the next page is requested, and must not lead elsewhere then.
  const target = useRef(toReturnPath(returnTo))
  useEffect(() => {
    if (isSignedIn) router.history.replace(`${router.basepath}${target.current}`)
  }, [isSignedIn, router])
  return <SignInSteps />
}

/**
 * Returns an address of the console to go to after the sign-in: the given one if it is a path of the console,
 * otherwise the first page. A link to the sign-in can name anything, and must not lead to another site.
 */
export function toReturnPath(returnTo: string | undefined): string {
  if (returnTo === undefined || !/^\/(?![/\\])/.test(returnTo)) return '/'
  const { origin, pathname, search } = new URL(returnTo, 'https://console.invalid')
  return origin === 'https://console.invalid' && pathname !== '/sign-in' ? pathname + search : '/'
}
