import type { PresalePhase } from '@mintmark/contracts'

/** Whether a phase can be minted in at a time. */
export type PhaseState = 'upcoming' | 'open' | 'ended'

/**
 * Returns the state of a phase.
 *
 * @param now Milliseconds since the epoch.
 */
export function getPhaseState(
  { startTime, endTime }: Pick<PresalePhase, 'startTime' | 'endTime'>,
  now: number,
): PhaseState {
  if (now < new Date(startTime).getTime()) return 'upcoming'
  return now < new Date(endTime).getTime() ? 'open' : 'ended'
}

/** A phase as the gateway accepts it. */
export type PhaseInput = Pick<PresalePhase, 'name' | 'startTime' | 'price'> &
  Partial<Omit<PresalePhase, 'id' | 'claimed'>>

/** Converts a stored phase to the input that keeps it as it is. */
export function toPhaseInput({ id, claimed, ...phase }: PresalePhase): PhaseInput {
  return phase
}

/** All phases after one is added or changed, and the place of that one among them. */
export interface PhaseChange {
  readonly phases: readonly PhaseInput[]
  readonly index: number
}

/**
 * Adds a phase to the others, in the order of their starts, which the gateway requires. The phase before it
 * ends when it opens, if it lasted longer; it ends itself when the next one opens, unless it ends earlier.
 *
 * @param replaced The name of the phase that is changed; undefined for a new one.
 */
export function insertPhase(
  stored: readonly PresalePhase[],
  phase: PhaseInput,
  replaced: string | undefined,
): PhaseChange {
  const startOf = ({ startTime }: PhaseInput) => new Date(startTime).getTime()
  const others = stored.filter(({ name }) => name !== replaced).map(toPhaseInput)
  const phases = [...others, phase].sort((one, other) => startOf(one) - startOf(other))
  const index = phases.indexOf(phase)
  const shortened = phases.map((each, place) => (place === index - 1 ? endBefore(each, phase) : each))
  return { phases: shortened, index }
}

function endBefore(phase: PhaseInput, next: PhaseInput): PhaseInput {
  const { endTime } = phase
  if (endTime === undefined || new Date(endTime) <= new Date(next.startTime)) return phase
  return { ...phase, endTime: next.startTime }
}
