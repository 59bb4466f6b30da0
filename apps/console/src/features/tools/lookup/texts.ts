import { registerTexts } from '@tidegate/ui/register'
import en from './locales/en.json'
import zh from './locales/zh.json'

registerTexts('lookup', { zh, en })
