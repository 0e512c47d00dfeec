import { t } from '../language/translate.ts'

export const searchTexts = {
  title: t('Search'),
  label: t('Find an order, card or wallet'),
  kinds: { ORDER: t('Order'), CARD: t('Card'), WALLET: t('Wallet') },
  foundBy: {
    ID: t('Number'),
    CODE: t('Code'),
    HASH: t('Payment'),
    WALLET: t('Wallet'),
    NAME: t('Name'),
    REFERENCE: t('Your reference'),
  },
} as const
