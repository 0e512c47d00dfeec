import { ConflictError, NotFoundError } from '@mintmark/envelope'
import { walletInfo } from '@mintmark/wallet'
import { implementWithLimits } from '../../http/context.ts'
import { TEXT, URL } from '../../http/field-limits.ts'
import * as store from './profile-store.ts'

const NO_INFO = 'This wallet has no info'
const profileLimits = { background: URL, email: TEXT, profilePhoto: URL, showcaseBackground: URL }

export const walletInfoRoutes = implementWithLimits(profileLimits)(walletInfo, {
  async get({ address }, { tenant, refuse }) {
    return (await store.find(tenant, address)) ?? refuse(NotFoundError, NO_INFO)
  },
  async add(profile, { tenant, refuse }) {
    return (await store.add(tenant, profile)) ?? refuse(ConflictError, 'This wallet already has info')
  },
  async edit(profile, { tenant, refuse }) {
    return (await store.edit(tenant, profile)) ?? refuse(NotFoundError, NO_INFO)
  },
})
