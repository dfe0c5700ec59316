import { Button, Checkbox, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { KeyRound, Plus } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../../client/api.ts'
import { memberPage } from '../../../client/areas.ts'
import { AddKey } from '../../../keys/add-key.tsx'
import { KeyTable, useCompanyKeysChanged } from '../../../keys/key-table.tsx'
import { agentRecipes } from '../../../roles/recipes.ts'
import { RoleSelect } from '../../../roles/role-select.tsx'
import { rolesQuery, useIsAdmin, useRolesChanged } from '../../../roles/roles.ts'
import { Section } from '../../../ui/basics/page.tsx'
import { Message } from '../../../ui/basics/states.tsx'
import { Dialog, DialogActions } from '../../../ui/form/dialog.tsx'
import { DialogForm } from '../../../ui/form/form.tsx'
import { rulesOf } from '../../../ui/form/rules-of.ts'
import { useForm } from '../../../ui/form/use-form.ts'
import { type User, useUsersChanged } from '../../../users/users.ts'
import { type MadeLink, ShownLink } from './member-links.tsx'

/** Asks whom to invite, then shows the link, which lives in this component alone and goes with it. */
export function Invite({ onClose }: { onClose: () => void }) {
  const [made, setMade] = useState<MadeLink & { email: string }>()
  if (!made)
    return (
      <Dialog title="Invite a teammate" onClose={onClose}>
        <InviteForm onMade={setMade} onCancel={onClose} />
      </Dialog>
    )
  return (
    <Dialog title={`${made.email} is invited`} size={520} onClose={onClose}>
      <ShownLink of={made} />
      <DialogActions>
        <Button variant="default" onClick={() => setMade(undefined)}>
          Invite another
        </Button>
        <Button variant="default" onClick={onClose}>
          Done
        </Button>
      </DialogActions>
    </Dialog>
  )
}

type Props = { onMade: (made: MadeLink & { email: string }) => void; onCancel: () => void }

function InviteForm({ onMade, onCancel }: Props) {
  const changed = useUsersChanged()
  const { data: mail } = useQuery({ queryKey: ['mail', 'status'], queryFn: () => api.getMailStatus({}), staleTime: 0 })
  const { form, values, text, choice, checked } = useForm({
    input: rulesOf(
      () => import('../../../../contract/account-links.ts'),
      ({ accountLinks }) => accountLinks.inviteUser.input,
    ),
    initial: { email: '', name: '', role: 'Member', send: true },
    ask: ({ name, ...values }) => ({ ...values, name: name.trim() || undefined }),
    send: api.inviteUser,
    onDone: (made) => {
      void changed()
      onMade({ ...made, email: made.user.email ?? values.email })
    },
  })
  return (
    <DialogForm of={form} action="Invite" onCancel={onCancel}>
      <TextInput label="Email" type="email" autoComplete="off" data-autofocus {...text('email')} />
      <TextInput
        label="Name"
        description="Optional. They can change it when they join."
        autoComplete="off"
        {...text('name')}
      />
      <RoleSelect {...choice('role')} />
      {mail?.is_set_up ? (
        <Checkbox
          label="Send it by email too"
          description="You also get a link that you can share."
          {...checked('send')}
        />
      ) : (
        mail && <p>Mail is not set up. You get a link to share yourself.</p>
      )}
    </DialogForm>
  )
}

export function AddAgent({ onClose }: { onClose: () => void }) {
  const changed = useUsersChanged()
  const navigate = useNavigate()
  const isAdmin = useIsAdmin()
  const rolesChanged = useRolesChanged()
  const { data: roles = [] } = useQuery(rolesQuery)
  const isKnown = (role: string) => roles.some(({ name }) => name === role)
  // Only Admins can create a role; others choose from those that exist.
  const recipes = agentRecipes.filter(({ name }) => isAdmin || isKnown(name)).toReversed()
  const { form, text, choice } = useForm({
    input: rulesOf(
      () => import('../../../../contract/members.ts'),
      ({ members }) => members.createUser.input,
    ),
    initial: { name: '', role: recipes[0]?.name ?? 'Member' },
    ask: (values) => ({ ...values, kind: 'agent' as const }),
    send: async (sent) => {
      const recipe = agentRecipes.find(({ name }) => name === sent.role)
      if (recipe && !isKnown(recipe.name)) {
        const { id: _, ...role } = recipe
        await api.createRole(role)
        await rolesChanged()
      }
      return api.createUser(sent)
    },
    onDone: (agent) => {
      void changed(agent)
      return navigate({ to: memberPage, params: { id: agent.id } })
    },
  })
  return (
    <Dialog title="Add an agent" onClose={onClose}>
      <DialogForm
        of={form}
        about="An agent is a user with a role but no password. It signs in with API keys only. Start with a limited role; you can change it later."
        action="Add agent"
        onCancel={onClose}
      >
        <TextInput
          label="Name"
          description="Everything it does is shown under this name."
          autoComplete="off"
          data-autofocus
          {...text('name')}
        />
        <RoleSelect recipes={recipes} {...choice('role')} />
      </DialogForm>
    </Dialog>
  )
}

export function AgentKeys({ of: agent }: { of: User }) {
  const [adding, setAdding] = useState(false)
  const changed = useCompanyKeysChanged()
  const create = async (name: string) => {
    const made = await api.createAgentApiKey({ id: agent.id, name })
    void changed()
    return made
  }
  // A deactivated agent has no keys and gets none.
  const onAdd = agent.state === 'active' ? () => setAdding(true) : undefined
  return (
    <Section title="Keys" about="A program with one of these keys acts as this agent. Use one key per client.">
      <KeyTable
        userId={agent.id}
        label={`Keys of ${agent.name}`}
        onAdd={onAdd}
        empty={
          <Message
            icon={KeyRound}
            title="No keys yet"
            action={
              onAdd && (
                <Button leftSection={<Plus size={15} />} onClick={onAdd}>
                  Add
                </Button>
              )
            }
          >
            {onAdd ? 'Until it has a key, this agent cannot do anything.' : 'Reactivate the agent to give it a key.'}
          </Message>
        }
      />
      {adding && <AddKey create={create} onClose={() => setAdding(false)} />}
    </Section>
  )
}
