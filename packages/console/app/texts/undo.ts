import { t } from '../language/translate.ts'

/** Apart from the texts of cards, which the scanner does not load. */
export const undoTexts = {
  action: t('Undo'),
  reasons: [
    t('Scanned by mistake'),
    t('Wrong card'),
    t('The customer did not take it'),
    t('The order was cancelled'),
    t('Other'),
  ],
  undone: t('Undone'),
} as const
