import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { pages } from '../../../../contract/shared/pages.ts'
import { api } from '../../../client/api.ts'
import { useSignedIn } from '../../../client/session.ts'
import { RoleSelect } from '../../../roles/role-select.tsx'
import { rolesQuery, useIsAbove } from '../../../roles/roles.ts'
import { Badge, Initials } from '../../../ui/basics/avatar.tsx'
import { focusHeading } from '../../../ui/basics/keyboard.ts'
import { LoadedPage } from '../../../ui/basics/loaded.tsx'
import { say } from '../../../ui/basics/notices.tsx'
import { Section } from '../../../ui/basics/page.tsx'
import confirm from '../../../ui/form/dialog.module.css'
import { Dialog, DialogActions } from '../../../ui/form/dialog.tsx'
import { Form, FormSubmit } from '../../../ui/form/form.tsx'
import { rulesOf } from '../../../ui/form/rules-of.ts'
import { useForm } from '../../../ui/form/use-form.ts'
import { type User, userQuery, useUsersChanged } from '../../../users/users.ts'
import { CompanyPage } from '../company-area.tsx'
import { AgentKeys } from './invite.tsx'
import { Leaving } from './leaving.tsx'
import { MemberDetails } from './member-details.tsx'
import css from './member-links.module.css'
import { MemberLinks } from './member-links.tsx'
import { UserBadges } from './members.tsx'

const route = getRouteApi('/frame/company-area/company/members/$id')

export function Member() {
  const { id } = route.useParams()
  const user = useQuery(userQuery(id))
  return (
    <LoadedPage query={user} what="member" back={pages.company}>
      {(user) => <MemberOf key={id} user={user} />}
    </LoadedPage>
  )
}

function MemberOf({ user }: { user: User }) {
  const { may } = useSignedIn()
  const isAbove = useIsAbove()(user.role)
  const manages = may('members.manage') && !isAbove
  return (
    <CompanyPage title={user.name} lead={<MemberLead of={user} />}>
      <MemberDetails of={user} editable={manages} />
      {manages && (
        <>
          <MemberRole of={user} />
          {user.kind === 'person' && user.state !== 'deactivated' && <MemberLinks of={user} />}
          {user.kind === 'agent' && <AgentKeys of={user} />}
          <Leaving of={user} />
        </>
      )}
      {may('members.manage') && isAbove && <OutOfReach of={user} />}
    </CompanyPage>
  )
}

function MemberLead({ of: user }: { of: User }) {
  const { me } = useSignedIn()
  return (
    <span className={css.lead}>
      <Initials name={user.name} pictureId={user.picture_id} size={24} />
      <Badge>{user.role}</Badge>
      <UserBadges of={user} />
      {user.id === me.id && 'This is you.'}
    </span>
  )
}

function MemberRole({ of: user }: { of: User }) {
  const changed = useUsersChanged()
  const { data: roles } = useQuery(rolesQuery)
  const [asking, ask] = useState(false)
  const { form, values, choice, isDirty } = useForm({
    input: rulesOf(
      () => import('../../../../contract/members.ts'),
      ({ members }) => members.updateUserRole.input,
    ),
    initial: { role: user.role },
    ask: ({ role }) => ({ id: user.id, role }),
    send: api.updateUserRole,
    read: ({ role }) => ({ role }),
    onDone: (user) => {
      void changed(user)
      say(`${user.name} now has the role ${user.role}`)
      focusHeading() // The button has nothing more to do and is off.
    },
  })
  const makesAdmin = isDirty && roles?.find(({ name }) => name === values.role)?.is_admin
  return (
    <Section title="Role" about="Role changes take effect immediately.">
      <Form of={makesAdmin ? { ...form, submit: () => ask(true) } : form}>
        <RoleSelect {...choice('role')} />
        <FormSubmit of={form} disabled={!isDirty}>
          Change role
        </FormSubmit>
      </Form>
      {asking && <MakeAdmin of={user} role={values.role} onSure={form.submit} onClose={() => ask(false)} />}
    </Section>
  )
}

/** Shown instead of the actions if the member's role has more permissions than yours. */
const OutOfReach = ({ of: user }: { of: User }) => (
  <Section title="Changes">
    <p className={css.text}>
      The role {user.role} has permissions that yours does not have, so you cannot change {user.name}. Ask an Admin to
      do it.
    </p>
  </Section>
)

type Props = { of: User; role: string; onSure: () => void; onClose: () => void }

/** Someone with this role could remove it from the user who assigned it. */
const MakeAdmin = ({ of: user, role, onSure, onClose }: Props) => (
  <Dialog title={`Make ${user.name} an ${role}?`} onClose={onClose}>
    <div className={confirm.text}>
      <p>
        {user.kind === 'agent' ? 'The agent' : 'They'} will be able to do everything: read and delete all records,
        change settings and roles, and remove anyone, including you.
      </p>
    </div>
    <DialogActions>
      <Button variant="default" onClick={onClose} data-autofocus>
        Cancel
      </Button>
      <Button
        onClick={() => {
          onClose()
          onSure()
        }}
      >
        Make {role}
      </Button>
    </DialogActions>
  </Dialog>
)
