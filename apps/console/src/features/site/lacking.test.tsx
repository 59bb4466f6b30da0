// @vitest-environment jsdom
// @vitest-environment-options {"url":"http://localhost/"}
import { configure, fireEvent, screen, waitFor } from '@testing-library/react'
import { LANGUAGES } from '@tidegate/contract/enums'
import { errorText } from '@tidegate/contract/errors'
import { describe, expect, it, vi } from 'vitest'
import { chooseLang } from '../../shared/i18n.ts'
import { inBrowser } from '../../testing/browser.ts'
import { showPage } from '../../testing/page.tsx'
import { peer, Refusal } from '../../testing/peer.ts'
import { AddForm } from './AddForm.tsx'
import './texts.ts'

inBrowser()
configure({ asyncUtilTimeout: 15_000 })
// The first look at a page on a busy machine takes long.
vi.setConfig({ testTimeout: 60_000 })

const KEYS = ['real_name_required', 'phone_required'] as const

describe('adding a domain', () => {
  it.each(LANGUAGES.flatMap((lang) => KEYS.map((key) => [lang, key] as const)))(
    'is refused (%s) while the account lacks what is asked for, with the way to it: %s [S6.4]',
    async (lang, key) => {
      chooseLang(lang)
      const host = lang === 'en' ? 'Domain or IP' : '域名或 IP'
      const msg = errorText(key, lang)
      const { seen } = peer({ 'site.save': () => new Refusal(403, { error: key, msg }) })
      showPage(() => <AddForm onSaved={() => {}} />)
      fireEvent.change(screen.getByPlaceholderText('www.example.com'), { target: { value: 'www.lacking.example' } })
      fireEvent.change(screen.getByLabelText(host), { target: { value: 'origin.example' } })
      fireEvent.submit(document.querySelector('form') ?? document.body)
      await waitFor(() => expect(document.body.textContent).toContain(msg))
      const way = [...document.querySelectorAll('.ant-alert a')].map((a) => a.getAttribute('href'))
      expect(way).toEqual(['/cdn/account/info'])
      expect(seen.filter((s) => s.id === 'site.save')).toHaveLength(1)
      // What was typed is still there.
      expect(screen.getByDisplayValue('www.lacking.example')).toBeTruthy()
    },
  )
})
