export * from '@mintmark/transport/testing'
