import { expect } from 'vitest'
import type { WidgetAnswer } from '../../contract/dashboards.ts'
import type { Api } from '../app.ts'

/** Opens the list behind every figure. Returns how many there were. */
export async function expectLinksToCount(api: Api, widgets: WidgetAnswer[]) {
  const figures = widgets.flatMap(({ type, figures, total, before }) =>
    [...figures, total, before].flatMap((figure) => (figure ? [{ type, figure }] : [])),
  )
  for (const { type, figure } of figures) {
    expect(figure.filter, `${type} ${JSON.stringify(figure)}`).not.toBeNull()
    const { count } = await api.countRecords({ object: figure.object!, filter: figure.filter!, is_exact: true })
    expect(count, `${type}: ${figure.filter}`).toBe(figure.values.count)
  }
  return figures.length
}
