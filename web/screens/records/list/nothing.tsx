import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Contact, FilterX, Upload } from 'lucide-react'
import { inSentence } from '../../../../contract/in-sentence.ts'
import { ApiError } from '../../../client/api.ts'
import type { ObjectShape } from '../../../records/schema.ts'
import { Failure } from '../../../ui/failure.tsx'
import { Message } from '../../../ui/message.tsx'
import css from './list.module.css'
import { NewButton } from './new-button.tsx'
import type { ListState } from './use-list-state.ts'

type Props = { object: ObjectShape; state: ListState; error: unknown; onRetry: () => void; busy: boolean }

/** Instead of rows: nothing there yet, nothing that matches, or a failure. */
export function Nothing({ object, state, error, onRetry, busy }: Props) {
  const many = inSentence(object.label_plural)
  const clear = (
    <Button variant="default" onClick={() => state.change({ filter: '', sort: [] })}>
      Clear filter and sort
    </Button>
  )
  const isMisfit = error instanceof ApiError && error.problem.code === 'invalid_input'
  return (
    <div className={css.nothing}>
      {isMisfit ? (
        <Message icon={FilterX} title="This list cannot be shown as asked" action={clear}>
          {error.problem.detail}
        </Message>
      ) : error ? (
        <Failure error={error} onRetry={onRetry} busy={busy} />
      ) : state.filter ? (
        <Message icon={FilterX} title={`No ${many} match`} action={clear}>
          Nothing fits this filter. Loosen it, or clear it to see everything.
        </Message>
      ) : (
        <Message
          icon={Contact}
          title={`No ${many} yet`}
          action={
            object.rights.create && (
              <div className={css.start}>
                <NewButton object={object} />
                <Button
                  variant="default"
                  size="xs"
                  leftSection={<Upload size={14} aria-hidden="true" />}
                  renderRoot={(props) => <Link {...props} to="/import/$object" params={{ object: object.key }} />}
                >
                  Import a CSV file
                </Button>
              </div>
            )
          }
        >
          Add them here or import them from a file. What your agents add appears here, too.
        </Message>
      )}
    </div>
  )
}
