import { siteSettings } from '@tidegate/contract/operations/site'
import { describe, expect, it } from 'vitest'
import { dirtyFields, emptyForm, inputOf, lineErrors, tabOf, validate } from './form.ts'

const form = () => ({
  ...emptyForm(),
  domains: 'www.example.com\n',
  origins: [{ ...emptyForm().origins[0]!, host: '203.0.113.7' }],
})

describe('the site form', () => {
  it('is what the contract takes', () => {
    expect(validate(inputOf(form()), 'en')).toEqual([])
  })
  it('names the line of a wrong domain, in the person’s language', () => {
    const errors = validate(inputOf({ ...form(), domains: 'www.example.com\nnot a domain' }), 'zh')
    expect(errors).toEqual([{ path: 'domains.1', msg: '域名格式错误' }])
    expect(lineErrors(errors, 'domains', ['www.example.com', 'not a domain'])).toEqual(['not a domain: 域名格式错误'])
  })
  it('asks for a main origin', () => {
    const spare = form()
    spare.origins = spare.origins.map((o) => ({ ...o, line: 'spare' }))
    expect(validate(inputOf(spare), 'en').map((e) => e.path)).toEqual(['origins'])
  })
  it('counts each changed field once', () => {
    const saved = form()
    const now = { ...saved, remark: 'x', settings: { ...saved.settings, retries: 2, ignoreQuery: true } }
    expect(dirtyFields(now, saved)).toEqual(
      expect.arrayContaining(['remark', 'settings.retries', 'settings.ignoreQuery']),
    )
    expect(dirtyFields({ ...saved, domains: '  www.example.com' }, saved)).toEqual([])
  })
  it('has a tab for every setting', () => {
    for (const name of Object.keys(siteSettings.shape))
      expect(['origin', 'cache', 'https']).toContain(tabOf(`settings.${name}`))
  })
})
