import { Switch } from '@mantine/core'
import { useId } from 'react'
import type { Grant } from '../../../../contract/access.ts'
import { grantGroups, grantWords } from '../../../roles/grants.ts'
import css from './grants.module.css'

type Props = { granted: Grant[]; onChange: (grants: Grant[]) => void }

/** What a role may do beyond records. */
export const GrantSwitches = ({ granted, onChange }: Props) => (
  <section aria-labelledby="grants" className={css.part}>
    <h2 id="grants" className={css.title}>
      Beyond records
    </h2>
    {grantGroups.map((group) => (
      <Group key={group.name} {...group} granted={granted} onChange={onChange} />
    ))}
  </section>
)

function Group({ name, grants, granted, onChange }: Props & { name: string; grants: Grant[] }) {
  const id = useId()
  const set = (grant: Grant, on: boolean) => onChange(on ? [...granted, grant] : granted.filter((one) => one !== grant))
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset brings a legend and borders that do not fit here
    <div role="group" aria-labelledby={id} className={css.group}>
      <h3 id={id}>{name}</h3>
      <div className={css.grants}>
        {grants.map((grant) => (
          <Switch
            key={grant}
            label={grantWords[grant].label}
            description={grantWords[grant].about}
            checked={granted.includes(grant)}
            onChange={(event) => set(grant, event.currentTarget.checked)}
          />
        ))}
      </div>
    </div>
  )
}
