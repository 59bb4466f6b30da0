/** A dialog for pages that may be kept alive: React hides a kept page without unmounting it, and antd's Modal crashes when it is shown again. */
import { Modal, type ModalProps } from 'antd'
import { useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'

interface PlaceProps {
  box: HTMLElement
  onPlaced: () => void
}

/** Where the dialog shows what it holds. */
const Place = ({ box, onPlaced }: PlaceProps) => {
  const own = useRef<HTMLDivElement>(null)
  const placed = useRef(onPlaced)
  useLayoutEffect(() => {
    own.current?.append(box)
    placed.current()
  }, [box])
  return <div ref={own} />
}

/** The focus, unless something else has it meanwhile. */
const giveBack = (to: Element | null) => {
  if (document.activeElement === document.body && to instanceof HTMLElement) to.focus()
}

/**
 * Like antd's Modal; it leaves the tree in the layout-effect clean-up (when the page is hidden) and comes back with it. What it holds does not: it
 * lives beside the dialog, in a box that each new dialog takes over, so that what was typed is still there. Gone when the dialog is closed.
 */
export const PageModal = ({ children, afterClose, ...props }: ModalProps) => {
  const [shown, setShown] = useState(false)
  const [held, setHeld] = useState(false)
  const [box] = useState(() => document.createElement('div'))
  const open = useRef(props.open)
  open.current = props.open
  useLayoutEffect(() => {
    setShown(true)
    // Closed while it was on its way out: the dialog that would have told is gone.
    if (open.current !== true) setHeld(false)
    return () => setShown(false)
  }, [])
  const from = useRef<Element | null>(null)
  // A menu gives the focus back while the dialog that was chosen in it opens: only now it is where it has to return to.
  useLayoutEffect(() => {
    if (props.open !== true) return
    const before = document.activeElement
    from.current = before
    // Taken out without being closed first.
    return () => queueMicrotask(() => giveBack(before))
  }, [props.open])
  const close = () => {
    setHeld(false)
    giveBack(from.current)
    afterClose?.()
  }
  return (
    <>
      {shown ? (
        <Modal destroyOnHidden {...props} afterClose={close}>
          <Place box={box} onPlaced={() => setHeld(true)} />
        </Modal>
      ) : null}
      {/* Not before the box stands in the document: a field could not take the focus. */}
      {held ? createPortal(children, box) : null}
    </>
  )
}
