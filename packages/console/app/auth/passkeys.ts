import { AuthError } from '../errors/auth-error.ts'
import { authClient, readAuth } from './auth-client.ts'

/** A passkey of the person who is signed in. */
export interface Passkey {
  readonly id: string
  readonly name?: string | null
  readonly createdAt?: string
}

/**
 * Calls the endpoints of the library's server plugin. Its client plugin would add its own WebAuthn code;
 * browsers convert the JSON themselves.
 */
function callPasskeys<Data>(path: string, options: { method: 'GET' | 'POST'; body?: object }): Promise<Data> {
  return readAuth(authClient.$fetch<Data>(`/passkey/${path}`, options))
}

/** Whether the browser can use passkeys. */
export function hasPasskeySupport(): boolean {
  return 'PublicKeyCredential' in window && 'parseRequestOptionsFromJSON' in PublicKeyCredential
}

/**
 * Signs in with a passkey that the person chooses.
 *
 * @throws AuthError `PASSKEY_CANCELLED` if the person closed the request or did not respond to it.
 */
export async function signInWithPasskey(): Promise<void> {
  checkSupport()
  const options = await callPasskeys<PublicKeyCredentialRequestOptionsJSON>('generate-authenticate-options', {
    method: 'GET',
  })
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
  const response = await requestCredential(() => navigator.credentials.get({ publicKey }))
  await callPasskeys('verify-authentication', { method: 'POST', body: { response } })
}

/**
 * Creates a passkey for the person who is signed in.
 *
 * @throws AuthError `PREVIOUSLY_REGISTERED` if the device has one for this account.
 */
export async function addPasskey(name: string): Promise<void> {
  checkSupport()
  const options = await callPasskeys<PublicKeyCredentialCreationOptionsJSON>('generate-register-options', {
    method: 'GET',
  })
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
  const response = await requestCredential(() => navigator.credentials.create({ publicKey }))
  await callPasskeys('verify-registration', { method: 'POST', body: { response, name } })
}

/** Lists the passkeys of the person who is signed in. */
export function listPasskeys(): Promise<readonly Passkey[]> {
  return callPasskeys('list-user-passkeys', { method: 'GET' })
}

/** Removes a passkey. */
export async function removePasskey(id: string): Promise<void> {
  await callPasskeys('delete-passkey', { method: 'POST', body: { id } })
}

function checkSupport(): void {
  if (!hasPasskeySupport()) throw new AuthError('', { code: 'PASSKEY_UNSUPPORTED', status: 400 })
}

/** Lets the browser ask the person for a passkey, and returns it as JSON. */
async function requestCredential(request: () => Promise<Credential | null>): Promise<object> {
  try {
    const credential = await request()
    if (credential instanceof PublicKeyCredential) return credential.toJSON()
  } catch (error) {
    const isKnown = error instanceof DOMException && error.name === 'InvalidStateError'
    if (isKnown) throw new AuthError('', { code: 'PREVIOUSLY_REGISTERED', status: 400 })
    if (!(error instanceof DOMException)) throw error
  }
  throw new AuthError('', { code: 'PASSKEY_CANCELLED', status: 400 })
}
