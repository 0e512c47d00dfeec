export const campaignsTexts = {
  title: 'Campaigns',
  create: 'Create campaign',
  statuses: { ACTIVE: 'Active', PAUSED: 'Paused', ENDED: 'Ended' },
  ofCampaign: 'Campaign',
  totals: { used: 'Used', refused: 'Refused scans', days: 'Stores and days' },
} as const
