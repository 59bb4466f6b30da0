// @vitest-environment jsdom
// @vitest-environment-options {"url":"http://localhost/dns-admin/"}
import { describe } from 'vitest'
import { testScreens } from '../testing/screens.tsx'

describe('a screen of the console dns-admin', testScreens)
