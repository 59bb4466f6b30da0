/** The notifier sends by what the settings screens keep: mail while it is enabled, short messages by the one provider that is. */
import type { NotifyConfigs } from './modules/notify/index.ts'
import type { SettingStore } from './modules/settings/index.ts'

export const channelConfigs = (store: SettingStore): Pick<NotifyConfigs, 'mail' | 'sms'> => ({
  mail: async () => ((await store.enabled('mail')) ? await store.get('mail') : null),
  sms: async () => {
    for (const key of ['smsTencent', 'smsAliyun', 'smsBao'] as const)
      if (await store.enabled(key)) return await store.get(key)
    return null
  },
})
