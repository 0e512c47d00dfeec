/** A field in which an operator says why, for those who read the given record. */
export const createReasonField = (record: string) =>
  ({
    kind: 'text',
    isRequired: true,
    label: 'Reason',
    description: `Those who read the ${record} see it, with your name.`,
    check: { pattern: /\S/, message: 'Enter why you decide this, for those who read the history' },
  }) as const
