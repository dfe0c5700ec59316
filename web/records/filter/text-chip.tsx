import css from './chip.module.css'
import { RemoveButton } from './chip.tsx'
import { FilterText } from './filter-text.tsx'

type Props = { text: string; isNot: boolean; onOpen: () => void; onRemove: () => void }

/** What has no form, as it is written. It opens the text. */
export const TextChip = ({ text, isNot, onOpen, onRemove }: Props) => (
  <span className={css.chip}>
    <button type="button" className={css.condition} title="Edit as text" onClick={onOpen}>
      {isNot && <span className={css.not}>not </span>}
      <FilterText text={text} />
    </button>
    <RemoveButton what={text} onRemove={onRemove} />
  </span>
)
