export const invitationTexts = {
  title: 'Invitation',
  titleOf: (project: string) => `Join ${project}`,
  role: (role: string, description: string) => `You are invited as ${role}. ${description}`,
  forEmail: (email: string) => `The invitation is for ${email}.`,
  name: 'Your name',
  accept: 'Join the project',
  signInFirst: 'You have an account already. Sign in to accept the invitation.',
  signIn: 'Sign in',
  wrongAccount: (email: string) => `You are signed in as ${email}. Sign out, and open the invitation again.`,
  signOut: 'Sign out',
  invalid: {
    title: 'This invitation is not valid',
    advice: 'It has expired, was used or was revoked. Ask the person who invited you for a new one.',
  },
} as const
