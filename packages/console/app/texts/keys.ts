export const keysTexts = {
  title: 'API keys',
  description:
    'Programs sign their calls with a key. Give each program a key of its own, with the scopes it needs.',
  create: 'Create key',
  empty: {
    title: 'No keys yet',
    advice: 'Create a key for the program that calls the gateway, such as your shop.',
    adviceToRead: 'The keys of programs that call the gateway appear here.',
  },
  columns: {
    name: 'Name',
    key: 'Key',
    scopes: 'Scopes',
    wallet: 'Wallet',
    created: 'Created',
    status: 'Status',
  },
  active: 'Active',
  revoked: 'Revoked',
  allScopes: 'All except people, keys and audit',
  allScopesAnd: (others: string) => `All of the shop, and ${others}`,
  fields: {
    name: { label: 'Name', description: 'What the key is for, such as the name of the program.' },
    scopes: {
      label: 'Scopes',
      description: 'Without a choice, the key has all scopes except those of people, keys and the audit log.',
    },
    wallet: {
      label: 'Wallet',
      description: 'What the key does is done by this wallet, such as listing a token.',
    },
    graceHours: {
      label: 'Hours until the previous secret ends',
      description: 'From 0 to 8,760. Until then both secrets are valid.',
    },
  },
  created: (name: string) => `Secret of ${name}`,
  secretOnce: {
    title: 'Copy the secret now',
    advice: 'It is shown only once. Store it where the program reads its secrets, not in its code.',
  },
  apiKey: 'Key',
  secret: 'Secret',
  copySecret: 'Copy the secret',
  done: 'Done',
  actionsOf: (name: string) => `Actions for ${name}`,
  rotate: 'Replace the secret',
  rotateTitle: (name: string) => `Replace the secret of ${name}`,
  rotateAction: 'Create a new secret',
  revoke: 'Revoke',
  revokeTitle: (name: string) => `Revoke ${name}?`,
  revokeWarning: 'Within a second, the gateway accepts no call with this key. This cannot be undone.',
  revokedToast: (name: string) => `${name} is revoked`,
} as const

export const publishableKeysTexts = {
  title: 'Publishable keys',
  description:
    'A page in a browser reads the catalog of the shop with a publishable key. It is no secret: everybody can read what it reads, and it changes nothing.',
  create: 'Create publishable key',
  empty: {
    title: 'No publishable keys yet',
    advice: 'Create one for the pages of your shop. Programs on your servers use an API key instead.',
    adviceToRead: 'The keys of the shop’s pages appear here.',
  },
  columns: {
    name: 'Name',
    key: 'Key',
    origins: 'Origins',
    scopes: 'Scopes',
    created: 'Created',
    status: 'Status',
  },
  fields: {
    name: { label: 'Name', description: 'What the key is for, such as the website of the shop.' },
    origins: {
      label: 'Origins',
      description:
        'One in each line: the pages that may use the key, such as https://shop.example or http://localhost:5173. At most 20.',
    },
    scopes: { label: 'Scopes', description: 'Without a choice, the key has both.' },
  },
  created: (name: string) => `${name} is created`,
  revoke: 'Revoke',
  revokeOf: (name: string) => `Revoke ${name}`,
  revokeTitle: (name: string) => `Revoke ${name}?`,
  revokeWarning:
    'Within a second, the gateway accepts no call with this key, so pages that use it show no catalog. This cannot be undone.',
  revokedToast: (name: string) => `${name} is revoked`,
} as const
