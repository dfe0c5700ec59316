import { Section } from '../../../ui/section.tsx'
import type { User } from '../../../users/users.ts'
import css from './member.module.css'

/** In place of what one could do, had one's own role the same rights. */
export const OutOfReach = ({ of: user }: { of: User }) => (
  <Section title="Changes">
    <p className={css.text}>
      The role {user.role} has rights that yours has not, so you cannot change {user.name}. Ask an Admin to do it.
    </p>
  </Section>
)
