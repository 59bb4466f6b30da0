/** A dialog for pages that may be kept alive: React hides a kept page without unmounting it, and antd's Modal crashes when it is shown again. */
import { Modal, type ModalProps } from 'antd'
import { useLayoutEffect, useState } from 'react'

/** Like antd's Modal; it leaves the tree in the layout-effect clean-up (when the page is hidden) and comes back with it. */
export const PageModal = (props: ModalProps) => {
  const [shown, setShown] = useState(false)
  useLayoutEffect(() => {
    setShown(true)
    return () => setShown(false)
  }, [])
  return shown ? <Modal destroyOnHidden {...props} /> : null
}
