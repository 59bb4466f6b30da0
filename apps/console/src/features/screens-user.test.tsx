// @vitest-environment jsdom
// @vitest-environment-options {"url":"http://localhost/"}
import { describe } from 'vitest'
import { testScreens } from '../testing/screens.tsx'

describe('a screen of the console user [S4.12 S8.4]', testScreens)
