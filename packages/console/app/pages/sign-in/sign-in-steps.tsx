import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { LonePage } from '../../components/lone-page.tsx'
import { t } from '../../language/translate.ts'
import { readNewSession } from '../../session/session.ts'
import { signInTexts } from '../../texts/sign-in.ts'
import { PasswordStep } from './password-step.tsx'
import { SecondFactorStep } from './second-factor-step.tsx'

interface SignInStepsProps {
  /** What is above the fields, such as why the person has to sign in. */
  readonly notice?: ReactNode
  readonly below?: ReactNode
  /** Whether a page below waits for the sign-in. Default: no. */
  readonly coversPage?: boolean
}

/**
 * The sign-in: a password, then the second factor if the account has one; or a passkey, which is both. Reads
 * the new session afterwards.
 */
export function SignInSteps({ notice, below, coversPage = false }: SignInStepsProps): ReactNode {
  const [step, setStep] = useState<'password' | 'second-factor'>('password')
  const client = useQueryClient()
  const finish = () => readNewSession(client)
  return (
    <LonePage title={step === 'password' ? signInTexts.title : t('Second factor')}>
      {notice}
      {step === 'password' ? (
        <PasswordStep
          coversPage={coversPage}
          onSecondFactor={() => setStep('second-factor')}
          onSignedIn={finish}
        />
      ) : (
        <SecondFactorStep onSignedIn={finish} onStartAgain={() => setStep('password')} />
      )}
      {below}
    </LonePage>
  )
}
