// @vitest-environment jsdom
// @vitest-environment-options {"url":"http://localhost/admin/"}
import { describe } from 'vitest'
import { testScreens } from '../testing/screens.tsx'

describe('a screen of the console admin [S4.12 S8.4]', testScreens)
