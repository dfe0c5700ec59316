import { getRouteApi } from '@tanstack/react-router'
import { ArrowLeft, Lock } from 'lucide-react'
import { useKept } from '../../records/data/kept.ts'
import { type ObjectShape, useObject } from '../../records/data/schema.ts'
import { pluralOf } from '../../records/data/value-text.ts'
import { AnchorLink } from '../../ui/basics/links.tsx'
import { Page } from '../../ui/basics/page.tsx'
import { Message, Missing } from '../../ui/basics/states.tsx'
import { useNoStrayDrops } from '../../ui/form/file-drop.tsx'
import { Steps } from '../../ui/page/shown-once.tsx'
import { stepOf, steps, useImportSearch } from './choices.ts'
import { FileStep } from './file-step.tsx'
import css from './import.module.css'
import { RunStep } from './run-step.tsx'
import { WithPreview } from './with-preview.tsx'

const route = getRouteApi('/frame/import/$object')

/** Imports a file into the records of one object, step by step. */
export function Import() {
  const { object: key } = route.useParams()
  const object = useObject(key)
  if (!object) return <Missing what="kind of record" back="/records" />
  return <ImportInto key={key} object={object} />
}

function ImportInto({ object }: { object: ObjectShape }) {
  const [search, go] = useImportSearch()
  useNoStrayDrops()
  const { file, job } = search
  const [uploaded, keepUploaded] = useKept('import file', { id: '', name: '' })
  return (
    <Page
      title={`Import ${pluralOf(object)}`}
      lead={
        <AnchorLink to="/records/$object" params={{ object: object.key }} className={css.back}>
          <ArrowLeft size={14} /> All {pluralOf(object)}
        </AnchorLink>
      }
    >
      {object.rights.create ? (
        <>
          <Steps of={steps} current={stepOf(search)} />
          {job ? (
            <RunStep object={object} id={job} onAgain={() => go({})} />
          ) : file ? (
            <WithPreview
              key={file}
              object={object}
              file={file}
              name={uploaded.id === file ? uploaded.name : undefined}
              search={search}
              go={go}
            />
          ) : (
            <FileStep
              onDone={(next) => {
                keepUploaded(next)
                go({ file: next.id })
              }}
            />
          )}
        </>
      ) : (
        <Message icon={Lock} title="Your role does not allow this">
          You need permission to create {pluralOf(object)}. Ask an Admin of your company.
        </Message>
      )}
    </Page>
  )
}
