import { useRouter } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { LanguageSelect } from '../../layout/language-select.tsx'
import { useSearchState } from '../../navigation/use-address.ts'
import { toReturnPath } from '../../session/return-to.ts'
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
  return <SignInSteps below={<LanguageSelect />} />
}
