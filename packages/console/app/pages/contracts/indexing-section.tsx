import { type ServerHealth, serverHealth } from '@mintmark/admin'
import type { ReactNode } from 'react'
import { useOperation } from '../../api/operations.ts'
import { Badge } from '../../components/badge.tsx'
import { DetailList, type Details, Section } from '../../components/detail-list.tsx'
import { Notice } from '../../components/notice.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { formatChain } from '../../format/chains.ts'
import { formatCount } from '../../format/number.ts'
import { t } from '../../language/translate.ts'
import { useSession } from '../../session/project-context.tsx'
import { contractsTexts } from '../../texts/contracts.ts'

const { indexing: texts } = contractsTexts

/** The chain's blocks arrive every few seconds, so a lag below this is normal. */
const NORMAL_LAG_SECONDS = 60

interface IndexingSectionProps {
  readonly chainId: string
}

/** Shows how far the indexer of a contract's chain is. Only operators may read that. */
export function IndexingSection({ chainId }: IndexingSectionProps): ReactNode {
  const { isOperator } = useSession()
  return (
    <Section title={t('Indexing')}>
      {isOperator ? (
        <ChainLag chainId={chainId} />
      ) : (
        <Notice
          tone="info"
          title={t('Only operators see how far indexing is')}
          advice={t('If owners look out of date, ask an operator to check the health of the chain.')}
        />
      )}
    </Section>
  )
}

function ChainLag({ chainId }: IndexingSectionProps): ReactNode {
  const query = useOperation(serverHealth.get, {})
  return (
    <QueryView query={query}>
      {({ chains }) => {
        const chain = chains.find((each) => each.chainId === chainId)
        if (chain === undefined)
          return (
            <p className="muted">
              {t('This gateway does not read the chain, so its tokens cannot be sold or minted.')}
            </p>
          )
        return <ChainHealth chain={chain} />
      }}
    </QueryView>
  )
}

function ChainHealth({ chain }: { readonly chain: ServerHealth['chains'][number] }): ReactNode {
  const { chainId, problem, newestBlock, lagBlocks, lagSeconds } = chain
  const common: Details = {
    [t('Chain')]: formatChain(chainId),
    [t('Newest block')]: newestBlock === undefined ? '' : formatCount(newestBlock),
  }
  if (problem !== '') {
    const state = <Badge tone="danger">{t('Chain cannot be read')}</Badge>
    return (
      <DetailList
        details={{
          ...common,
          [texts.state]: state,
          [t('Problem')]: problem,
        }}
      />
    )
  }
  if (lagBlocks === undefined || lagSeconds === undefined) {
    return (
      <>
        <DetailList details={common} />
        <p className="muted">
          {t('No contract of this chain is indexed, so transfers outside of this shop are not seen.')}
        </p>
      </>
    )
  }
  const isLate = lagSeconds > NORMAL_LAG_SECONDS
  const state = <Badge tone={isLate ? 'warning' : 'success'}>{isLate ? t('Behind') : t('Up to date')}</Badge>
  return (
    <DetailList
      details={{
        ...common,
        [texts.state]: state,
        [t('Blocks behind')]: formatCount(lagBlocks),
        [t('Time behind')]: `${formatCount(lagSeconds)} s`,
      }}
    />
  )
}
