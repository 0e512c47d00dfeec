import { AuthError } from '../../errors/auth-error.ts'

/** An open invitation, as its link shows it. */
export interface OpenInvitation {
  readonly email: string
  /** The project and the role in it. Absent for an operator of the server. */
  readonly projectName?: string
  readonly role?: string
  /** Whether the invited person has no account yet. */
  readonly isNewPerson: boolean
}

/** What a new person enters. Empty for a person who is signed in. */
export interface Acceptance {
  readonly name?: string
  readonly password?: string
}

/** The code of the error of an invitation that has expired, was used or was revoked, or never existed. */
export const INVITATION_INVALID = 'INVITATION_INVALID'

/**
 * Reads an invitation by the token of its link.
 *
 * @throws AuthError `INVITATION_INVALID` if it is not open.
 */
export async function getInvitation(token: string, signal: AbortSignal): Promise<OpenInvitation> {
  const response = await send(token, { signal })
  const invitation: OpenInvitation = await response.json()
  return invitation
}

/** Accepts an invitation. A new person is signed in afterwards. */
export async function acceptInvitation(token: string, acceptance: Acceptance): Promise<void> {
  await send(token, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(acceptance),
  })
}

/** Calls the address of an invitation. It is no operation, because its link is its only authentication. */
async function send(token: string, init: RequestInit): Promise<Response> {
  let response: Response
  try {
    response = await fetch(`/console/invitations/${encodeURIComponent(token)}`, init)
  } catch (error) {
    throw new AuthError(String(error), { code: '', status: 0 })
  }
  if (response.ok) return response
  const body: unknown = await response.json().catch(() => undefined)
  const { status } = response
  const code = status === 404 ? INVITATION_INVALID : readText(body, 'code')
  const retryAfter = Number(response.headers.get('retry-after')) || undefined
  throw new AuthError(readText(body, 'message'), { code, status, retryAfter })
}

function readText(body: unknown, name: string): string {
  const value = body instanceof Object ? Object.entries(body).find(([key]) => key === name)?.[1] : undefined
  return typeof value === 'string' ? value : ''
}
