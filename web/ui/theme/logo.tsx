import css from './logo.module.css'

/** The letter K, built from a round one and a square one beside each other: people and their agents. */
export const Mark = ({ size = 24 }: { size?: number }) => (
  <svg width={size} height={size} viewBox="0 0 24 24" fill="none" aria-hidden="true" className={css.mark}>
    <rect x="2" y="1.5" width="7" height="21" rx="2.5" className={css.front} />
    <circle cx="16.75" cy="6.75" r="5.25" className={css.back} />
    <rect x="11.5" y="13.5" width="10.5" height="9" rx="2.5" className={css.front} />
  </svg>
)

export const Wordmark = () => (
  <span className={css.wordmark}>
    <Mark size={24} />
    Kith
  </span>
)
