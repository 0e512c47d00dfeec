/** Who or what made a change. */
export const actorTexts = {
  key: (key: string) => `API key ${key}`,
  publishableKey: (key: string) => `publishable key ${key}`,
  person: (id: string) => `person ${id}`,
  job: (name: string) => `the job “${name}”`,
  command: (name: string) => `the command ${name}`,
  server: 'the server',
  unknown: 'unknown',
} as const
