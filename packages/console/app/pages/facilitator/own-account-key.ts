import { accountTotals } from '@mintmark/facilitator'
import { createFacilitator } from '@mintmark/transport'
import { setFacilitator } from '../../api/gateway.ts'

/** The name of the key in the storage of the tab, which the browser forgets with the tab. */
const STORAGE_KEY = 'mintmark.facilitator-key'

/** The page is the facilitator's own, and the key is that of the person who reads it. */
const createClient = (token: string) =>
  createFacilitator({ baseUrl: location.origin, credentials: { token }, dangerouslyAllowBrowser: true })

/** Opens the account of the key that the tab has. Returns whether it has one. */
export function openStoredAccount(): boolean {
  const token = sessionStorage.getItem(STORAGE_KEY)
  if (token === null) return false
  setFacilitator(createClient(token))
  return true
}

/** Opens the account of a key. Throws if the facilitator does not accept it. */
export async function openAccount(token: string): Promise<void> {
  await accountTotals.get(createClient(token), { days: 1 })
  sessionStorage.setItem(STORAGE_KEY, token)
  openStoredAccount()
}

/** Forgets the key. */
export function closeAccount(): void {
  sessionStorage.removeItem(STORAGE_KEY)
  setFacilitator(undefined)
}
