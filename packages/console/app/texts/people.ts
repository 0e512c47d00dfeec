export const peopleTexts = {
  title: 'People',
  invite: 'Invite',
  signOut: 'Sign out everywhere',
  fields: {
    role: { label: 'Role' },
    wallet: {
      label: 'Wallet',
      description: 'What the person does in the project is done by this wallet, such as listing a token.',
    },
  },
  invitations: {
    title: 'Open invitations',
    revoke: 'Revoke',
  },
} as const
