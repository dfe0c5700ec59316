// A picture of a chart. The shapes go through an image of the SVG; text is drawn by the canvas, because images do not
// have the fonts of the page.

const copied = ['fill', 'stroke', 'stroke-width', 'stroke-dasharray', 'stroke-linecap', 'stroke-linejoin', 'opacity']
const margin = 24
const sharpness = 2

export async function chartPng(body: HTMLElement, title: string, subtitle?: string): Promise<Blob> {
  const svg = body.querySelector('svg[role="group"]') as SVGSVGElement
  const { width, height } = svg.getBoundingClientRect()
  const look = getComputedStyle(body)
  const legend = legendOf(body, width, `400 12px ${look.fontFamily}`)
  const { pen, top, canvas } = sheet(look, { title, subtitle, width, height: legend.height + height })
  for (const { label, color, isHatched, x, y } of legend.items) {
    const [left, middle] = [margin + x, top - 4 + y]
    pen.fillStyle = color
    pen.fillRect(left, middle - 4, 8, 8)
    pen.fillStyle = look.getPropertyValue('--surface')
    if (isHatched) pen.fillRect(left + 3, middle - 4, 2, 8)
    write(pen, label, left + 14, middle, `400 12px ${look.fontFamily}`, look.getPropertyValue('--ink-dim'))
  }
  const start = top + legend.height
  pen.drawImage(await imageOf(svg, width, height), margin, start, width, height)
  pen.textBaseline = 'alphabetic'
  for (const text of svg.querySelectorAll('text')) writeLike(pen, svg, text, margin, start)
  return pngOf(canvas)
}

type Sheet = { title: string; subtitle: string | undefined; width: number; height: number }

/** An empty picture with its title. What is drawn starts at `top`. */
function sheet(look: CSSStyleDeclaration, { title, subtitle, width, height }: Sheet) {
  const top = margin + 24 + (subtitle ? 20 : 0) + 8
  const canvas = document.createElement('canvas')
  canvas.width = (width + 2 * margin) * sharpness
  canvas.height = (top + height + margin) * sharpness
  const pen = canvas.getContext('2d')!
  pen.scale(sharpness, sharpness)
  pen.fillStyle = look.getPropertyValue('--surface')
  pen.fillRect(0, 0, canvas.width, canvas.height)
  pen.textBaseline = 'middle'
  write(pen, title, margin, margin + 8, `600 15px ${look.fontFamily}`, look.getPropertyValue('--ink'))
  const dim = look.getPropertyValue('--ink-dim')
  if (subtitle) write(pen, subtitle, margin, margin + 30, `400 13px ${look.fontFamily}`, dim)
  return { canvas, pen, top }
}

const pngOf = (canvas: HTMLCanvasElement) =>
  new Promise<Blob>((resolve, reject) =>
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error('The browser could not create the picture'))),
      'image/png',
    ),
  )

/** The names of the series in lines, as they have room. */
function legendOf(body: HTMLElement, width: number, font: string) {
  const pen = document.createElement('canvas').getContext('2d')!
  pen.font = font
  let [x, y] = [0, 8]
  const items = [...body.querySelectorAll('[data-legend] > li')].map((item) => {
    const swatch = item.querySelector('span')!
    const label = item.textContent ?? ''
    const taken = 14 + pen.measureText(label).width
    if (x && x + taken > width) [x, y] = [0, y + 20]
    const placed = { label, color: getComputedStyle(swatch).color, isHatched: 'hatched' in swatch.dataset, x, y }
    x += taken + 16
    return placed
  })
  return { items, height: items.length ? y + 12 : 0 }
}

function write(pen: CanvasRenderingContext2D, text: string, x: number, y: number, font: string, color: string) {
  pen.font = font
  pen.fillStyle = color
  pen.textAlign = 'left'
  pen.fillText(text, x, y)
}

/** Draws a text of the SVG where it stands. */
function writeLike(pen: CanvasRenderingContext2D, svg: SVGSVGElement, text: SVGTextElement, left: number, top: number) {
  const shown = [...text.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE).map((node) => node.textContent)
  if (!text.getNumberOfChars()) return
  const look = getComputedStyle(text)
  const start = text.getStartPositionOfChar(0)
  const box = text.getBBox()
  const from = svg.getBoundingClientRect()
  const matrix = text.getScreenCTM()!
  pen.font = `${look.fontWeight} ${look.fontSize} ${look.fontFamily}`
  pen.letterSpacing = look.letterSpacing === 'normal' ? '0px' : look.letterSpacing
  pen.fillStyle = look.fill
  pen.textAlign = look.textAnchor === 'end' ? 'right' : 'left'
  const x = look.textAnchor === 'end' ? box.x + box.width : box.x
  pen.fillText(shown.join(''), left + x + matrix.e - from.left, top + start.y + matrix.f - from.top)
}

/** The shapes with the colors that they have on the page. */
async function imageOf(svg: SVGSVGElement, width: number, height: number) {
  const copy = svg.cloneNode(true) as SVGSVGElement
  const originals = svg.querySelectorAll('*')
  for (const [index, element] of copy.querySelectorAll<SVGElement>('*').entries()) {
    const look = getComputedStyle(originals[index]!)
    element.removeAttribute('style')
    for (const name of copied) element.setAttribute(name, look.getPropertyValue(name))
  }
  for (const text of copy.querySelectorAll('text')) text.remove()
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg')
  copy.setAttribute('viewBox', `0 0 ${width} ${height}`)
  copy.setAttribute('width', String(width * sharpness))
  copy.setAttribute('height', String(height * sharpness))
  const address = URL.createObjectURL(
    new Blob([new XMLSerializer().serializeToString(copy)], { type: 'image/svg+xml' }),
  )
  try {
    const image = new Image()
    image.src = address
    await image.decode()
    return image
  } finally {
    URL.revokeObjectURL(address)
  }
}
