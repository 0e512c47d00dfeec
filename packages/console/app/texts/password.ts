/** Texts about choosing a password. */
export const passwordTexts = {
  description: 'At least 12 characters. A sentence is easy to remember.',
} as const
