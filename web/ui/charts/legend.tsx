import css from './charts.module.css'
import type { Paint } from './data.ts'

export const Swatch = ({ paint, isLine }: { paint: Paint; isLine?: boolean }) => (
  <span
    className={css.swatch}
    data-hue={paint.hue}
    data-line={isLine || undefined}
    data-hatched={paint.isHatched || undefined}
    style={{ color: paint.color }}
    aria-hidden="true"
  />
)

type Props = { items: { label: string; paint: Paint }[]; isLine?: boolean }

/** Which color is which series, in the order in which they are drawn. `data-legend` is for the picture. */
export const Legend = ({ items, isLine }: Props) => (
  <ul className={css.legend} data-legend>
    {items.map(({ label, paint }) => (
      <li key={label}>
        <Swatch paint={paint} isLine={isLine} />
        <bdi title={label}>{label}</bdi>
      </li>
    ))}
  </ul>
)
