import './words.ts'
import { apiKeys } from './api-keys.ts'
import { audit } from './audit.ts'
import { changes } from './changes.ts'
import { company } from './company.ts'
import { me } from './me.ts'
import { members } from './members.ts'
import { requests } from './requests.ts'
import { session } from './session.ts'
import { setUp } from './set-up.ts'

/** The whole product as one object: every door and every test is read from it. */
export const contract = {
  ...setUp,
  ...session,
  ...me,
  ...company,
  ...members,
  ...apiKeys,
  ...changes,
  ...audit,
  ...requests,
}

export type OperationName = keyof typeof contract
