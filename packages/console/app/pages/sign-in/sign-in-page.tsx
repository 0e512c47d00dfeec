import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { LonePage } from '../../components/lone-page.tsx'
import { useSearchState } from '../../navigation/use-address.ts'
import { toReturnPath } from '../../session/return-to.ts'
import { sessionQuery, useSessionQuery } from '../../session/session.ts'
import { signInTexts } from '../../texts/sign-in.ts'
import { PasswordStep } from './password-step.tsx'
import { SecondFactorStep } from './second-factor-step.tsx'

/** The sign-in: a password, then the second factor if the account has one; or a passkey, which is both. */
export function SignInPage(): ReactNode {
  const [step, setStep] = useState<'password' | 'second-factor'>('password')
  const finish = useFinishSignIn()
  return (
    <LonePage title={step === 'password' ? signInTexts.title : signInTexts.secondFactorTitle}>
      {step === 'password' ? (
        <PasswordStep onSecondFactor={() => setStep('second-factor')} onSignedIn={finish} />
      ) : (
        <SecondFactorStep onSignedIn={finish} onStartAgain={() => setStep('password')} />
      )}
    </LonePage>
  )
}

/**
 * Leads a person who is signed in to the page that required it. Returns the function that reads the new
 * session.
 */
function useFinishSignIn(): () => Promise<void> {
  const client = useQueryClient()
  const router = useRouter()
  const [{ returnTo }] = useSearchState('returnTo')
  const { data: session } = useSessionQuery()
  const isSignedIn = session !== null && session !== undefined
  // The address changes as soon as the next page is requested, and must not lead elsewhere then.
  const target = useRef(toReturnPath(returnTo))
  useEffect(() => {
    if (isSignedIn) router.history.replace(`${router.basepath}${target.current}`)
  }, [isSignedIn, router])
  return async () => {
    await client.invalidateQueries({ queryKey: sessionQuery.queryKey })
  }
}
