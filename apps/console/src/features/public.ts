/** Pages that need no login, by their path: each stands alone, outside the frame, and sets its own title. The login itself is app/router.tsx's. */
import type { PageModule } from './registry.ts'

export const PUBLIC_PAGES: Readonly<Record<string, () => Promise<PageModule>>> = {
  '/register': () => import('./register/RegisterPage.tsx'),
  '/forgot': () => import('./register/ForgotPage.tsx'),
  '/reset-password': () => import('./register/ResetPage.tsx'),
  '/enter': () => import('./enter/EnterPage.tsx'),
  '/debug': () => import('./debug/DebugPage.tsx'),
}
