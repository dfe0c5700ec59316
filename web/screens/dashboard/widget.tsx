import { builtIns, isBuiltIn } from './built-in-widgets.tsx'
import type { Widget as Defined, WidgetAnswer } from './dashboard-api.ts'
import { WidgetFailed, WidgetSkeleton } from './widget-card.tsx'

type Props = { of: Defined; answer: WidgetAnswer | undefined; isLoading: boolean }

/** One widget, whatever its type: while it loads, with its own error, or with what was computed. */
export function Widget({ of: widget, answer, isLoading }: Props) {
  const title = titleOf(widget)
  if (!answer) return isLoading ? <WidgetSkeleton title={title} /> : null
  if (answer.error !== null) return <WidgetFailed title={title} words={answer.error} />
  if (!isBuiltIn(widget.type)) return null
  const { draw: Draw } = builtIns[widget.type]
  return <Draw title={title} of={answer} />
}

export const titleOf = (widget: Defined) =>
  widget.title || (isBuiltIn(widget.type) ? builtIns[widget.type].title : 'Widget')
