export const accountTexts = {
  secondFactor: {
    turnOn: 'Turn on',
    turnOff: 'Turn off',
    newCodes: 'New backup codes',
    passwordFirst: 'Confirm with your password',
    continue: 'Continue',
  },
  passkeys: {
    title: 'Passkeys',
    name: 'Name',
    add: 'Add a passkey',
    remove: 'Remove',
  },
  sessions: { title: 'Where you are signed in' },
} as const
