import { HttpError, isDatabaseError } from '@mintmark/server-kit'

/** The project has moved: another cell has it. Call that cell, whose proxy may know it a moment later. */
const PROJECT_MOVED = { code: 42101, reason: 'PROJECT_MOVED' } as const
/** The project is being copied to another cell. Nothing was stored. Repeat the call. */
const PROJECT_MOVING = { code: 50302, reason: 'PROJECT_MOVING' } as const

/** SQLSTATE of the triggers of a project that is held: see `hold_project`. */
const HELD = 'MM001'
const RETRY_SECONDS = 1

/** Refuses a call of a project that another cell has. */
export function refuseMoved({ cell }: { readonly cell: string | undefined }): void {
  if (cell === undefined) return
  throw new HttpError(421, `The project has moved to the cell ${cell}`, {
    declared: PROJECT_MOVED,
    detail: { cell },
    retryAfter: RETRY_SECONDS,
  })
}

/** Runs a part of a call, and refuses the call for now if its project is held. */
export async function refuseHeld<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!isDatabaseError(error, HELD)) throw error
    throw new HttpError(503, 'The project is being moved. Nothing was stored. Retry in a second', {
      declared: PROJECT_MOVING,
      retryAfter: RETRY_SECONDS,
    })
  }
}
