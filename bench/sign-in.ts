// An unknown email address must take as long as a wrong password, so that no one can find out who has an account.
import { hashPassword, verifyPassword } from '../server/accounts/credentials/passwords.ts'
import { median } from './harness.ts'

const rounds = 60
const stored = await hashPassword('correct horse battery')
const took = async (hash: string | null) => {
  const began = performance.now()
  await verifyPassword('a wrong password', hash)
  return performance.now() - began
}
await took(null) // The dummy hash is made once.
const known: number[] = []
const unknown: number[] = []
for (let round = 0; round < rounds; round++) {
  known.push(await took(stored))
  unknown.push(await took(null))
}
console.log(`wrong password  ${median(known).toFixed(2)} ms (median of ${rounds})`)
console.log(`unknown email   ${median(unknown).toFixed(2)} ms; ratio ${(median(unknown) / median(known)).toFixed(3)}`)
