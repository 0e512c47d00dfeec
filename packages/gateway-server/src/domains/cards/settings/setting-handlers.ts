import type { CardSettings, cardSettings } from '@mintmark/cards'
import type { InputOf } from '@mintmark/operation'
import type { GatewayContext } from '../../../http/context.ts'
import type { AllFields, ColumnsOf } from '../../../http/record-mapping.ts'
import { changeSettings, getSettings, type Settings } from './settings-store.ts'

type Input = InputOf<typeof cardSettings.update>

export const settingHandlers = {
  async get(_: object, { tenant }: GatewayContext) {
    return toCardSettings(await getSettings(tenant))
  },

  async update(input: Input, { tenant }: GatewayContext) {
    const changes = {
      reversal_minutes: input.reversalMinutes,
      reversals_per_day: input.reversalsPerDay,
      shop_name: input.shopName,
      logo_url: input.logoUrl,
      accent_color: input.accentColor,
    } satisfies ColumnsOf<Input>
    return toCardSettings(await changeSettings(tenant, changes))
  },
}

function toCardSettings(row: Settings): AllFields<CardSettings> {
  return {
    reversalMinutes: row.reversal_minutes,
    reversalsPerDay: row.reversals_per_day,
    shopName: row.shop_name,
    logoUrl: row.logo_url,
    accentColor: row.accent_color,
  }
}
