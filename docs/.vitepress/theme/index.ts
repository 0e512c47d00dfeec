// System fonts: the site loads nothing from elsewhere.
import DefaultTheme from 'vitepress/theme-without-fonts'
import './style.css'

export default DefaultTheme
