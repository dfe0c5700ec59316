// When a deal entered a stage, for filters: `entered_proposal in this_month`. Deals can enter a stage more than once.
import type { FilterField } from '../filter/fields.ts'

type StageField = { options?: { key: string; label: string }[] | null | undefined }

export const enteredKey = (stage: string) => `entered_${stage}`

/** One for each option of the stage of deals. `stage` is its key. */
export const enteredFields = ({ options }: StageField): (FilterField & { stage: string })[] =>
  (options ?? []).map(({ key, label }) => ({
    key: enteredKey(key),
    label: `Entered ${label}`,
    type: 'datetime',
    multi: true,
    stage: key,
  }))
