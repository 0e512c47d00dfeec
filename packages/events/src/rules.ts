/**
 * Events after the requested place were deleted because of their age.
 *
 * Read the records that you need, and list the feed from its oldest event.
 */
export const EVENTS_EXPIRED = { code: 41001, reason: 'EVENTS_EXPIRED' } as const
