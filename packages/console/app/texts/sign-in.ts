export const signInTexts = {
  title: 'Sign in',
  email: 'Email address',
  password: 'Password',
  submit: 'Sign in',
  passkey: 'Sign in with a passkey',
  or: 'or',
  secondFactorTitle: 'Second factor',
  code: 'Code',
  codeDescription: 'Enter the six digits that your authenticator app shows.',
  backupCode: 'Backup code',
  backupCodeDescription: 'Each of your backup codes works once.',
  useBackupCode: 'Use a backup code',
  useApp: 'Use the authenticator app',
  trustDevice: 'Trust this device for 30 days',
  verify: 'Continue',
  startAgain: 'Use another account',
  ended: {
    title: 'Your session has ended',
    advice:
      'Sign in again to continue where you were. If somebody else signs in, what you entered is discarded.',
  },
  notLoaded: {
    title: 'The sign-in could not be loaded',
    advice: 'Load the page again to sign in. What you entered is discarded.',
    action: 'Load the page again',
  },
  forgotten: 'No access? Ask an owner of the project for a new invitation.',
} as const
