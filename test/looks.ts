// Which looks of the web app were checked in this run: a page with the dialog that is open, at a width, in light or dark.
// To check one takes longer than most steps of a test, and many tests come by the same page.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Frame, Page } from 'playwright-core'
import { isLong } from './long.ts'

/** The long run checks every page at every call. */
const isEveryTime = isLong || process.env.AXE === 'all'

/** One folder for all workers of a run: global set-up makes the temporary folder. */
const folder = join(tmpdir(), 'looks')

const withoutIds = (path: string) =>
  path.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, ':id').replace(/\/[^/]*\d[^/]*(?=\/|$)/g, '/:id')

/** Runs in the page: width, scheme, and the names of what is open above it, without numbers and quoted names. */
function shown() {
  const opened: string[] = []
  for (const element of document.querySelectorAll('[role=dialog], [role=alertdialog], [role=menu], [role=listbox]')) {
    if (!element.checkVisibility()) continue
    const by = element.getAttribute('aria-labelledby')
    const name = element.ariaLabel ?? (by && document.getElementById(by)?.textContent) ?? ''
    opened.push(`${element.role} ${name.replace(/[“"'].*[”"']|\d[\d.,]*/g, '…')}`)
  }
  const scheme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
  const own = document.documentElement.dataset.mantineColorScheme ?? scheme
  return [own, window.innerWidth, ...opened.sort()].join('\n')
}

/** Whether this look has to be checked, and how to say that it was and is fine. */
export async function lookOf(page: Page | Frame) {
  if (isEveryTime) return { isNew: true, remember() {} }
  const { protocol, pathname } = new URL(page.url())
  const where = `${'mainFrame' in page ? 'page' : 'frame'} ${protocol}${withoutIds(pathname)}`
  const look = `${where}\n${await page.evaluate(shown)}`
  const file = join(folder, createHash('sha256').update(look).digest('hex'))
  return {
    isNew: !existsSync(file),
    /** Only after the check, so that a look with a problem is checked again when its test is repeated. */
    remember() {
      mkdirSync(folder, { recursive: true })
      try {
        writeFileSync(file, look, { flag: 'wx' })
      } catch (error) {
        // Another worker has checked it at the same time.
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      }
    },
  }
}
