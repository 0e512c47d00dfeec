import type { Issue } from '../../../payment/fields.ts'
import type { Terms } from '../../../payment/terms.ts'

/** Lists what requirements lack of the asset's EIP-712 domain, for which a payer signs. */
export function listDomainIssues({
  domainName,
  domainVersion,
}: Pick<Terms, 'domainName' | 'domainVersion'>): Issue[] {
  const issues: Issue[] = []
  const path = 'paymentRequirements.extra'
  if (domainName === '')
    issues.push({
      path: `${path}.name`,
      message: 'Required: the name of the token\'s EIP-712 domain, a text. Example: "USDC"',
    })
  if (domainVersion === '')
    issues.push({
      path: `${path}.version`,
      message: 'Required: the version of the token\'s EIP-712 domain, a text. Example: "2"',
    })
  return issues
}
