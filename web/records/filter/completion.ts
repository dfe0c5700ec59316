// Offers what could be typed next, as the filter language says.
import {
  acceptCompletion,
  autocompletion,
  type CompletionContext,
  type CompletionResult,
  closeCompletion,
  completionStatus,
  currentCompletions,
  type Completion as Offered,
  selectedCompletion,
  selectedCompletionIndex,
  startCompletion,
} from '@codemirror/autocomplete'
import type { EditorState } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { type Completion, type CompletionScope, complete } from '../../../contract/filter/index.ts'
import css from './filter-editor.module.css'
import { recordOffers } from './record-offers.ts'

type KnowScope = () => CompletionScope
type Offer = CompletionResult | null
/** `typed` is what it would replace. */
type Known = Offered & { typed?: string }
type IsWhole = (text: string) => boolean

export const completing = (scope: KnowScope, isWhole: IsWhole) => [
  autocompletion({
    override: [
      (context) => {
        if (isLong(context)) return afterPause(context, () => offer(context, scope))
        return offer(context, scope) ?? afterPause(context, () => offerRecords(context, scope))
      },
    ],
    activateOnTypingDelay: 30,
    interactionDelay: 0,
    activateOnCompletion: () => true,
    icons: false,
    tooltipClass: (state) => (isLeftAlone(state, isWhole) ? `${css.offers} ${css.aside}` : css.offers!),
  }),
  dotAfterName(scope),
]

// To see what may follow costs some parses of all that stands before: in a long text that waits for a pause.
const longText = 1500
const pauseMs = 150
const isLong = ({ state, explicit }: CompletionContext) => state.doc.length > longText && !explicit

async function afterPause(context: CompletionContext, ask: () => Offer | Promise<Offer>): Promise<Offer> {
  context.addEventListener('abort', () => {}, { onDocChange: true })
  await new Promise((resolve) => setTimeout(resolve, pauseMs))
  return context.aborted ? null : ask()
}

const offerRecords = ({ state, pos }: CompletionContext, scope: KnowScope) =>
  recordOffers(state.doc.toString(), pos, scope()).catch(() => null)

function offer({ state, pos, explicit }: CompletionContext, scope: KnowScope): Offer {
  const text = state.doc.toString()
  const { from, options } = complete(text, pos, scope())
  const typed = text.slice(from, pos)
  const isDone = !explicit && options.some(({ apply }) => apply.trim() === typed) && options.length === 1
  if (!options.length || isDone) return null
  // At once with the next key, so that Enter never meets an offer that is out of date.
  const update = (_: CompletionResult, _from: number, _to: number, context: CompletionContext) =>
    isLong(context) ? null : offer(context, scope)
  return { from, options: options.map((option) => ({ ...asOffered(option), typed })), filter: false, update }
}

function asOffered({ label, detail, apply }: Completion): Offered {
  // A name alone says nothing yet: with a blank behind it the operators come up.
  const isField = detail.includes(' · ')
  return { label, detail: detail === label ? '' : detail, apply: isField ? `${apply} ` : apply }
}

/** The blank that a picked name brought gives way when the path goes on: organization.country. */
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

/** Those to which somebody moved, though they stood first. */
const movedTo = new WeakSet<Offered>()

/** Where the filter is whole already, Enter applies it: what only goes on from there waits until one moves to it. */
function isLeftAlone(state: EditorState, isWhole: IsWhole) {
  const chosen: Known | null = selectedCompletion(state)
  if (!chosen || selectedCompletionIndex(state) || movedTo.has(chosen)) return false
  const { typed, apply, label } = chosen
  const isTyped = typed === (typeof apply === 'string' ? apply.trim() : label)
  return (typed === '' || isTyped) && isWhole(state.doc.toString())
}

/** Moves to the first offer where it was left alone. Any other move is the editor's own. */
export function moveToFirst({ state, dispatch }: EditorView, isWhole: IsWhole) {
  const wasAlone = isLeftAlone(state, isWhole)
  const [first] = currentCompletions(state)
  if (first) movedTo.add(first)
  if (wasAlone) dispatch({})
  return wasAlone
}

/** Takes what is offered, unless it is left alone. */
export function takeOffer(view: EditorView, isWhole: IsWhole) {
  if (completionStatus(view.state) !== 'active' || !selectedCompletion(view.state)) return false
  if (!isLeftAlone(view.state, isWhole)) return acceptCompletion(view)
  closeCompletion(view)
  return false
}

/** Whether there was an offer to be seen. One that is still on its way is called off too. */
export function refuseOffer(view: EditorView) {
  const wasShown = completionStatus(view.state) === 'active'
  closeCompletion(view)
  return wasShown
}
