export * as productCards from './product-cards.ts'
