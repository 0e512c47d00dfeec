/** The shortest password, in characters. The server refuses shorter ones too. */
const MIN_PASSWORD_LENGTH = 12

/** What is wrong with a new password, by field. */
interface PasswordIssues {
  readonly password?: string
  readonly repeated?: string
}

/** Checks a new password and its repetition. */
export function findPasswordIssues(password: string, repeated: string): PasswordIssues {
  if (password.length < MIN_PASSWORD_LENGTH) return { password: 'Use at least 12 characters' }
  return password === repeated ? {} : { repeated: 'The passwords differ' }
}
