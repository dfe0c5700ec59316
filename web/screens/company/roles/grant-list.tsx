import { Check, Minus } from 'lucide-react'
import { grants as allGrants } from '../../../../contract/access.ts'
import { grantGroups, grantWords } from '../../../roles/grants.ts'
import type { Role } from '../../../roles/roles.ts'
import css from './grant-list.module.css'

/** What a role may do beyond records, to be read. An Admin has every grant. */
export function GrantList({ role: { is_admin, grants } }: { role: Role }) {
  const held = is_admin ? allGrants : grants
  return (
    <section aria-labelledby="grants" className={css.part}>
      <h2 id="grants">Beyond records</h2>
      <ul>
        {grantGroups
          .flatMap((group) => group.grants)
          .map((grant) => (
            <li key={grant} data-held={held.includes(grant) || undefined}>
              {held.includes(grant) ? <Check size={15} aria-label="Yes:" /> : <Minus size={15} aria-label="No:" />}
              <span>
                {grantWords[grant].label}
                <small>{grantWords[grant].about}</small>
              </span>
            </li>
          ))}
      </ul>
    </section>
  )
}
