import { HttpError, isDatabaseError } from '@mintmark/server-kit'

/** The project has moved: another cell has it. Call that cell, whose proxy may know it a moment later. */
const PROJECT_MOVED = { code: 42101, reason: 'PROJECT_MOVED' } as const
/** The project is being copied to another cell. Nothing was stored. Repeat the call. */
const PROJECT_MOVING = { code: 50302, reason: 'PROJECT_MOVING' } as const

/** SQLSTATEs of the triggers of a project that is held, and of one that has moved: see `hold_project`. */
const HELD = 'MM001'
const MOVED = 'MM002'
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

/** Runs a part of a call, and refuses the call if the triggers of its project do. */
export async function refuseHeld<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (isDatabaseError(error, MOVED)) refuseMoved({ cell: error.detail })
    if (!isDatabaseError(error, HELD)) throw error
    throw new HttpError(503, 'The project is being moved. Nothing was stored. Retry in a second', {
      declared: PROJECT_MOVING,
      retryAfter: RETRY_SECONDS,
    })
  }
}
