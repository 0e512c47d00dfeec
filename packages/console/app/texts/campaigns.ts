import { t } from '../language/translate.ts'

export const campaignsTexts = {
  title: t('Campaigns'),
  create: t('Create campaign'),
  ofCampaign: t('Campaign'),
  totals: { used: t('Used'), refused: t('Refused scans'), days: t('Stores and days') },
} as const
