import type { ChainObservation } from '@mintmark/facilitator/operator'
import type { ReactNode } from 'react'
import { Identifier } from '../../components/copy-button.tsx'
import { Notice } from '../../components/notice.tsx'
import { findExplorerLink } from '../../format/chains.ts'
import { settlementTexts } from '../../texts/facilitator.ts'
import { toChainId } from './facilitator-format.ts'

const { observation: texts } = settlementTexts

interface ObservationNoticeProps {
  readonly observation: ChainObservation
  /** The CAIP-2 id of the chain. */
  readonly network: string
}

/** Says what the chain shows of a payment now. */
export function ObservationNotice({ observation, network }: ObservationNoticeProps): ReactNode {
  const { transaction } = observation
  const { tone, title, advice } = describe(observation)
  return (
    <Notice
      tone={tone}
      title={title}
      advice={
        <>
          {advice}
          {transaction !== '' && (
            <div>
              <Identifier
                value={transaction}
                link={findExplorerLink(toChainId(network), 'tx', transaction)}
              />
            </div>
          )}
        </>
      }
    />
  )
}

function describe({ outcome, isFinal, reason }: ChainObservation) {
  switch (outcome) {
    case 'settled': {
      const state = isFinal ? settlementTexts.final : settlementTexts.notFinal
      return { tone: 'success', ...texts.settled(state) } as const
    }
    case 'failed':
      return { tone: 'danger', ...texts.failed(reason) } as const
    case 'open':
      return {
        tone: 'info',
        title: 'The chain has not decided yet',
        advice: 'The payment was not made, and it can still be made.',
      } as const
    default:
      return { tone: 'warning', ...texts.unreadable(reason) } as const
  }
}
