/** antd's theme from our tokens. */
import type { ThemeConfig } from 'antd'
import { theme } from 'antd'
import { ACCENTS, type Accent, FONT, MONO, type Mode, PALETTES } from './tokens.ts'

/** A colour (#rrggbb) with an eighth of its light taken away. */
const darker = (hex: string): string =>
  hex.replace(/[\da-f]{2}/gi, (two) =>
    Math.round((Number.parseInt(two, 16) * 7) / 8)
      .toString(16)
      .padStart(2, '0'),
  )

const components = (mode: Mode, fill: string, link: string): ThemeConfig['components'] => {
  const p = PALETTES[mode]
  return {
    Table: {
      headerBg: p.sunken,
      headerColor: p.textSoft,
      headerSplitColor: 'transparent',
      borderColor: p.line,
      rowHoverBg: p.hover,
      rowSelectedBg: p.hover,
      rowSelectedHoverBg: p.hover,
      headerBorderRadius: 0,
      // Medium, small; mini is the style sheet's.
      cellFontSizeMD: 14,
      cellFontSizeSM: 13,
      fixedHeaderSortActiveBg: p.sunken,
      headerSortActiveBg: p.sunken,
      headerSortHoverBg: p.hover,
      bodySortBg: 'transparent',
      cellPaddingInlineSM: 12,
      cellPaddingBlockSM: 6,
      cellPaddingInlineMD: 12,
      cellPaddingBlockMD: 9,
    },
    Button: {
      primaryShadow: 'none',
      defaultShadow: 'none',
      dangerShadow: 'none',
      fontWeight: 500,
      // antd's own is lighter, on which white words can hardly be read.
      colorPrimaryHover: darker(fill),
      defaultHoverColor: link,
      defaultHoverBorderColor: link,
    },
    Drawer: { paddingLG: 20 },
    Tabs: {
      itemSelectedColor: link,
      itemHoverColor: link,
      itemActiveColor: link,
      inkBarColor: link,
      horizontalItemPadding: '10px 0',
      horizontalItemGutter: 28,
      titleFontSize: 13,
    },
    Form: { labelColor: p.textSoft, itemMarginBottom: 16, verticalLabelPadding: '0 0 4px' },
    Segmented: { trackBg: 'transparent', itemColor: p.textSoft, itemSelectedBg: p.raised },
    Modal: { titleFontSize: 15 },
  }
}

/** Theme for antd's ConfigProvider. */
export const antdTheme = (mode: Mode, accent: Accent, calm: boolean): ThemeConfig => {
  const p = PALETTES[mode]
  const link = mode === 'dark' ? ACCENTS[accent].lifted : ACCENTS[accent].fill
  return {
    algorithm: mode === 'dark' ? theme.darkAlgorithm : theme.defaultAlgorithm,
    token: {
      colorPrimary: ACCENTS[accent].fill,
      colorLink: link,
      colorLinkHover: link,
      colorInfo: link,
      colorSuccess: p.good,
      colorWarning: p.warn,
      colorError: p.bad,
      colorText: p.text,
      colorTextSecondary: p.textSoft,
      colorTextTertiary: p.textFaint,
      colorTextQuaternary: p.quiet,
      colorTextPlaceholder: p.textFaint,
      colorTextDescription: p.textFaint,
      colorTextDisabled: p.textFaint,
      colorBgLayout: p.background,
      colorBgContainer: p.panel,
      colorBgElevated: p.raised,
      colorBorder: p.lineStrong,
      colorBorderSecondary: p.line,
      colorSplit: p.line,
      fontFamily: FONT,
      fontFamilyCode: MONO,
      fontSize: 13,
      fontSizeSM: 12,
      lineHeight: 20 / 13,
      controlHeight: 32,
      borderRadius: 6,
      borderRadiusLG: 8,
      boxShadow: '0 0 0 1px rgb(0 0 0 / 6%), 0 8px 24px rgb(0 0 0 / 14%)',
      boxShadowSecondary: '0 0 0 1px rgb(0 0 0 / 6%), 0 8px 24px rgb(0 0 0 / 14%)',
      motionDurationFast: '0.1s',
      motionDurationMid: '0.14s',
      motionDurationSlow: '0.14s',
      // A button that waits turns its wheel; its words must stay as readable as ever (WCAG 1.4.3).
      opacityLoading: 1,
      motion: !calm,
    },
    components: components(mode, ACCENTS[accent].fill, link),
  }
}
