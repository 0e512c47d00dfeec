import { ConflictError, NotFoundError } from '@mintmark/envelope'
import { walletInfo } from '@mintmark/wallet'
import { implementWithLimits } from '../../context.ts'
import { storedAddress } from '../address-rules.ts'
import { TEXT, URL } from '../field-limits.ts'
import * as store from './wallet-info-store.ts'

const profileLimits = { background: URL, email: TEXT, profilePhoto: URL, showcaseBackground: URL }

export const walletInfoRoutes = implementWithLimits(profileLimits)(walletInfo, {
  async get({ address }, { db, project, refuse }) {
    return (
      (await store.find(db, project, address.toLowerCase())) ??
      refuse(NotFoundError, 'This wallet has no info')
    )
  },
  async add({ address, ...profile }, { db, project, refuse, invalid }) {
    return (
      (await store.add(db, project, storedAddress('address', address, invalid), profile)) ??
      refuse(ConflictError, 'This wallet has info already')
    )
  },
  async edit({ address, ...profile }, { db, project, refuse }) {
    return (
      (await store.edit(db, project, address.toLowerCase(), profile)) ??
      refuse(NotFoundError, 'This wallet has no info')
    )
  },
})
