import type { Listing } from '@mintmark/market'
import { connection } from 'next/server'
import { formatAmount, formatToken } from '../lib/format.ts'
import { listListings } from '../lib/shop.ts'
import { Artwork } from './artwork.tsx'
import { OrderForm } from './order-form.tsx'

export default async function ShopPage() {
  // Listings and settings are read for each request, not by the build.
  await connection()
  const listings = await listListings()
  return (
    <>
      <h1>For sale</h1>
      {listings.length === 0 && <p>Everything is sold. Please come back later.</p>}
      <ul className="listings">
        {listings.map((listing) => (
          <li key={listing.id} className="panel">
            <ListingPanel listing={listing} />
          </li>
        ))}
      </ul>
    </>
  )
}

function ListingPanel({ listing }: { readonly listing: Listing }) {
  return (
    <>
      <Artwork name={listing.nftName} image={listing.nftImg} />
      <h2>{listing.nftName}</h2>
      <p className="price">
        {formatAmount(listing.payPrice, listing.payTokenDecimals)} {formatToken(listing)}
      </p>
      <p>{listing.remaining > 0 ? `${listing.remaining} left` : 'All are reserved at the moment.'}</p>
      {/* The key identifies this form, so that sending it twice places one order. */}
      {listing.remaining > 0 && <OrderForm listingId={listing.id} formKey={crypto.randomUUID()} />}
    </>
  )
}
