export const invitationTexts = {
  title: 'Invitation',
  titleOf: (project: string) => `Join ${project}`,
  titleOfOperator: 'Operate this server',
  operator: 'You are invited as an operator, who sees all projects and decides what the server cannot.',
  role: (role: string, description: string) => `You are invited as ${role}. ${description}`,
  forEmail: (email: string) => `The invitation is for ${email}.`,
  name: 'Your name',
  accept: 'Join the project',
  acceptOperator: 'Become an operator',
  signInFirst: 'This email address has an account already. Sign in to accept the invitation.',
  notYours:
    'If you have never created an account here, somebody else has used your address. Ask an operator of this server to remove that account, then open the invitation again.',
  signIn: 'Sign in',
  wrongAccount: (email: string) => `You are signed in as ${email}. Sign out, and open the invitation again.`,
  signOut: 'Sign out',
  invalid: {
    title: 'This invitation is not valid',
    advice:
      'It has expired, was used or was revoked. If you have used it yourself, sign in. Otherwise ask the person who invited you for a new one.',
  },
} as const
