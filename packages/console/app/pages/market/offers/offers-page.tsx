import { offers } from '@mintmark/market'
import type { ReactNode } from 'react'
import { createStatusFilter } from '../../../components/badge.tsx'
import { OfferButtons, offerColumns, offerStatuses } from '../../../components/offers/offer-table.tsx'
import { ResourcePage } from '../../../components/resource.tsx'
import { Segments } from '../../../components/segments.tsx'
import { isWalletAddress } from '../../../format/identifier.ts'
import { t } from '../../../language/translate.ts'
import { useSearchState } from '../../../navigation/use-address.ts'
import { useProject } from '../../../session/project-context.tsx'
import { MarketTabs } from '../market-tabs.tsx'

const operations = { received: offers.received, made: offers.mine }
const empty = {
  received: {
    title: t('No offers received'),
    advice: t('Offers for the tokens of this wallet appear here.'),
  },
  made: { title: t('No offers made'), advice: t('Offers that this wallet makes appear here.') },
}

/** The offers that a wallet received or made; at first those of the person's own wallet. */
export function OffersPage(): ReactNode {
  const { wallet: own } = useProject()
  const [search, setSearch] = useSearchState('wallet', 'side')
  const { wallet = own } = search
  const side = search.side === 'made' ? 'made' : 'received'
  const operation = operations[side]
  return (
    <ResourcePage<typeof operation>
      operation={operation}
      title={t('Offers')}
      description={t('Prices that buyers propose for tokens. Offers belong to wallets: choose one.')}
      above={<MarketTabs current="offers" />}
      filters={{
        wallet: {
          label: t('Wallet'),
          initial: own,
          toInput: (address) => (isWalletAddress(address) ? { address } : undefined),
        },
        status: createStatusFilter(offerStatuses),
      }}
      view={
        <Segments
          label={t('Direction')}
          value={side}
          options={[
            { value: 'received', label: t('Received') },
            { value: 'made', label: t('Made') },
          ]}
          onChange={(value) => setSearch({ side: value })}
        />
      }
      columns={offerColumns}
      renderActions={(offer) => <OfferButtons offer={offer} wallet={wallet} side={side} />}
      empty={{ icon: 'market', ...empty[side] }}
      impossible={{
        icon: 'wallet',
        title: t('Choose a wallet'),
        advice: t('Enter the address of the wallet whose offers you want to see.'),
      }}
    />
  )
}
