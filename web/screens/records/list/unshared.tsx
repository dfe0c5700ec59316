import { CloseButton } from '@mantine/core'
import { inSentence } from '../../../../contract/in-sentence.ts'
import type { ObjectShape } from '../../../records/schema.ts'
import css from './list.module.css'
import type { ListState } from './use-list-state.ts'

/** Instead of a view of somebody else: what one sees is not what they see. */
export const Unshared = ({ object, state }: { object: ObjectShape; state: ListState }) => (
  <div role="status" className={css.unshared}>
    <span>
      This view is not shared with you.{' '}
      {state.isChanged ? 'You see what its link says.' : `You see all ${inSentence(object.label_plural)}.`}
    </span>
    <CloseButton size="sm" aria-label="Dismiss" onClick={state.forgetUnshared} />
  </div>
)
