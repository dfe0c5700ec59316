import css from './rotation-steps.module.css'

const steps = ['Create a new key.', 'Point every client that holds the old key at the new one.', 'Delete the old key.']

/** In this order no client is ever without a working key. `current` counts from 0; what comes before it is done. */
export const RotationSteps = ({ current }: { current?: number }) => (
  <ol className={css.steps}>
    {steps.map((step, index) => (
      <li
        key={step}
        aria-current={index === current ? 'step' : undefined}
        data-done={(current !== undefined && index < current) || undefined}
      >
        {step}
      </li>
    ))}
  </ol>
)
