import { Role } from '@mintmark/admin'
import { roleTexts } from '../../texts/shell.ts'

/** The roles that can be given to a person, with what they mean. */
export const roleOptions = Object.values(Role).map((role) => ({
  value: role,
  label: roleTexts[role].name,
  description: roleTexts[role].description,
}))
