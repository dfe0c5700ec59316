import css from './progress-bar.module.css'

/** How far something is, from 0 to 100. Without a percentage it only shows that something happens. */
export const ProgressBar = ({ label, percent }: { label: string; percent: number | undefined }) => (
  <div
    role="progressbar"
    aria-label={label}
    aria-valuemin={0}
    aria-valuemax={100}
    aria-valuenow={percent}
    className={css.bar}
    data-unknown={percent === undefined || undefined}
  >
    <div style={{ width: `${percent ?? 35}%` }} />
  </div>
)
