import { t } from '../language/translate.ts'

/** The address of the image of a token or a collection. An empty one clears it. */
export const imageField = {
  kind: 'url',
  sendsEmpty: true,
  label: t('Image'),
  description: t('An address that begins with https://.'),
} as const

/** The address of the metadata of a token. */
export const metadataField = {
  kind: 'url',
  label: t('Metadata'),
  description: t('The address that the contract returns as tokenURI.'),
} as const

/** The properties of a token. */
export const propertiesField = {
  kind: 'pairs',
  keys: ['trait_type', 'value'],
  label: t('Properties'),
  description: t('One in each line: a name, a colon and a value, as in paper: cotton.'),
} as const

/** What a project receives of each resale. */
export const royaltyField = {
  kind: 'integer',
  label: t('Royalty in percent'),
  description: t('Of each resale: 0 to 100.'),
} as const
