export { newSecret, signatureHeaders, signingKey } from '../platform/standard-webhooks.ts'
