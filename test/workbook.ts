// Workbooks for tests, written by hand, so that they can be as odd as some programs make them.
import { crc32, deflateRawSync } from 'node:zlib'

/** `lies`: what the archive says about the size of a part. */
export function zip(parts: Record<string, string | Buffer>, lies: Record<string, number> = {}): Buffer {
  const files: Buffer[] = []
  const index: Buffer[] = []
  let at = 0
  for (const [name, given] of Object.entries(parts)) {
    const content = Buffer.from(given)
    const packed = deflateRawSync(content)
    const about = Buffer.alloc(22)
    about.writeUInt16LE(20, 0)
    about.writeUInt16LE(0x0800, 2)
    about.writeUInt16LE(8, 4)
    about.writeUInt32LE(crc32(content), 10)
    about.writeUInt32LE(packed.length, 14)
    about.writeUInt32LE(lies[name] ?? content.length, 18)
    const length = Buffer.alloc(4)
    length.writeUInt16LE(Buffer.byteLength(name), 0)
    files.push(Buffer.from('PK\x03\x04', 'latin1'), about, length, Buffer.from(name), packed)
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(at, 10)
    index.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), about, length, rest, Buffer.from(name))
    at += 30 + Buffer.byteLength(name) + packed.length
  }
  const directory = Buffer.concat(index)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(Object.keys(parts).length, 4)
  end.writeUInt16LE(Object.keys(parts).length, 6)
  end.writeUInt32LE(directory.length, 8)
  end.writeUInt32LE(at, 12)
  return Buffer.concat([...files, directory, Buffer.from('PK\x05\x06', 'latin1'), end])
}

type Sheet = { name: string; rows: string; state?: string }
type Workbook = { sheets: Sheet[]; texts?: string[]; is1904?: boolean; more?: Record<string, string | Buffer> }

/** `rows` is the XML of the rows. Style 1 is a date, 2 a date with a time, 3 of their own: yyyy"m". */
export function workbook({ sheets, texts = [], is1904 = false, more = {} }: Workbook): Buffer {
  const list = (each: (sheet: Sheet, i: number) => string) => sheets.map(each).join('')
  return zip({
    '[Content_Types].xml': '<Types/>',
    'xl/workbook.xml': `<?xml version="1.0"?><workbook xmlns:r="x"><workbookPr${is1904 ? ' date1904="1"' : ''}/><sheets>${list(
      ({ name, state }, i) =>
        `<sheet name="${name}" sheetId="${i + 1}" r:id="rId${i + 1}"${state ? ` state="${state}"` : ''}/>`,
    )}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${list(
      (_, i) => `<Relationship Id="rId${i + 1}" Type="x" Target="worksheets/sheet${i + 1}.xml"/>`,
    )}</Relationships>`,
    'xl/styles.xml':
      '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="yyyy&quot;m&quot;"/><numFmt numFmtId="165" formatCode="0.00&quot; days&quot;"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="22"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="20"/></cellXfs></styleSheet>',
    'xl/sharedStrings.xml': `<sst>${texts.join('')}</sst>`,
    ...Object.fromEntries(
      sheets.map(({ rows }, i) => [
        `xl/worksheets/sheet${i + 1}.xml`,
        `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
      ]),
    ),
    ...more,
  })
}
