// Links whose words show another site than the one they lead to.

/** The site in the words, and where the link leads. */
export type FalseLink = { shown: string; real: string }

const most = 5
const longestWords = 300
/** Words that are nothing but an address. */
const address = /^(?:https?:\/\/)?((?:[\p{L}\p{N}-]+\.)+\p{L}{2,})(?::\d+)?(?:[/?#]\S*)?$/iu

export function falseLinkReader() {
  const found = new Map<string, FalseLink>()
  let [href, words] = ['', '']

  function end() {
    const link = href && falseLink(words, href)
    if (link && found.size < most) found.set(`${link.shown} ${link.real}`, link)
    href = ''
  }

  return {
    onopentag(name: string, attributes: Record<string, string>) {
      if (name !== 'a') return
      end()
      href = attributes.href ?? ''
      words = ''
    },
    ontext(text: string) {
      if (href && words.length <= longestWords) words += text
    },
    onclosetag(name: string) {
      if (name === 'a') end()
    },
    found: () => [...found.values()],
  }
}

function falseLink(words: string, href: string): FalseLink | undefined {
  const host = address.exec(words.trim().slice(0, longestWords))?.[1]
  const real = /^https?:/i.test(href) && URL.parse(href)?.hostname
  const shown = host && URL.parse(`https://${host}`)?.hostname
  if (!real || !shown || isSameSite(shown, real)) return undefined
  return { shown: host.toLowerCase(), real }
}

/** Whether one of them is the other, or part of it. Without the subdomains that say nothing. */
export function isSameSite(a: string, b: string) {
  const [one, other] = [a, b].map((host) => host.toLowerCase().replace(/^www\./, '')) as [string, string]
  return one === other || one.endsWith(`.${other}`) || other.endsWith(`.${one}`)
}
