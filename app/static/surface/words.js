// All texts of the picture: its title, what is being computed, the name of each surface, and the axis labels.
/** @typedef {{text: string, x: number, y: number, align: CanvasTextAlign, fill: string, font: string}} Words */
export const LINE = 22 // height in pixels of a text line above the surfaces, and of the one below a name

// → {text, x, y, align, fill, font}
/** @param {Pick<import('./index.js').Surface, 'title' | 'under' | 'views' | 'colors' | 'font' | 'context' | 'larger'>} surface @returns {Generator<Words>} */
export function* texts({title, under, views, colors, font: family, context, larger}) {
  const css = (/** @type {number[]} */ color) => `rgb(${color.map(channel => Math.round(255 * channel)).join(',')})`
  /** @type {{align: CanvasTextAlign, fill: string, font: string}} */
  const soft = {align: 'left', fill: css(colors.soft), font: `400 ${13 * larger}px ${family}`}
  /** @type {{align: CanvasTextAlign, fill: string, font: string}} */
  const strong = {align: 'left', fill: css(colors.ink), font: `650 ${13.5 * larger}px ${family}`}
  const line = LINE * larger,
    first = line / 2,
    name = 14 * larger
  const end = Math.max(...views.map(({box: [left, , wide]}) => left + wide)),
    lines = Math.round(views[0].box[1] / line)
  yield {...strong, text: title, x: 8, y: first}
  yield {...soft, text: under, ...(lines > 1 ? {x: 8, y: first + line} : {x: end - 8, y: first, align: 'right'})}
  for (const {
    box: [left, top, wide, high],
    label,
    note,
    hue,
    labels,
  } of views) {
    yield {...strong, text: label, x: left + 8, y: top + name, fill: hue}
    const [long, rest] = [strong, soft].map(({font}, at) => {
      context.font = font
      return context.measureText([label, note ?? ''][at]).width
    })
    const beside = lines > 1 && long + rest + 24 < wide // on a phone, if that leaves more space for the surface
    if (note)
      yield {
        ...soft,
        text: note,
        ...(beside ? {x: left + 16 + long, y: top + name} : {x: left + 8, y: top + name + 0.8 * line}),
      }
    for (const {text, x, y, align, title: isTitle, upright} of labels) {
      const font = `${isTitle ? 500 : 400} ${13 * larger}px ${family}`
      context.font = font
      const length = context.measureText(text).width,
        before = {left: 0, center: length / 2, right: length}[align]
      const inside = Math.min(wide - 3 - length + before, Math.max(3 + before, x))
      yield {
        ...soft,
        text,
        x: left + inside,
        y: top + Math.min(high - 9, Math.max(9, y)),
        align,
        font,
        ...(upright && {fill: strong.fill}),
      }
    }
  }
}

/** @param {CanvasRenderingContext2D} context @param {Iterable<Words>} all @param {number} ratio */
export function write(context, all, ratio) {
  context.save()
  context.scale(ratio, ratio)
  context.textBaseline = 'middle'
  for (const {text, x, y, align, fill, font} of all) {
    Object.assign(context, {font, fillStyle: fill, textAlign: align})
    context.fillText(text, x, y)
  }
  context.restore()
}
