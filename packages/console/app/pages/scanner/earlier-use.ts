import { getRemainingUses, type Scan } from './scan.ts'

/** Reasons of refusals that say that a card was used before. */
const USED_REASONS: readonly string[] = ['exhausted', 'already_redeemed', 'already_checked_in']

/** The newest answer to an earlier scan of the same card on this device that says how often it is used. */
export interface EarlierUse {
  readonly scan: Scan
  /** Whether the server would refuse the card now, as far as this device knows. */
  readonly isUsedUp: boolean
}

/**
 * Finds what this device knows of a card's use, for a scan without an answer. Without a connection, a card that
 * was redeemed here must not look as if it were unused.
 *
 * @param scans The scans of the same project on this device.
 */
export function findEarlierUse(scan: Scan, scans: readonly Scan[]): EarlierUse | undefined {
  // The scans of a card are sent in their order, so that the newest answer, or undo, is the current one.
  const earlier = scans
    .filter(({ code, sequence }) => code === scan.code && sequence < scan.sequence)
    .filter(({ state, reason }) => state === 'accepted' || USED_REASONS.includes(reason))
    .toSorted((one, other) => other.answeredAt - one.answeredAt || other.sequence - one.sequence)
    // A membership card counts once a day in each store.
    .find((each) => each.card?.program !== 'membershipCards' || isSameVisit(each, scan))
  if (earlier === undefined || earlier.isUndone === true) return undefined
  const left = earlier.state === 'accepted' ? getRemainingUses(earlier) : 0
  return { scan: earlier, isUsedUp: left === undefined || left === 0 }
}

/** Whether both scans are of one day in one store. The day is that of this device, which is in the store. */
function isSameVisit(earlier: Scan, scan: Scan): boolean {
  const toDay = (time: number) => new Date(time).toDateString()
  return earlier.store === scan.store && toDay(earlier.answeredAt) === toDay(scan.scannedAt)
}
