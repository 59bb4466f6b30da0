/** This package's texts; imported by each component that speaks. */
import en from './locales/en.json'
import zh from './locales/zh.json'
import { registerTexts } from './register.ts'

registerTexts('ui', { zh, en })
