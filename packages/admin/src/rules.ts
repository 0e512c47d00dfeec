import { serverOnly } from '@mintmark/envelope'

/**
 * The person is the project's last owner.
 *
 * Make another person an owner first.
 */
export const LAST_OWNER = {
  code: 40971,
  reason: 'LAST_OWNER',
  message: serverOnly('The person is the last owner of the project. Make another person an owner first'),
} as const
/**
 * The person already has a role in the project.
 *
 * Change the role of the person.
 */
export const ALREADY_MEMBER = {
  code: 40972,
  reason: 'ALREADY_MEMBER',
  message: serverOnly('The person already has a role in the project. Change that role'),
} as const
/**
 * The key would have scopes that the caller lacks.
 *
 * Leave these scopes out, or let an owner of the project create the key.
 */
export const SCOPE_NOT_HELD = {
  code: 40371,
  reason: 'SCOPE_NOT_HELD',
  message: serverOnly('The key would have scopes that you lack'),
} as const
/**
 * The project has reached its limit of active keys.
 *
 * Revoke keys that are not used.
 */
export const TOO_MANY_KEYS = {
  code: 40973,
  reason: 'TOO_MANY_KEYS',
  message: serverOnly('The project has reached its limit of active keys. Revoke one first'),
} as const
/**
 * The state of what an operator decides does not allow the decision.
 *
 * The message says why, and what to do instead.
 */
export const DECISION_REFUSED = {
  code: 40974,
  reason: 'DECISION_REFUSED',
  message: serverOnly('The state does not allow this decision'),
} as const
/**
 * The project has reached its limit of people and open invitations.
 *
 * Remove people, or revoke invitations that nobody accepts.
 */
export const TOO_MANY_PEOPLE = {
  code: 40975,
  reason: 'TOO_MANY_PEOPLE',
  message: serverOnly('The project has reached its limit of people and invitations'),
} as const
/**
 * The project has an owner.
 *
 * Let an owner of the project invite the person.
 */
export const HAS_OWNER = {
  code: 40976,
  reason: 'HAS_OWNER',
  message: serverOnly('The project has an owner. Let an owner of the project invite the person'),
} as const
/**
 * The person is the last operator of the server.
 *
 * Make another person an operator first.
 */
export const LAST_OPERATOR = {
  code: 40978,
  reason: 'LAST_OPERATOR',
  message: serverOnly('The person is the last operator of the server. Make another person an operator first'),
} as const
/**
 * The report would have more than 1,000 rows.
 *
 * Choose a shorter period, or months instead of days.
 */
export const REPORT_TOO_LARGE = {
  code: 40979,
  reason: 'REPORT_TOO_LARGE',
  message: serverOnly(
    'The report would have more than 1,000 rows. Choose a shorter period, or months instead of days',
  ),
} as const
