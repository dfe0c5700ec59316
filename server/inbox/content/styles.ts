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
    ...['none', 'block', 'inline', 'inline-block', 'list-item', 'table', 'inline-table'],
    ...['table-row', 'table-cell', 'table-row-group', 'table-header-group', 'table-footer-group'],
  ),
}
