// The bar of a classroom: its code, who is there, and the actions. Also shows the code in large type, for the
// projector.
import {become, forget, member} from '../shared/room-member.js'
import {saveFile} from '../shared/copy-and-save.js'
import {button, count, make} from './parts.js'
import {UNREACHED, root} from './talk.js'

const LOCAL = /^(localhost|127\.|\[::1\])/
const PLACES = '.predict[id], .quiz[id], .claim[id], figure.simulation[id], .worked[id], h2[id]'

/** @typedef {import('../shared/room-member.js').RoomMember} RoomMember */
/** @typedef {import('./talk.js').Refused} Refused */
export class Bar {
  /** @param {RoomMember} me @param {import('./talk.js').Line} line */
  constructor(me, line) {
    this.me = me
    this.target = /** @type {Late<URL>} */ (/** @type {any} */ (null))
    this.calls = 0
    this.line = line
    this.people = make('span', {className: 'people'})
    this.said = make('span', {className: 'said', role: 'status'})
    this.invitation = make('a', {className: 'invitation', hidden: true})
    this.invitation.addEventListener('click', event => this.follow(event))
    const code = make('span', {}, 'Room ', make('strong', {className: 'code', textContent: me.code}))
    const tools = me.teacher ? this.teachers() : [this.following(), button('Leave', () => this.leave())]
    this.element = make(
      'aside',
      {className: 'room-bar', ariaLabel: 'Room'},
      code,
      this.people,
      this.invitation,
      this.said,
      ...tools,
    )
    const target = document.getElementById(location.hash.slice(1)),
      top = target?.getBoundingClientRect().top ?? Infinity
    document.querySelector('.skip').after(this.element)
    document.documentElement.dataset.room = me.teacher ? 'teacher' : 'student'
    if (Math.abs(top) < this.element.offsetHeight) target?.scrollIntoView() // the bar would cover it
  }

  teachers() {
    this.dialog = codeDialog(this.me.code)
    this.closing = closingDialog(() => this.close())
    document.body.append(this.dialog, this.closing)
    this.bring = button('Bring the class here', () => this.call(), 'primary')
    return [
      button('Show the code', () => this.showCode()),
      this.bring,
      button('Save the answers', () => this.save()),
      button('Close the room …', () => this.closing?.showModal()),
    ]
  }

  showCode() {
    this.dialog?.showModal()
    if (this.dialog) this.dialog.scrollTop = 0 // the focus is on its last line
  }

  // Whether a student goes where the teacher brings the class; with it off there is a link instead.
  following() {
    const box = make('input', {type: 'checkbox', checked: !this.me.stays})
    box.addEventListener('change', () => {
      become({stays: !box.checked})
      if (box.checked && !this.invitation.hidden) this.invitation.click()
    })
    const whom = make('span', {className: 'whom', textContent: ' the teacher'})
    return make('label', {className: 'follows'}, box, make('span', {}, 'Follow', whom))
  }

  /** @param {RoomNews} news */
  update({people, calls, place}) {
    this.people.textContent = count(people, 'student')
    if (this.dialog)
      this.dialog.querySelector('.people').textContent = people
        ? `${count(people, 'student')} here`
        : 'Nobody is here yet'
    if (this.me.teacher || calls <= (member()?.calls ?? -1)) return
    this.target = new URL(place, root)
    this.calls = calls
    this.invitation.href = String(this.target)
    this.invitation.textContent = `Your teacher is at ${name(this.target)}: go there`
    this.invitation.hidden = false
    this.said.textContent = ''
    if (member()?.stays) return
    this.invitation.click()
    this.say(`Your teacher is at ${name(this.target)}.`)
  }

  // If the target is on this page, only the hash changes.
  /** @param {Event} event */
  follow(event) {
    become({calls: this.calls})
    this.invitation.hidden = true
    if (this.target.pathname !== location.pathname || this.target.search !== location.search) return
    event.preventDefault()
    location.hash = this.target.hash
    document.getElementById(this.target.hash.slice(1))?.scrollIntoView()
  }

  // Calls the class to the element with this id, or else to what is in the middle of the window.
  /** @param {string} [id] */
  async call(id) {
    if (document.querySelector('.lesson, .paper.answers')) {
      this.said.textContent = 'This page has the answers, so the class is not brought here.'
      return
    }
    const address = new URL(location.href)
    for (const key of ['room', 'present']) address.searchParams.delete(key)
    const page = decodeURIComponent(address.pathname.slice(root.pathname.length))
    const query = address.searchParams.toString()
    const place = id ?? (await seen())
    await this.try({do: 'call', place: page + (query && `?${query}`) + (place && `#${place}`)}, 'The class is invited.')
  }

  // What went well is said for some seconds only: nobody should read an hour later where the teacher was.
  /** @param {string} words */
  say(words) {
    this.said.textContent = words
    setTimeout(() => {
      if (this.said.textContent === words) this.said.textContent = ''
    }, 6000)
  }

  // → whether it worked
  /** @param {RoomRequest} request @param {string} done */
  async try(request, done) {
    try {
      await this.line.say(request)
      this.say(done)
      return true
    } catch (error) {
      this.refused(error)
      return false
    }
  }

  /** @param {unknown} error */
  refused(error) {
    const {message, status} = /** @type {Refused} */ (error)
    this.said.textContent = message
    this.isLost ||= status === UNREACHED
  }

  // The answers so far, as a table without names.
  async save() {
    try {
      saveFile(await this.line.table(), `room-${this.me.code}.csv`)
      this.say('The answers are saved as a table.')
    } catch (error) {
      this.refused(error)
    }
  }

  async close() {
    this.line.hang()
    if (await this.try({do: 'close'}, '')) this.end('The room is closed, and its answers are gone.')
    else this.line.listen() // the room is still there, and this tab alone can close it
  }

  async leave() {
    this.line.hang()
    await this.try({do: 'leave'}, '')
    this.end('You have left the room.')
  }

  /** @param {boolean} whether */
  lost(whether) {
    if (whether) this.said.textContent = 'The connection is lost; this page tries again.'
    else if (this.isLost) this.said.textContent = ''
    this.isLost = whether
  }

  // The final message stays until it is read; answers given before are shown after the page is reloaded.
  /** @param {string} why */
  end(why) {
    this.line.end()
    if (member()?.code === this.me.code) forget() // not another room that was opened since
    this.dialog?.close()
    this.closing?.remove()
    delete document.documentElement.dataset.room
    const held = this.element.contains(document.activeElement)
    const ok = button('OK', () => {
      this.element.remove()
      location.reload()
    })
    this.element.replaceChildren(make('span', {role: 'status', textContent: why}), ok)
    if (held) ok.focus()
    document.dispatchEvent(new CustomEvent('room-ended', {detail: why}))
  }
}

// The element that fills the window, the target of the address if it is visible, or what is in the middle.
// It waits until a page that scrolls smoothly stands still.
async function seen() {
  for (let before = NaN; before !== scrollY; ) {
    before = scrollY
    for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame)
  }
  const presented = document.querySelector('.presented')
  if (presented) return presented.id
  const target = document.getElementById(location.hash.slice(1)),
    box = target?.getBoundingClientRect()
  if (box && box.top < innerHeight && box.bottom > 0) return target.id
  if (scrollY < 40) return ''
  const far = (/** @type {Element} */ element) => {
    const {top, bottom} = element.getBoundingClientRect()
    const middle = 0.4 * innerHeight
    return top <= middle && middle <= bottom ? 0 : Math.min(Math.abs(top - middle), Math.abs(bottom - middle))
  }
  const visible = [...document.querySelectorAll(PLACES)].filter(element => element.offsetParent !== null)
  return visible.sort((a, b) => far(a) - far(b))[0]?.id ?? ''
}

/** @param {URL} address */
function name(address) {
  const page = address.pathname.slice(root.pathname.length)
  const link = document.querySelector(page ? `header.site a[href="${CSS.escape(page)}"]` : 'header.site a.brand')
  const words = /** @type {HTMLElement | undefined} */ (link?.cloneNode(true))
  words?.querySelector('.figure')?.remove()
  return `“${words?.textContent.trim() || page}”`
}

// Asks before the room is closed. The focus is on the button that keeps it open, and Escape does the same.
/** @param {() => void} close */
function closingDialog(close) {
  const cancel = button('Cancel', () => dialog.close())
  cancel.autofocus = true
  const sure = button(
    'Close the room',
    () => {
      dialog.close()
      close()
    },
    'primary',
  )
  const question = make('p', {id: 'room-closing', textContent: 'Close the room for everybody?'})
  const loss = make('p', {className: 'small', textContent: 'Its answers will be lost. You can save them first.'})
  const dialog = make(
    'dialog',
    {className: 'room-closing'},
    question,
    loss,
    make('p', {className: 'tools'}, cancel, sure),
  )
  dialog.setAttribute('aria-labelledby', question.id)
  return dialog
}

/** @param {string} code */
function codeDialog(code) {
  const address = new URL(`room/${code}`, root)
  const image = new URL(`room/${code}/code.svg`, root)
  image.searchParams.set('base', root.origin + root.pathname)
  const dialog = make(
    'dialog',
    {className: 'room-code', ariaLabel: 'The code of the room'},
    make(
      'div',
      {className: 'words'},
      make('p', {className: 'kind', textContent: 'Join the room'}),
      make('p', {className: 'address', textContent: address.host + address.pathname}),
      make('p', {className: 'letters', textContent: code}),
      make('p', {className: 'people', textContent: 'Nobody is here yet'}),
    ),
    make('img', {src: image, alt: `QR code of ${address.href}`, width: 400, height: 400}),
  )
  if (LOCAL.test(address.host)) {
    const words =
      'This address is the computer’s own: no other device can reach it. Open the site under the computer’s name in your network.'
    dialog.querySelector('.words').append(make('p', {className: 'warning', textContent: words}))
  }
  dialog.append(button('Back to the page', () => dialog.close()))
  return dialog
}
