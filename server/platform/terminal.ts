/** Reports the progress of long work. `share`: between 0 and 1. */
export type Progress = (title: string, share: number) => void

export type Terminal = ReturnType<typeof createTerminal>

/** Updates one line on a terminal. In a log, writes a line for every 10 %, at most one per second. */
export function createTerminal(output: NodeJS.WriteStream = process.stdout) {
  const began = Date.now()
  let line = ''
  let tenth = 0
  let reportedAt = 0
  let title = ''
  const draw = () => line && output.write(`\r\x1b[2K  ${line}  ${secondsSince(began)}`)
  const timer = output.isTTY ? setInterval(draw, 1000).unref() : undefined

  const progress: Progress = (newTitle, share) => {
    if (newTitle !== title) {
      title = newTitle
      tenth = 0
      reportedAt = Date.now()
    }
    const text = `${title} ... ${Math.floor(share * 100)} %`
    if (output.isTTY && text !== line) {
      line = text
      draw()
    }
    if (output.isTTY || Math.floor(share * 10) <= tenth || Date.now() - reportedAt < 1000) return
    tenth = Math.floor(share * 10)
    reportedAt = Date.now()
    output.write(`  ${title} ... ${tenth}0 %\n`)
  }
  const clear = () => {
    if (line) output.write('\r\x1b[2K')
    line = ''
  }
  const say = (text: string) => {
    clear()
    output.write(`  ${text.replaceAll('\n', '\n  ')}\n`)
  }
  const end = () => {
    clearInterval(timer)
    clear()
  }
  return { progress, say, end, took: () => secondsSince(began) }
}

function secondsSince(began: number) {
  const seconds = (Date.now() - began) / 1000
  return `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`
}

export const count = (value: number, one: string, many: string) =>
  `${value.toLocaleString('en')} ${value === 1 ? one : many}`

export function sizeOf(bytes: number) {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB']
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), units.length - 1)
  const value = bytes / 1000 ** power
  return `${value.toFixed(power && value < 10 ? 1 : 0)} ${units[power]}`
}
