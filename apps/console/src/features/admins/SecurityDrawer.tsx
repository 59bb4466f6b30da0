/** Second factors and open logins of another administrator. */
import type { AdminRow } from '@tidegate/contract/operations/admin'
import { Drawer } from 'antd'
import { useTranslation } from 'react-i18next'
import { OthersSecurity } from '../../shared/security/OthersSecurity.tsx'

export const SecurityDrawer = ({ admin, onClose }: { admin: AdminRow | null; onClose: () => void }) => {
  const { t } = useTranslation('admins')
  return (
    <Drawer
      open={admin !== null}
      onClose={onClose}
      title={admin === null ? '' : `${t('security')} · ${admin.username}`}
      size={560}
      destroyOnHidden
    >
      {admin === null ? null : <OthersSecurity kind="admin" id={admin.id} name={admin.username} />}
    </Drawer>
  )
}
