// A mention of a user in a long text, in Markdown: [@Anna Berg](mention:USER_ID).
import { isId } from './ids.ts'

export const mentionProtocol = 'mention:'
export const mostMentions = 50

/** How the texts of fields, tools and documents explain it. */
export const mentionExample = '[@Anna Berg](mention:USER_ID)'

const written = String.raw`\[@([^\][\n]{1,200})\]\(mention:([0-9a-fA-F-]{36})\)`
const everywhere = new RegExp(written, 'g')
/** With the name and the id. */
export const mentionStart = new RegExp(`^${written}`)

/** The ids of the users that a text mentions. */
export const mentionsIn = (text: string) =>
  [...new Set([...text.matchAll(everywhere)].map(([, , id]) => id!.toLowerCase()))].filter(isId).slice(0, mostMentions)

/** Brackets in a name would end the link. */
export const mentionOf = ({ id, name }: { id: string; name: string }) =>
  `[@${name.replace(/[[\]\\\n]/g, '')}](${mentionProtocol}${id})`
