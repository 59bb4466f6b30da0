/** Words for the actions of the log; an action without words is shown by its id. */
import { useTranslation } from 'react-i18next'

export const useActionWords = (): ((action: string) => string | undefined) => {
  const { t } = useTranslation('logs')
  const words: Record<string, string> = {
    'admin.create': t('adminCreate'),
    'admin.delete': t('adminDelete'),
    'admin.password': t('adminPassword'),
    'admin.password.reset': t('adminReset'),
    'admin.resetPassword': t('adminReset'),
    'admin.save': t('adminCreate'),
    'admin.unlock': t('adminUnlock'),
    'admin.update': t('adminUpdate'),
    'auth.login': t('login'),
    'auth.login.failed': t('loginFailed'),
    'auth.logout': t('logout'),
    'auth.unlock': t('unlock'),
    'auth.unlock.failed': t('unlockFailed'),
    'cache.purge': t('cachePurge'),
    'cert.delete': t('certDelete'),
    'cert.save': t('certSave'),
    'group.allowOrigin': t('groupAllow'),
    'group.forbidOrigin': t('groupForbid'),
    'group.save': t('groupSave'),
    'menu.delete': t('menuDelete'),
    'menu.save': t('menuSave'),
    'menu.update': t('menuUpdate'),
    'node.delete': t('nodeDelete'),
    'node.enroll': t('nodeEnroll'),
    'node.enrollToken': t('nodeToken'),
    'node.lyingAck': t('nodeLying'),
    'node.renew': t('nodeRenew'),
    'node.revoke': t('nodeRevoke'),
    'node.save': t('nodeSave'),
    'push.all': t('pushAll'),
    'push.run': t('pushRun'),
    'push.site': t('pushSite'),
    'role.delete': t('roleDelete'),
    'role.save': t('roleSave'),
    'role.update': t('roleUpdate'),
    'site.delete': t('siteDelete'),
    'site.enable': t('siteEnable'),
    'site.rollback': t('siteRollback'),
    'site.save': t('siteSave'),
  }
  return (action) => words[action]
}
