import { t } from '../language/translate.ts'

/** Texts of the pages of wallets. */
export const walletsTexts = {
  title: t('Wallets'),
  notAnAddress: {
    title: t('This is not an address'),
    advice: t('Enter 0x and 40 hexadecimal digits to open a wallet.'),
  },
} as const

export const profileTexts = {
  fields: {
    name: { label: t('Name'), description: t('At most 200 characters.') },
    email: { label: t('Email') },
    description: { label: t('About') },
    background: { label: t('Background'), description: t('An address that begins with https://.') },
    showcaseBackground: {
      label: t('Background of the showcase'),
      description: t('An address that begins with https://.'),
    },
  },
} as const

export const messagesTexts = {
  title: t('Messages'),
  unread: (count: number) =>
    t('{count, plural, one {# unread message} other {# unread messages}}', { count }),
  send: t('Send'),
  sent: t('The message is sent'),
} as const
