/** Who or what made a change. */
export const actorTexts = {
  server: 'the server',
} as const
