// The wallet alone: a profile is made, changed and read.

import { createGateway } from '@mintmark/transport'
import { walletInfo } from '@mintmark/wallet'
import given from './gateway.json' with { type: 'json' }

const { baseUrl, apiKey, secret, wallet: address } = given
const gateway = createGateway({ baseUrl, credentials: { apiKey, secret } })
await walletInfo.add(gateway, { address, name: 'Ada' })
await walletInfo.edit(gateway, { address, name: 'Ada Collector' })
const { name } = await walletInfo.get(gateway, { address })
if (name !== 'Ada Collector') throw new Error(`the profile says ${name}`)

console.log(name)
