// Offers what could be typed next, as the filter language says. Tab takes the first offer, Enter applies the filter.
import {
  acceptCompletion,
  autocompletion,
  type CompletionContext,
  type CompletionResult,
  closeCompletion,
  completionStatus,
  moveCompletionSelection,
  type Completion as Offered,
  selectedCompletion,
  startCompletion,
} from '@codemirror/autocomplete'
import { EditorView } from '@codemirror/view'
import {
  type Completion,
  type CompletionScope,
  complete,
  hasFaults,
  readFilter,
  referencesIn,
  type Scope,
} from '../../../contract/filter/index.ts'
import css from './filter-box.module.css'

type KnowScope = () => CompletionScope

export const completing = (scope: KnowScope) => [
  autocompletion({
    override: [(context) => offer(context, scope) ?? offerRecords(context, scope)],
    selectOnOpen: false,
    activateOnTypingDelay: 30,
    interactionDelay: 0,
    activateOnCompletion: () => true,
    icons: false,
    tooltipClass: () => css.offers!,
  }),
  dotAfterName(scope),
]

function offer({ state, pos, explicit }: CompletionContext, scope: KnowScope): CompletionResult | null {
  const text = state.doc.toString()
  const { from, options } = complete(text, pos, scope())
  const isTyped = options.length === 1 && options[0]!.apply.trim() === text.slice(from, pos)
  if (!options.length || (isTyped && !explicit)) return null
  return {
    from,
    options: options.map(asOffered),
    filter: false,
    // With the key itself, so that Tab never takes an offer for an earlier text.
    update: (_, _from, _to, context) => offer(context, scope),
  }
}

function asOffered({ label, detail, apply }: Completion): Offered {
  // A name alone is not a condition yet: after a blank, the operators are offered.
  const isField = detail.includes(' · ')
  return { label, detail: detail === label ? '' : detail, apply: isField ? `${apply} ` : apply }
}

const pauseMs = 150

/** The records are the server's, so they wait for a pause. */
async function offerRecords(context: CompletionContext, scope: KnowScope) {
  const superseded = new AbortController()
  context.addEventListener('abort', () => superseded.abort(), { onDocChange: true })
  await new Promise((resolve) => setTimeout(resolve, pauseMs))
  if (context.aborted) return null
  return recordOffers(context.state.doc.toString(), context.pos, scope(), superseded.signal).catch(() => null)
}

/** The blank after a name is removed when the path continues: organization.country. */
const dotAfterName = (scope: KnowScope) =>
  EditorView.inputHandler.of((view, from, to, text) => {
    const before = view.state.sliceDoc(0, from)
    if (text !== '.' || from !== to || !before.endsWith(' ')) return false
    if (!complete(`${before.slice(0, -1)}.`, from, scope()).options.length) return false
    const changes = { from: from - 1, to, insert: '.' }
    view.dispatch({ changes, selection: { anchor: from }, userEvent: 'input.type' })
    startCompletion(view)
    return true
  })

/** Enter: takes the offer that was chosen with the arrow keys. */
export const takeChosen = (view: EditorView) => selectedCompletion(view.state) !== null && acceptCompletion(view)

/** Tab: takes the first offer, unless another one was chosen. */
export function takeFirst(view: EditorView) {
  const status = completionStatus(view.state)
  if (status === 'active' && !selectedCompletion(view.state)) moveCompletionSelection(true)(view)
  return status === 'active' ? acceptCompletion(view) : status === 'pending'
}

/** Whether there was an offer to close. One that is still being looked up is dropped too. */
export function closeOffers(view: EditorView) {
  const wasShown = completionStatus(view.state) === 'active'
  closeCompletion(view)
  return wasShown
}

// Offers records by their title where a relation is compared: the language knows the field, the server the records.

import { quote, unquote } from '../../../contract/filter/strings.ts'
import { own } from '../../../contract/shared/own.ts'
import { findRecords } from '../data/find-records.ts'

const mark = 'the name being typed'

/** The objects whose records fit after this beginning of a filter; nothing where no record belongs. */
function objectsAfter(before: string, scope: Scope) {
  const bare = before.replace(/"(?:[^"\\]|\\[\s\S])*"|`[^`]*`/g, '')
  const open = bare.split('(').length - bare.split(')').length
  const read = readFilter(before + quote(mark) + ')'.repeat(Math.max(0, open)), scope)
  if (hasFaults(read)) return undefined
  return referencesIn(read.checked).find(({ kind, text }) => kind === 'record' && text === mark)?.objects
}

async function recordOffers(text: string, cursor: number, scope: Scope, signal: AbortSignal) {
  const typed = /"(?:[^"\\]|\\[\s\S])*$|[^\s()"',=<>!~]*$/.exec(text.slice(0, cursor))![0]
  const from = cursor - typed.length
  const objects = typed && objectsAfter(text.slice(0, from), scope)
  if (!objects) return null
  const words = typed.startsWith('"') ? unquote(`${typed}"`) : typed
  const found = words.trim() ? await findRecords(objects, words.trim(), { limit: 10, signal }) : []
  const isAlone = (title: string) => found.filter((one) => one.title === title).length === 1
  const options = found.map(({ id, title, object }) => ({
    label: title,
    detail: own(scope.objects, object)?.label ?? object,
    apply: isAlone(title) ? quote(title) : id,
  }))
  return options.length ? { from, options, filter: false } : null
}
