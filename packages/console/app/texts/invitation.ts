export const invitationTexts = {
  title: 'Invitation',
  signIn: 'Sign in',
} as const
