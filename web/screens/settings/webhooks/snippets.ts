// The code that docs/webhooks.md has for verifying requests, which the tests run.
import text from '../../../../docs/webhooks.md?raw'

const languages: Record<string, string> = { js: 'Node.js', python: 'Python', php: 'PHP', go: 'Go', ruby: 'Ruby' }

export const snippets = [...text.matchAll(/^```(\w+)\n([\s\S]*?)\n```/gm)].flatMap(([, language = '', code = '']) => {
  const name = languages[language]
  return name ? [{ name, code }] : []
})
