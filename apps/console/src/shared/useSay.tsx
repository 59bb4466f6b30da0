/** Says how an operation ended: in the table's words when it went well, in the server's when it did not. */
import { App } from 'antd'
import { useMemo } from 'react'
import { errorDetail, errorLine, isSilent } from './api/error.ts'
import { type Failure, messageText, type Success } from './messages.ts'

export interface Say {
  ok: (what: Success) => void
  not: (what: Failure) => void
  /** The person said no. */
  cancelled: () => void
  /** An error of a call, with its code and what its status means; nothing for one that is silent. */
  failed: (error: unknown) => void
}

export const useSay = (): Say => {
  const { message } = App.useApp()
  return useMemo(
    () => ({
      ok: (what) => void message.success(messageText(what)),
      not: (what) => void message.error(messageText(what)),
      cancelled: () => void message.info(messageText('cancelled')),
      failed: (error) => {
        if (isSilent(error)) return
        const detail = errorDetail(error)
        void message.error(
          <span>
            {errorLine(error)}
            {detail === null ? null : <small className="say-detail">{detail}</small>}
          </span>,
        )
      },
    }),
    [message],
  )
}
