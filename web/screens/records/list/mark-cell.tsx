import css from './grid.module.css'

type Props = {
  id: string
  title: string
  isMarked: boolean
  isActive: boolean
  onToggle: (isRange: boolean) => void
}

export const MarkCell = ({ id, title, isMarked, isActive, onToggle }: Props) => (
  // biome-ignore lint/a11y/useSemanticElements: a table cannot be drawn in parts
  // biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus and names the active cell
  <div role="gridcell" id={id} aria-colindex={1} className={css.mark} data-active={isActive || undefined}>
    {/* The browser's own: a library's would be most of what a row costs, and rows come and go all the time. */}
    <input
      type="checkbox"
      tabIndex={-1}
      className={css.check}
      aria-label={`Select ${title}`}
      checked={isMarked}
      onChange={({ nativeEvent }) => onToggle(nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)}
      onClick={(event) => event.stopPropagation()}
    />
  </div>
)
