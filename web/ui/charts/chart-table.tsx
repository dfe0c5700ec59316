import { useChart } from './chart.ts'
import css from './charts.module.css'
import { useOpenLink } from './open-link.ts'

/** The numbers of a chart. */
export function ChartTable({ title, by }: { title: string; by: string }) {
  const { series, categories } = useChart()
  const openLink = useOpenLink()
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the clicks are those of the links in it
    <table className={css.table} aria-label={title} onClick={openLink}>
      <thead>
        <tr>
          <th scope="col">{by}</th>
          {series.map(({ key, label }) => (
            <th key={key} scope="col">
              <bdi>{label}</bdi>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {categories.map(({ key, label, points }) => (
          <tr key={key}>
            <th scope="row">
              <bdi>{label}</bdi>
            </th>
            {series.map((one, index) => {
              const point = points[index]
              const text = point && point.value !== null ? <bdi>{point.text}</bdi> : '–'
              return <td key={one.key}>{point?.href ? <a href={point.href}>{text}</a> : text}</td>
            })}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
