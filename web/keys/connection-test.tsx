import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { CircleAlert, CircleCheck, PlugZap } from 'lucide-react'
import { useState } from 'react'
import { keysQuery } from './keys.ts'
import { listTools, type Outcome } from './list-tools.ts'
import css from './new-key.module.css'

/** Plain state on purpose: a mutation would hold on to the key after the dialog is gone. */
export function ConnectionTest({ value }: { value: string }) {
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState<Outcome>()
  const test = async () => {
    setBusy(true)
    setOutcome(await listTools(value))
    setBusy(false)
    // The test is a use of the key, so the list behind the dialog is no longer true.
    void client.invalidateQueries({ queryKey: keysQuery.queryKey })
  }
  return (
    <section className={css.part} aria-label="Connection">
      <div className={css.head}>
        <h3>Does it work?</h3>
        <Button
          variant="default"
          size="xs"
          loading={busy}
          leftSection={<PlugZap size={14} aria-hidden="true" />}
          onClick={test}
        >
          Test connection
        </Button>
      </div>
      <p className={css.hint}>Asks the MCP endpoint, with this key, for the tools that it unlocks.</p>
      <div role="status">{outcome && <Result outcome={outcome} />}</div>
    </section>
  )
}

function Result({ outcome }: { outcome: Outcome }) {
  if ('fault' in outcome)
    return (
      <div className={css.outcome}>
        <CircleAlert size={16} aria-hidden="true" />
        <div>
          <p>{outcome.fault}</p>
          <p>{outcome.todo}</p>
        </div>
      </div>
    )
  const { tools } = outcome
  return (
    <>
      <div className={css.outcome} data-tone="ok">
        <CircleCheck size={16} aria-hidden="true" />
        <p>Connected. The key unlocks {tools.length === 1 ? '1 tool' : `${tools.length} tools`}.</p>
      </div>
      <ul className={css.tools} aria-label="Tools">
        {tools.map((name) => (
          <li key={name}>{name}</li>
        ))}
      </ul>
    </>
  )
}
