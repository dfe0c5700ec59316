// The inline styles that messages may have. What reaches out (url), covers other things (position) or grows with the
// frame (vh) is not among them. Values have no backslashes, so nothing can be spelled in another way.
const words = /^(?:[-\w#%.,\s'"]|(?:rgb|hsl)a?\([\d.,%\s/deg]{1,60}\))+$/i
/** Five digits are wider than any screen. */
const huge = /\d{5}|\d(?:[sld]?v[a-z]|cq)/i

const value = (isAllowed: (text: string) => boolean) =>
  ({ test: (text: string) => text.length <= 300 && words.test(text) && isAllowed(text) }) as RegExp

const any = [value(() => true)]
const size = [value((text) => !huge.test(text))]
const positive = [value((text) => !huge.test(text) && !/-\s*[\d.]/.test(text))]
const oneOf = (...names: string[]) => [value((text) => names.includes(text.toLowerCase()))]

const edges = (property: string) => ['', '-top', '-right', '-bottom', '-left'].map((edge) => `${property}${edge}`)
const each = <Rule>(properties: string[], rule: Rule) => Object.fromEntries(properties.map((name) => [name, rule]))

export const allowedStyles: Record<string, RegExp[]> = {
  ...each(['color', 'background-color', 'background', 'border-color', 'text-decoration-color'], any),
  ...each(['font', 'font-family', 'font-size', 'font-style', 'font-weight', 'font-variant'], size),
  ...each(['text-align', 'text-decoration', 'text-transform', 'vertical-align'], any),
  ...each(['line-height', 'letter-spacing', 'word-spacing', 'width', 'max-width', 'min-width'], positive),
  ...each(['height', 'max-height', 'min-height', 'text-indent', 'border-spacing', 'border-radius'], positive),
  ...each([...edges('margin'), ...edges('padding'), ...edges('border')], positive),
  ...each(['border-style', 'border-width', 'border-collapse', 'table-layout', 'word-break', 'overflow-wrap'], positive),
  ...each(['list-style', 'list-style-type', 'direction', 'unicode-bidi', 'clear', 'float'], any),
  'white-space': oneOf('normal', 'nowrap', 'pre', 'pre-wrap', 'pre-line'),
  visibility: oneOf('hidden', 'visible'),
  overflow: oneOf('hidden'),
  display: oneOf(
    'none',
    'block',
    'inline',
    'inline-block',
    'list-item',
    'table',
    'inline-table',
    'table-row',
    'table-cell',
    'table-row-group',
    'table-header-group',
    'table-footer-group',
  ),
}

const hiding = [
  /(?:^|[;\s])display\s{0,5}:\s{0,5}none/i,
  /(?:^|[;\s])visibility\s{0,5}:\s{0,5}hidden/i,
  /(?:^|[;\s])opacity\s{0,5}:\s{0,5}(?:0(?:\.0*)?|\.0+)(?![.\d])/i,
]
const tiny = /(?:^|[;\s])(?:font-size\s{0,5}:\s{0,5}(?:0|1px|1pt)(?![.\d])|text-indent\s{0,5}:\s{0,5}-\d{3})/i

/** What no reader sees of an element with this style: all of it, or its text. Null: everything is seen. */
export function unseenBy(given: string): 'all' | 'text' | null {
  const style = given.slice(0, 4000)
  const isFlat = /max-height\s{0,5}:\s{0,5}0(?![.\d])/i.test(style) && /overflow\s{0,5}:\s{0,5}hidden/i.test(style)
  const isAway = /position\s{0,5}:\s{0,5}(?:absolute|fixed)/i.test(style) && /:\s{0,5}-\d{3}/.test(style)
  if (isFlat || isAway || hiding.some((rule) => rule.test(style))) return 'all'
  return tiny.test(style) ? 'text' : null
}
