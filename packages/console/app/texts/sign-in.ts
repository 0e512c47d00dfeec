import { t } from '../language/translate.ts'

export const signInTexts = {
  title: t('Sign in'),
  ended: {
    title: t('Your session has ended'),
    advice: t(
      'Sign in again to continue where you were. If somebody else signs in, what you entered is discarded.',
    ),
  },
} as const
