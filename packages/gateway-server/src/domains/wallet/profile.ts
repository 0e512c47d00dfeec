import { ConflictError } from '@mintmark/envelope'
import { refusal } from '@mintmark/server-kit'
import { walletInfo } from '@mintmark/wallet'
import { implementWithLimits } from '../../http/context.ts'
import { ensureFound } from '../../http/ensure-found.ts'
import { TEXT, URL } from '../../http/field-limits.ts'
import * as store from './profile-store.ts'

const NO_INFO = 'This wallet has no info'
const profileLimits = { background: URL, email: TEXT, profilePhoto: URL, showcaseBackground: URL }

export const walletInfoRoutes = implementWithLimits(profileLimits)(walletInfo, {
  async get({ address }, { tenant }) {
    return ensureFound(await store.find(tenant, address), NO_INFO)
  },
  async add(profile, { tenant }) {
    const found = await store.add(tenant, profile)
    if (found === undefined) throw refusal(ConflictError, 'This wallet already has info')
    return found
  },
  async edit(profile, { tenant }) {
    return ensureFound(await store.edit(tenant, profile), NO_INFO)
  },
})
