import { t } from '../language/translate.ts'

export const webhooksTexts = {
  allEvents: t('All events'),
  form: {
    enables: { title: t('Saving enables this webhook'), action: t('Save and enable') },
    events: t('Events'),
  },
  deliveries: {
    periods: {
      today: t('Today'),
      week: t('Last 7 days'),
      month: t('Last 30 days'),
      quarter: t('Last 90 days'),
    },
    dialog: { attempts: t('Attempts') },
  },
  range: {
    title: t('Send the events of a range again'),
    events: (count: number) => t('{count, plural, one {# event} other {# events}}', { count }),
    stopped: (count: number) => ({
      title: t(
        'This range was sent in part: {count, plural, one {# delivery} other {# deliveries}} started',
        { count },
      ),
      advice: t('If you send it again, it continues where it stopped.'),
    }),
    started: (count: number) =>
      t('{count, plural, one {# delivery} other {# deliveries}} started', { count }),
  },
} as const
