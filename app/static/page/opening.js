// Two language models write: plays the moments of a kept run, letter by letter, until the end or a touch.
const SEEN = 0.75 // visible share from which on it plays by itself, once
const LASTS = 1100 // milliseconds per moment
const WRITES = 0.7 // share of a moment during which letters appear
const APART = 30 // milliseconds between two updates: more often would drain a phone's battery without being visible

/** @typedef {Record<string, string> & {step: string}} Moment what each model has written at a step */
class Opening {
  /** @param {HTMLElement} section */
  constructor(section) {
    /** @type {Moment[]} */
    this.moments = JSON.parse(section.dataset.moments)
    this.last = this.moments.length - 1
    this.lines = [...section.querySelectorAll('.written')]
    this.bar = section.querySelector('.moment')
    this.button = this.bar.querySelector('button')
    this.slider = this.bar.querySelector('input')
    this.said = this.bar.querySelector('output')
    this.slider.max = String(this.last)
    this.show(this.last)
    this.slider.addEventListener('input', () => {
      this.seen?.disconnect()
      this.stop()
      this.show(Number(this.slider.value))
    })
    this.button.addEventListener('click', () => {
      this.seen?.disconnect()
      if (this.planned) this.stop()
      else this.play()
    })
    document.addEventListener('visibilitychange', () => {
      if (document.hidden) this.stop()
    })
    this.stop()
    this.bar.hidden = false
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return
    this.seen = new IntersectionObserver(
      ([{isIntersecting}]) => {
        if (!isIntersecting) return
        this.seen?.disconnect()
        if (document.hidden) document.addEventListener('visibilitychange', () => this.play(), {once: true})
        else this.play()
      },
      {threshold: SEEN},
    )
    this.seen.observe(section)
  }

  /** @param {number} moment @param {number} [share] */
  show(moment, share = 1) {
    const now = this.moments[moment]
    for (const line of this.lines) {
      const text = now[line.dataset.kind]
      line.textContent = text.slice(0, Math.ceil(text.length * share))
    }
    const words = `after ${now.step} of ${this.moments[this.last].step} steps`
    if (this.slider.ariaValueText === words) return
    this.said.textContent = this.slider.ariaValueText = words
    this.slider.value = String(moment)
  }

  // Plays from the slider's position, or from the first moment if it is at the end.
  play() {
    if (this.planned) return
    const first = Number(this.slider.value) % this.last,
      begun = performance.now()
    let lastDraw = -Infinity
    const draw = () => {
      this.planned = requestAnimationFrame(draw)
      const now = performance.now(),
        passed = (now - begun) / LASTS + first
      if (now - lastDraw < APART) return
      lastDraw = now
      if (passed >= this.last + WRITES) {
        this.stop()
        return this.show(this.last)
      }
      const moment = Math.min(Math.floor(passed), this.last)
      this.show(moment, Math.min((passed - moment) / WRITES, 1))
    }
    this.say(true)
    draw()
  }

  stop() {
    cancelAnimationFrame(this.planned)
    this.planned = null
    this.say(false)
  }

  /** @param {boolean} playing */
  say(playing) {
    this.button.textContent = playing ? '❚❚' : '▶'
    this.button.ariaLabel = this.button.title = playing ? 'Pause here' : 'Let them write'
  }
}

for (const section of document.querySelectorAll('.opening')) new Opening(section)
