import { type Selectable, sql } from 'kysely'
import type { Tables } from '../../../database/tables.ts'
import type { Tenant } from '../../../database/tenant.ts'

export type Settings = Omit<Selectable<Tables['gateway.card_settings']>, 'id' | 'project_id' | 'updated_at'>

export const DEFAULT_SETTINGS: Settings = {
  reversal_minutes: 10,
  reversals_per_day: 20,
  shop_name: '',
  logo_url: '',
  accent_color: '',
}

export async function getSettings(tenant: Tenant): Promise<Settings> {
  const row = await tenant.selectFrom('gateway.card_settings').selectAll().executeTakeFirst()
  return row ?? DEFAULT_SETTINGS
}

/** Changes the settings that are given. */
export async function changeSettings(
  tenant: Tenant,
  changes: { readonly [Name in keyof Settings]?: Settings[Name] | undefined },
): Promise<Settings> {
  return await tenant
    .insertInto('gateway.card_settings')
    .values({
      reversal_minutes: changes.reversal_minutes ?? DEFAULT_SETTINGS.reversal_minutes,
      reversals_per_day: changes.reversals_per_day ?? DEFAULT_SETTINGS.reversals_per_day,
      shop_name: changes.shop_name ?? DEFAULT_SETTINGS.shop_name,
      logo_url: changes.logo_url ?? DEFAULT_SETTINGS.logo_url,
      accent_color: changes.accent_color ?? DEFAULT_SETTINGS.accent_color,
    })
    .onConflict((conflict) =>
      conflict.column('project_id').doUpdateSet({ ...changes, updated_at: sql<Date>`clock_timestamp()` }),
    )
    .returningAll()
    .executeTakeFirstOrThrow()
}
