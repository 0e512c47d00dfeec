import { authClient, readAuth } from './auth-client.ts'

/** A sign-in of the person on a device. */
export interface SignedInDevice {
  readonly id: string
  /**
   * Names the session when it is ended. The cookie contains it with a signature, so that it is no key by
   * itself.
   */
  readonly token: string
  readonly userAgent: string
  readonly ipAddress: string
  /** ISO 8601. */
  readonly createdAt: string
  /** When it was used last, to the hour. */
  readonly updatedAt: string
  /** Whether it is that of this page. */
  readonly isCurrent: boolean
}

/** Lists where the person is signed in, this device first. */
export async function listDevices(): Promise<readonly SignedInDevice[]> {
  const [sessions, current] = await Promise.all([
    readAuth(authClient.listSessions()),
    readAuth(authClient.getSession()),
  ])
  return sessions
    .map(({ id, token, userAgent, ipAddress, createdAt, updatedAt }) => ({
      id,
      token,
      userAgent: userAgent ?? '',
      ipAddress: ipAddress ?? '',
      createdAt: new Date(createdAt).toISOString(),
      updatedAt: new Date(updatedAt).toISOString(),
      isCurrent: id === current.session.id,
    }))
    .sort((one, other) => Number(other.isCurrent) - Number(one.isCurrent))
}

/** Ends a sign-in. */
export async function revokeDevice(token: string): Promise<void> {
  await readAuth(authClient.revokeSession({ token }))
}

/** Ends all sign-ins except that of this page. */
export async function revokeOtherDevices(): Promise<void> {
  await readAuth(authClient.revokeOtherSessions())
}

/** Changes the password, and ends all other sign-ins. */
export async function changePassword(currentPassword: string, newPassword: string): Promise<void> {
  await readAuth(authClient.changePassword({ currentPassword, newPassword, revokeOtherSessions: true }))
}

/** A second factor that waits for its first code. */
export interface NewSecondFactor {
  /** The address that authenticator apps read from a QR code. */
  readonly totpURI: string
  readonly backupCodes: readonly string[]
}

/** Prepares a second factor. It is on when `confirmSecondFactor` was called with a code of the app. */
export async function prepareSecondFactor(password: string): Promise<NewSecondFactor> {
  const prepared = await readAuth(authClient.twoFactor.enable({ password }))
  if ('totpURI' in prepared) return { totpURI: prepared.totpURI, backupCodes: prepared.backupCodes ?? [] }
  throw new Error('The server prepared another method than an authenticator app')
}

/** Turns the prepared second factor on. */
export async function confirmSecondFactor(code: string): Promise<void> {
  await readAuth(authClient.twoFactor.verifyTotp({ code }))
}

/** Turns the second factor off. */
export async function disableSecondFactor(password: string): Promise<void> {
  await readAuth(authClient.twoFactor.disable({ password }))
}

/** Replaces the backup codes, and returns the new ones. */
export async function replaceBackupCodes(password: string): Promise<readonly string[]> {
  const { backupCodes } = await readAuth(authClient.twoFactor.generateBackupCodes({ password }))
  return backupCodes
}
