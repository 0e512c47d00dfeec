export const explorerTexts = {
  effect: { read: 'Reads', write: 'Changes something' },
  notJson: 'Enter a JSON object, such as { "id": 7 }',
  code: {
    title: 'Code for this call',
    hints: {
      typescript: (packages: string) => `npm install ${packages}`,
      curl: 'Needs curl and openssl. Set MINTMARK_API_KEY and MINTMARK_SECRET first.',
      cli: 'Set MINTMARK_GATEWAY_URL, MINTMARK_API_KEY and MINTMARK_SECRET, or run “mintmark login”.',
    },
  },
} as const
