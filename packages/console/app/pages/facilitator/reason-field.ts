/** A field in which an operator says why. */
export const reasonField = {
  kind: 'text',
  isRequired: true,
  label: 'Reason',
  description: 'Those who read the list of decisions see it, and who decided.',
} as const
