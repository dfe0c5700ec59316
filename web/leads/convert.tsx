// Converting leads, which is loaded when someone asks for it.
import { ArrowRightLeft } from 'lucide-react'
import { type ComponentProps, lazy, Suspense } from 'react'

export const ConvertIcon = ArrowRightLeft

const LaterDialog = lazy(() => import('./convert-dialog.tsx').then(({ ConvertDialog }) => ({ default: ConvertDialog })))
const LaterMany = lazy(() => import('./convert-many.tsx').then(({ ConvertMany }) => ({ default: ConvertMany })))

export const ConvertDialog = (props: ComponentProps<typeof LaterDialog>) => (
  <Suspense>
    <LaterDialog {...props} />
  </Suspense>
)

export const ConvertMany = (props: ComponentProps<typeof LaterMany>) => (
  <Suspense>
    <LaterMany {...props} />
  </Suspense>
)
