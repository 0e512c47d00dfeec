import { NotFound } from '@mintmark/envelope'
import { walletInfo } from '@mintmark/wallet'
import { implement } from '../../context.ts'
import * as store from './wallet-info-store.ts'

export const walletInfoRoutes = implement(walletInfo, {
  async get({ address }, { db, project, refuse }) {
    return (
      (await store.find(db, project, address.toLowerCase())) ?? refuse(NotFound, 'This wallet has no info')
    )
  },
})
