import { Button } from '@mantine/core'
import css from './form.module.css'

type Props = { isPending: boolean; disabled?: boolean; children: string }

/** The end of a form on a page. */
export const FormSubmit = ({ isPending, disabled, children }: Props) => (
  <div className={css.actions}>
    <Button type="submit" loading={isPending} disabled={disabled}>
      {children}
    </Button>
  </div>
)
