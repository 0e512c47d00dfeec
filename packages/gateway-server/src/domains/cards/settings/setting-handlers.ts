import { type CardSettings, cardSettings } from '@mintmark/cards'
import type { InputOf } from '@mintmark/operation'
import type { GatewayContext } from '../../../http/context.ts'
import { toColumns, toRecord } from '../../../http/record-mapping.ts'
import { changeSettings, getSettings, type Settings } from './settings-store.ts'

type Input = InputOf<typeof cardSettings.update>

export const settingHandlers = {
  async get(_: object, { tenant }: GatewayContext) {
    return toCardSettings(await getSettings(tenant))
  },

  async update(input: Input, { tenant }: GatewayContext) {
    return toCardSettings(await changeSettings(tenant, toColumns(input)))
  },
}

function toCardSettings(row: Settings): CardSettings {
  return toRecord(cardSettings.CardSettings, row)
}
