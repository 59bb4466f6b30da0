/** The consoles' own line icons, 24 px grid, stroke in the text's colour. The server's menu names them in `meta.icon`. */

const PATHS = {
  home: 'M3 11l9-8 9 8M5 9.5V21h14V9.5M10 21v-6h4v6',
  gauge: 'M12 14l4-4M3.5 17a9 9 0 1 1 17 0',
  server: 'M4 4h16v6H4zM4 14h16v6H4zM8 7h.01M8 17h.01',
  globe: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM3 12h18M12 3c3 3 3 15 0 18M12 3c-3 3-3 15 0 18',
  box: 'M12 3l8 4.5v9L12 21l-8-4.5v-9zM4 7.5l8 4.5 8-4.5M12 12v9',
  route: 'M6 19a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM18 9a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM8 17h7a3 3 0 0 0 0-6H9a3 3 0 0 1 0-6h7',
  wallet: 'M4 7h15a1 1 0 0 1 1 1v11H5a1 1 0 0 1-1-1V6a2 2 0 0 1 2-2h11v3M16 13.5h.01',
  file: 'M6 3h8l4 4v14H6zM14 3v4h4M9 12h6M9 16h6',
  headset: 'M4 14v-2a8 8 0 0 1 16 0v2M4 14h3v6H5a1 1 0 0 1-1-1zM20 14h-3v6h2a1 1 0 0 0 1-1z',
  tool: 'M14.5 6.5a4 4 0 0 0 5 5L12 19a2.8 2.8 0 0 1-4-4l7.500-7.500M14.500 6.500a4 4 0 0 1 3.500-3',
  cloud: 'M7 18a4.500 4.500 0 0 1-.5-9A6 6 0 0 1 18 8.500 4.800 4.800 0 0 1 17.500 18z',
  user: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.500 20.500c1-4 4-5.500 7.500-5.500s6.500 1.500 7.500 5.500',
  shield: 'M12 3l8 3v6c0 5-3.500 8-8 9-4.500-1-8-4-8-9V6zM9 12l2 2 4-4',
  settings:
    'M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM19 12a7 7 0 0 0-.1-1.200l2-1.500-2-3.400-2.300 1a7 7 0 0 0-2-1.200L14.200 3H9.800l-.4 2.700a7 7 0 0 0-2 1.200l-2.300-1-2 3.400 2 1.500a7 7 0 0 0 0 2.400l-2 1.500 2 3.400 2.300-1a7 7 0 0 0 2 1.200l.4 2.700h4.400l.4-2.700a7 7 0 0 0 2-1.200l2.300 1 2-3.400-2-1.500c.1-.4.1-.8.1-1.200z',
  clock: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 7v5l3.500 2',
  message: 'M4 5h16v12H9l-5 4zM8 9h8M8 13h5',
  bell: 'M6 16V11a6 6 0 0 1 12 0v5l1.500 2h-15zM10 21h4',
  key: 'M8 20a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM11 13l8-8M16 8l3 3',
  layers: 'M12 3l9 5-9 5-9-5zM3 12l9 5 9-5M3 16l9 5 9-5',
  push: 'M12 16V4M7 9l5-5 5 5M4 15v5h16v-5',
  refresh: 'M20 11a8 8 0 1 0-2 6M20 5v6h-6',
  sun: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v2M12 20v2M4 12H2M22 12h-2M5 5l1.500 1.500M17.500 17.500L19 19M19 5l-1.500 1.500M6.500 17.500L5 19',
  moon: 'M20 14.500A8.500 8.500 0 0 1 9.500 4 8.500 8.500 0 1 0 20 14.500z',
  monitor: 'M3 4h18v12H3zM8 20h8M12 16v4',
  language: 'M3 6h10M8 4v2M11 6c-1 4-4 7-7 8M6 9c1 2.500 3 4 6 5M12 20l4.500-10L21 20M13.500 17h6',
  menu: 'M4 6h16M4 12h16M4 18h16',
  close: 'M6 6l12 12M18 6L6 18',
  search: 'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM16 16l5 5',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  check: 'M4 12.500l5.500 5.500L20 7',
  plus: 'M12 5v14M5 12h14',
  more: 'M5 12h.01M12 12h.01M19 12h.01',
  trash: 'M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13',
  logout: 'M10 4H4v16h6M15 8l4 4-4 4M19 12H9',
  down: 'M6 9l6 6 6-6',
  up: 'M6 15l6-6 6 6',
  download: 'M12 4v12M7 11l5 5 5-5M4 20h16',
  pause: 'M8 5v14M16 5v14',
  play: 'M7 5l12 7-12 7z',
  pinLeft: 'M5 4v16M20 12H9M13 8l-4 4 4 4',
  pinRight: 'M19 4v16M4 12h11M11 8l4 4-4 4',
  calendar: 'M4 6h16v14H4zM4 10h16M8 3v4M16 3v4',
  left: 'M15 5l-7 7 7 7',
  collapse: 'M4 5h16M11 12h9M4 19h16M7 9l-3 3 3 3',
  expand: 'M4 5h16M11 12h9M4 19h16M4 9l3 3-3 3',
  lock: 'M5 11h14v10H5zM8 11V7a4 4 0 0 1 8 0v4M12 15v2',
  full: 'M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5',
  shrink: 'M9 4v5H4M20 9h-5V4M15 20v-5h5M4 15h5v5',
  theme:
    'M12 3a9 9 0 1 0 0 18c1.300 0 2-1 2-2 0-1.500-1.200-1.700-1.200-3 0-1 .8-1.500 2-1.500H17a4 4 0 0 0 4-4C21 6 17 3 12 3zM7.500 12h.01M9.500 8h.01M14.500 8h.01',
  dot: 'M12 12h.01',
} as const
export type IconName = keyof typeof PATHS

/** Names that menus use -> ours. */
const ALIASES: Readonly<Record<string, IconName>> = {
  api: 'route',
  appstore: 'layers',
  branches: 'route',
  cluster: 'server',
  control: 'settings',
  dashboard: 'gauge',
  'file-search': 'file',
  global: 'globe',
  'line-chart': 'gauge',
  partition: 'route',
  'pay-circle': 'wallet',
  retweet: 'refresh',
  safety: 'shield',
  schedule: 'clock',
  setting: 'settings',
  shopping: 'box',
  stop: 'shield',
  team: 'user',
}

/** Names that a menu entry's icon can be chosen from. */
export const MENU_ICONS: readonly string[] = Object.keys(PATHS)

/** The icon of a menu entry; a dot for a name that is not known. */
export const iconNamed = (name: string | undefined): IconName =>
  isIconName(name) ? name : (ALIASES[name ?? ''] ?? 'dot')

const isIconName = (name: string | undefined): name is IconName => name !== undefined && Object.hasOwn(PATHS, name)

/** A decorative icon; the control that holds it carries the name for readers. `size` in px. */
export const Icon = ({ name, size = 16 }: { name: IconName; size?: number }) => (
  <svg
    className="tg-icon"
    width={size}
    height={size}
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    strokeWidth={name === 'dot' || name === 'more' ? 3 : 1.7}
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
    focusable="false"
  >
    <path d={PATHS[name]} />
  </svg>
)
