/** Texts about choosing a password. */
export const passwordTexts = {
  label: 'Password',
  description: 'At least 12 characters. A sentence is easy to remember.',
  tooShort: 'Use at least 12 characters',
  repeat: 'Repeat the password',
  differs: 'The passwords differ',
} as const
