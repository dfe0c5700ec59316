import { Button } from '@mantine/core'
import { KeyRound, Plus } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../../client/api.ts'
import { AddKey } from '../../../keys/add-key.tsx'
import { Message } from '../../../ui/message.tsx'
import { Section } from '../../../ui/section.tsx'
import type { User } from '../../../users/users.ts'
import { useCompanyKeysChanged } from '../keys/company-keys.ts'
import { KeyTable } from '../keys/key-table.tsx'

export function AgentKeys({ of: agent }: { of: User }) {
  const [adding, setAdding] = useState(false)
  const changed = useCompanyKeysChanged()
  const create = async (name: string) => {
    const made = await api.createAgentApiKey({ user_id: agent.id, name })
    void changed()
    return made
  }
  // A deactivated agent has no keys and gets none.
  const onAdd = agent.state === 'active' ? () => setAdding(true) : undefined
  return (
    <Section title="Keys" about="With a key a program works in Kith as this agent. One key per client.">
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
                <Button leftSection={<Plus size={15} aria-hidden="true" />} onClick={onAdd}>
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
