/** Apart from the texts of cards, which the scanner does not load. */
export const undoTexts = {
  action: 'Undo',
  reasons: [
    'Scanned by mistake',
    'Wrong card',
    'The customer did not take it',
    'The order was cancelled',
    'Other',
  ],
  undone: 'Undone',
} as const
