export const keysTexts = {
  title: 'API keys',
  create: 'Create key',
  revoke: 'Revoke',
} as const

export const publishableKeysTexts = {
  title: 'Publishable keys',
  create: 'Create publishable key',
  revoke: 'Revoke',
} as const
