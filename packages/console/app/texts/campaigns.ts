export const campaignsTexts = {
  title: 'Campaigns',
  create: 'Create campaign',
  ofCampaign: 'Campaign',
  totals: { used: 'Used', refused: 'Refused scans', days: 'Stores and days' },
} as const
