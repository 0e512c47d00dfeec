export const signInTexts = {
  title: 'Sign in',
  ended: {
    title: 'Your session has ended',
    advice:
      'Sign in again to continue where you were. If somebody else signs in, what you entered is discarded.',
  },
} as const
