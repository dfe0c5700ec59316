import { expect, test } from 'vitest'
import { pageScripts } from '../bench/web-script.ts'

test.each(pageScripts())('the script of the $page page stays within its budget', ({ size, most }) => {
  expect(size).toBeLessThan(most)
})
