import { authClient, readAuth } from './auth-client.ts'

/** Whether the server mails links by which people set a new password. */
export async function readSendsMails(): Promise<boolean> {
  const { sendsMails } = await readAuth(authClient.$fetch<{ sendsMails: boolean }>('/sends-mails'))
  return sendsMails
}

/** Requests a mail with a link by which a person sets a new password. An address without an account gets none. */
export async function requestNewPassword(email: string): Promise<void> {
  await readAuth(authClient.requestPasswordReset({ email }))
}

/**
 * Sets a new password by the token of a mailed link. All sessions of the person end, and the passkeys are
 * removed.
 */
export async function setNewPassword(token: string, newPassword: string): Promise<void> {
  await readAuth(authClient.resetPassword({ token, newPassword }))
}
