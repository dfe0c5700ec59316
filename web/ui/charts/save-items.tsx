import { Menu } from '@mantine/core'
import { FileText, Image } from 'lucide-react'
import { complain } from '../basics/notices.tsx'
import { saveFile } from '../text/save-file.ts'
import { fileName } from './to-csv.ts'

/** `png` is left out where there is nothing to draw. */
type Props = { title: string; csv: () => string; png?: (() => Promise<Blob>) | undefined }

/** The menu items that download a widget. */
export function SaveItems({ title, csv, png }: Props) {
  const savePng = async (draw: () => Promise<Blob>) => {
    try {
      saveFile(fileName(title, 'png'), await draw())
    } catch (error) {
      complain('The picture could not be created', error)
    }
  }
  const saveCsv = () => saveFile(fileName(title, 'csv'), new Blob([csv()], { type: 'text/csv;charset=utf-8' }))
  return (
    <>
      <Menu.Item leftSection={<FileText size={14} />} onClick={saveCsv}>
        Download CSV
      </Menu.Item>
      {png && (
        <Menu.Item leftSection={<Image size={14} />} onClick={() => void savePng(png)}>
          Download PNG
        </Menu.Item>
      )}
    </>
  )
}
