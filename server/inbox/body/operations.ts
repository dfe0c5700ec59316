// The content of a message as its sender made it, and its files.
import type { messages } from '../../../contract/messages.ts'
import type { Files } from '../../files/queries.ts'
import { actorOf, type Context } from '../../kernel/context.ts'
import type { Handlers } from '../../kernel/run.ts'
import { Params, run } from '../../kernel/statement.ts'
import type { Outbound } from '../../platform/public-fetch.ts'
import { audiencesOf, isVisible, noSuchMessage } from '../access/visible.ts'
import { bodyDocument, bodyPolicy, textAsHtml } from '../content/body-document.ts'
import { messageFile } from '../sending/attachments.ts'
import type { MessageFile } from '../thread/message.ts'
import { embeddedImages, remoteImages } from './images.ts'

type Services = { files: Files; outbound: Outbound }
type Operations = Pick<Handlers<typeof messages>, 'getMessageBody' | 'downloadMessageFile'>

export const bodyOperations = ({ files, outbound }: Services): Operations => ({
  async getMessageBody(context, { id, images, theme }) {
    const { text, quote_at, html: stored, files: listed } = await contentOf(context, id)
    const parts = { text: text.slice(0, quote_at ?? text.length), quote: quote_at === null ? '' : text.slice(quote_at) }
    const html = stored ?? textAsHtml(parts)
    const page = bodyDocument(html, {
      images: await embeddedImages(files, actorOf(context).company_id, html, listed),
      remote: images ? await remoteImages(outbound.fetch, html) : null,
      quote: 'folded',
      theme,
    })
    const content = Buffer.from(page)
    return { name: 'message.html', type: 'text/html; charset=utf-8', content, policy: bodyPolicy, isShown: true }
  },

  downloadMessageFile: (context, { id, file_id }) => fileOfMessage(files)(context, id, file_id),
})

export const fileOfMessage = (files: Files) => async (context: Context, id: string, file_id: string) => {
  const { files: listed } = await contentOf(context, id)
  return messageFile(context, files, listed, file_id)
}

async function contentOf(context: Context, id: string) {
  const audiences = await audiencesOf(context)
  const params = new Params()
  const [row] = await run<{ text: string; quote_at: number | null; html: string | null; files: MessageFile[] }>(
    context.db,
    `select m.text, m.quote_at, m.html, m.files from messages m where ${isVisible(context, audiences, 'm', params)} and m.id = ${params.add(id, 'uuid')}`,
    params,
  )
  if (!row) throw noSuchMessage()
  return row
}
