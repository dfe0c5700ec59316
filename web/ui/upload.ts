import { notReached, type Send } from '../client/api.ts'

/** Sends like fetch, which cannot say how much of a body has left. `onProgress` gets a percentage. */
export const sendWithProgress =
  (onProgress: (percent: number) => void): Send =>
  (path, { method = 'POST', headers, body }) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest()
      request.open(method, path)
      for (const [name, value] of Object.entries(headers ?? {})) request.setRequestHeader(name, String(value))
      request.upload.onprogress = ({ loaded, total }) => total && onProgress(Math.floor((loaded / total) * 100))
      request.onload = () => resolve(new Response(request.responseText, { status: request.status }))
      request.onerror = () => reject(notReached())
      request.send(body as Blob)
    })
