import { type ComponentType, lazy, Suspense } from 'react'

/** A part of a page that few open, such as a large form: its script comes when it is shown. */
export function later<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  const Later = lazy(async () => ({ default: await load() }) as { default: ComponentType<object> })
  return (props: Props) => (
    <Suspense>
      <Later {...props} />
    </Suspense>
  )
}
