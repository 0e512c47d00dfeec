import { t } from '../language/translate.ts'

export const accountTexts = {
  secondFactor: {
    turnOn: t('Turn on'),
    turnOff: t('Turn off'),
    newCodes: t('New backup codes'),
    passwordFirst: t('Confirm with your password'),
    continue: t('Continue'),
  },
  passkeys: {
    title: t('Passkeys'),
    name: t('Name'),
    add: t('Add a passkey'),
    remove: t('Remove'),
  },
  sessions: { title: t('Where you are signed in') },
} as const
