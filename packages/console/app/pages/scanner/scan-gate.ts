/** How long a code must be out of sight before it counts as presented again. */
const AWAY_MS = 3000

/** Decides which codes in the pictures of a camera are new scans. */
export interface ScanGate {
  /**
   * Whether a code that is in sight is a new scan. A card in front of the camera is read in every picture,
   * and counts once until it has been out of sight for three seconds.
   */
  accept(code: string): boolean
}

/**
 * Creates a gate for the pictures of one camera.
 *
 * @param now Returns milliseconds since the epoch.
 */
export function createScanGate(now: () => number): ScanGate {
  const lastSeen = new Map<string, number>()
  return {
    accept(code) {
      const time = now()
      for (const [known, seen] of lastSeen) {
        if (time - seen >= AWAY_MS) lastSeen.delete(known)
      }
      const isNew = !lastSeen.has(code)
      lastSeen.set(code, time)
      return isNew
    },
  }
}
