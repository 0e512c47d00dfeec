import { type ReactNode, useState } from 'react'
import { TextField } from '../components/field.tsx'
import { t } from '../language/translate.ts'
import { focusFirstInvalid } from './focus-first-invalid.ts'

interface NewPassword {
  /** The fields for a password and its repetition. */
  readonly fields: ReactNode
  /** Returns the password. Shows what is wrong and returns undefined if it cannot be used. */
  check(form: HTMLFormElement): string | undefined
  /** Empties the fields. */
  reset(): void
}

/** Lets a person choose a password. */
export function useNewPassword(labels: {
  readonly password: string
  readonly repeated: string
  readonly autoFocus?: boolean
}): NewPassword {
  const [password, setPassword] = useState('')
  const [repeated, setRepeated] = useState('')
  const [isChecked, setIsChecked] = useState(false)
  const issues = findPasswordIssues(password, repeated)
  const shown = isChecked ? issues : {}
  const shared = { type: 'password', autoComplete: 'new-password', required: true } as const
  return {
    fields: (
      <>
        <TextField
          {...shared}
          label={labels.password}
          description={t('At least 12 characters. A sentence is easy to remember.')}
          error={shown.password}
          name="password"
          autoFocus={labels.autoFocus ?? false}
          value={password}
          onChange={setPassword}
        />
        <TextField
          {...shared}
          label={labels.repeated}
          error={shown.repeated}
          name="repeated"
          value={repeated}
          onChange={setRepeated}
        />
      </>
    ),
    check(form) {
      setIsChecked(true)
      if (issues.password === undefined && issues.repeated === undefined) return password
      focusFirstInvalid(form)
      return undefined
    },
    reset() {
      setPassword('')
      setRepeated('')
      setIsChecked(false)
    },
  }
}

/** The shortest password, in characters. The server refuses shorter ones too. */
const MIN_PASSWORD_LENGTH = 12

/** What is wrong with a new password, by field. */
interface PasswordIssues {
  readonly password?: string
  readonly repeated?: string
}

/** Checks a new password and its repetition. */
export function findPasswordIssues(password: string, repeated: string): PasswordIssues {
  if (password.length < MIN_PASSWORD_LENGTH) return { password: t('Use at least 12 characters') }
  return password === repeated ? {} : { repeated: t('The passwords differ') }
}
