import { contracts } from '@mintmark/contracts'
import { NotFound } from '@mintmark/envelope'
import { implement } from '../../context.ts'
import * as store from './contracts-store.ts'

export const contractRoutes = implement(contracts, {
  async get({ nftAddress }, { db, project, refuse }) {
    return (
      (await store.find(db, project, nftAddress.toLowerCase())) ??
      refuse(NotFound, 'No contract is registered for this address')
    )
  },
})
