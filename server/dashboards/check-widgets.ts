// A widget can only be saved if it can be computed. If a field is archived later, the widget shows an error.
import { groupsOf, measuresOf, pathsIn, type Widget } from '../../contract/shared/widget.ts'
import { readQuestion } from '../engine/aggregates/question.ts'
import { linkedObject, readFields } from '../engine/read/fields.ts'
import { readSort } from '../engine/read/page.ts'
import { storeFilter } from '../engine/read/stored-filter.ts'
import { findObject, rightsFor, seenBy } from '../engine/rights/rights.ts'
import { mentionsNothingHidden } from '../engine/views/check-view.ts'
import { AppError } from '../kernel/app-error.ts'
import { type Frame, subjectOf } from './figures.ts'
import { mayManageSending, refuseLeadSending } from './lead-sending.ts'

/** The widgets as they are stored: filters with keys and IDs, so that they survive renaming. */
export async function checkWidgets(frame: Frame, widgets: Widget[]): Promise<Widget[]> {
  const checked = []
  for (const [i, widget] of widgets.entries())
    checked.push(
      await checkWidget(frame, widget).catch((error) => {
        throw error instanceof AppError ? at(`widgets.${i}`, error) : error
      }),
    )
  return checked
}

const at = (place: string, { code, message, more }: AppError) =>
  new AppError(code === 'not_found' ? 'invalid_input' : code, message, {
    errors: more.errors?.map((one) => ({ ...one, path: `${place}.${one.path}` })) ?? [{ path: place, message }],
  })

async function checkWidget(frame: Frame, widget: Widget): Promise<Widget> {
  const { context, schema, actor } = frame
  if (widget.type === 'lead_sending') refuseLeadSending(frame)
  if (!('filter' in widget)) return widget
  const object = findObject(schema, actor, objectOf(frame, widget)!)
  const text = widget.filter?.trim() ? (await storeFilter(context, schema, object, widget.filter)).text : ''
  const filter = text || null
  if (widget.type === 'funnel') return { ...widget, filter }
  subjectOf(frame, widget)
  if (widget.type === 'list') {
    readSort(seenBy(actor, object), widget.sort, linkedObject(schema, actor))
    readFields(schema, actor, seenBy(actor, object), widget.fields)
  } else {
    const [measures, group_by] = [measuresOf(widget), groupsOf(widget)]
    await readQuestion(context, { object: object.key, measures, group_by, order: 'key', fill: false })
  }
  return { ...widget, filter }
}

/** Widgets of others are shown only if the caller may see everything that they mention. */
export function isOpenTo(frame: Frame, widget: Widget) {
  const { context, schema, actor } = frame
  if (widget.type === 'lead_sending') return mayManageSending(frame)
  if (!('filter' in widget)) return true
  const object = schema.objects.get(objectOf(frame, widget) ?? '')
  if (!object) return actor.is_admin
  if (rightsFor(actor, object.key).read === 'none') return false
  const columns = pathsIn(widget).map((key) => ({ key }))
  const sort = widget.type === 'list' ? widget.sort : []
  return mentionsNothingHidden(context, schema, object, { filter: widget.filter, sort, columns })
}

/** A funnel is always about deals. */
const objectOf = ({ schema }: Frame, widget: Widget) =>
  widget.type === 'funnel' ? schema.builtIn.get('deals')?.key : 'object' in widget ? widget.object : undefined
