// Paints with WebGL into a canvas shared by all surfaces of a page, so that a page never has more than one context.
import {STEPS} from './color.js'
import {STRIDE} from './lines.js'

export const SUN = [-0.45, 0.35, 0.82] // to the right, up and toward the eye
export const SHADE = [0.66, 0.4] // light in the shadow, and what the sun adds to it

const SURFACE = [
  `#version 300 es
in vec3 position; in vec3 normal; in float share; in vec2 place;
uniform mat4 camera;
out vec3 side; out float height; out vec2 cell;
void main() { side = normal; height = share; cell = place; gl_Position = camera * vec4(position, 1.0); }`,
  `#version 300 es
precision highp float;
in vec3 side; in float height; in vec2 cell;
uniform vec3 colors[${STEPS}]; uniform vec3 sun; uniform vec3 ink;
out vec4 painted;
void main() {
  float at = clamp(height, 0.0, 1.0) * ${STEPS - 1}.0;
  int step = min(int(at), ${STEPS - 2});
  vec3 color = mix(colors[step], colors[step + 1], at - float(step));
  color *= ${SHADE[0]} + ${SHADE[1]} * abs(dot(normalize(side), sun));
  vec2 wide = max(fwidth(cell), vec2(1e-6)), near = abs(fract(cell - 0.5) - 0.5) / wide;
  float line = (1.0 - smoothstep(0.3, 1.1, min(near.x, near.y))) * smoothstep(3.0, 8.0, 1.0 / max(wide.x, wide.y));
  painted = vec4(mix(color, ink, 0.18 * line), 1.0);
}`,
]

const LINES = [
  `#version 300 es
in vec2 corner; in vec3 from; in vec3 to; in vec4 color; in vec2 look;
uniform mat4 camera; uniform vec2 size; uniform float ratio;
flat out vec4 ends; flat out vec4 tint; flat out float radius;
void main() {
  vec4 p = camera * vec4(from, 1.0), q = camera * vec4(to, 1.0);
  vec2 a = (p.xy / p.w + 1.0) * size / 2.0, b = (q.xy / q.w + 1.0) * size / 2.0;
  float far = length(b - a);
  vec2 along = far > 1e-4 ? (b - a) / far : vec2(1.0, 0.0);
  radius = look.x * ratio / 2.0;
  vec2 at = (corner.x < 0.5 ? a : b) + (along * (2.0 * corner.x - 1.0) + vec2(-along.y, along.x) * corner.y) * (radius + 1.0);
  vec4 base = corner.x < 0.5 ? p : q;
  ends = vec4(a, b); tint = color;
  gl_Position = vec4((at / size * 2.0 - 1.0) * base.w, base.z - look.y * base.w, base.w);
}`,
  `#version 300 es
precision highp float;
flat in vec4 ends; flat in vec4 tint; flat in float radius;
uniform vec2 corner_of_view; uniform float strength;
out vec4 painted;
void main() {
  vec2 here = gl_FragCoord.xy - corner_of_view - ends.xy, way = ends.zw - ends.xy;
  float at = dot(here, way) / max(dot(way, way), 1e-8), along = clamp(at, 0.0, 1.0);
  float alpha = clamp(radius + 0.5 - length(here - way * along), 0.0, 1.0) * tint.a * strength;
  if (tint.a < 1.0 && at != along) discard; // where two thin pieces meet, neither covers the other
  painted = vec4(tint.rgb * alpha, alpha);
}`,
]

// Without a graphics card, painting flat is 2 to 4 times as fast as WebGL; the renderer's name tells whether there is
// one.
/** @param {WebGL2RenderingContext} gl */
function inSoftware(gl) {
  const details = gl.getExtension('WEBGL_debug_renderer_info')
  return /swiftshader|llvmpipe|software|basic render/i.test(
    gl.getParameter(details?.UNMASKED_RENDERER_WEBGL ?? gl.RENDERER),
  )
}

/** @typedef {import('./index.js').View} View */
const HINT = 0.22 // opacity of lines hidden by the surface

export class Painter {
  // `changed` is called when the browser has taken the context away or restored it.
  /** @param {() => void} changed */
  constructor(changed) {
    this.canvas = document.createElement('canvas')
    this.gl = this.canvas.getContext('webgl2', {antialias: true, premultipliedAlpha: true})
    if (!this.gl) throw new Error('no WebGL')
    if (inSoftware(this.gl)) {
      this.close()
      throw new Error('no graphics card')
    }
    /** @type {Map<AllowSharedBufferSource, WebGLBuffer>} */
    this.kept = new Map()
    this.canvas.addEventListener('webglcontextlost', event => {
      event.preventDefault()
      this.kept.clear()
      changed()
    })
    this.canvas.addEventListener('webglcontextrestored', () => {
      Object.assign(this, this.prepared())
      changed()
    })
    const {surface, lines, corners} = this.prepared()
    this.surface = surface
    this.lines = lines
    this.corners = corners
  }

  // Creates programs and buffers, again for every context.
  prepared() {
    return {
      surface: this.program(...SURFACE),
      lines: this.program(...LINES),
      corners: this.buffer(new Float32Array([0, -1, 0, 1, 1, -1, 1, 1])),
    }
  }

  get lost() {
    return this.gl.isContextLost()
  }

  /** @param {string[]} shaders */
  program(...shaders) {
    const {gl} = this,
      program = gl.createProgram()
    shaders.forEach((text, at) => {
      const shader = /** @type {WebGLShader} */ (gl.createShader(at ? gl.FRAGMENT_SHADER : gl.VERTEX_SHADER))
      gl.shaderSource(shader, text)
      gl.compileShader(shader)
      gl.attachShader(program, shader)
    })
    gl.linkProgram(program)
    if (!gl.getProgramParameter(program, gl.LINK_STATUS) && !gl.isContextLost())
      throw new Error(gl.getProgramInfoLog(program) ?? '')
    return program
  }

  /** @param {AllowSharedBufferSource} numbers @param {number} [target] */
  buffer(numbers, target = this.gl.ARRAY_BUFFER) {
    const buffer = this.gl.createBuffer()
    this.gl.bindBuffer(target, buffer)
    this.gl.bufferData(target, numbers, this.gl.STATIC_DRAW)
    return buffer
  }

  // Buffers of data that does not change, created once.
  /** @param {AllowSharedBufferSource} numbers @param {number} [target] */
  keep(numbers, target) {
    if (!this.kept.has(numbers)) this.kept.set(numbers, this.buffer(numbers, target))
    return /** @type {WebGLBuffer} */ (this.kept.get(numbers))
  }

  /** @param {import('./scene.js').Scene} scene */
  forget({surface, ...lines}) {
    for (const numbers of [
      surface.positions,
      surface.normals,
      surface.shares,
      surface.triangles,
      surface.places,
      lines.behind,
      lines.on,
      lines.through,
    ]) {
      if (!numbers) continue // not painted yet
      this.gl.deleteBuffer(this.kept.get(numbers) ?? null)
      this.kept.delete(numbers)
    }
  }

  // Paints the views into `context`, at device pixels.
  /** @param {CanvasRenderingContext2D} context @param {View[]} views @param {number} width @param {number} height @param {number} ratio */
  paint(context, views, width, height, ratio) {
    const {gl, canvas} = this
    if (canvas.width < width || canvas.height < height)
      Object.assign(canvas, {width: Math.max(canvas.width, width), height: Math.max(canvas.height, height)})
    gl.clearColor(0, 0, 0, 0)
    gl.depthMask(true) // otherwise the depths of the last picture would stay
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT)
    gl.enable(gl.BLEND)
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA)
    gl.enable(gl.DEPTH_TEST)
    for (const view of views) this.view(view, height, ratio)
    context.drawImage(canvas, 0, canvas.height - height, width, height, 0, 0, width, height)
  }

  /** @param {View} view @param {number} height @param {number} ratio */
  view({box, m, scene, moving, sun, ink}, height, ratio) {
    const {gl} = this,
      [x, y, wide, high] = box.map(value => Math.round(value * ratio))
    const bottom = height - y - high
    gl.viewport(x, bottom, wide, high)
    gl.depthFunc(gl.LEQUAL)
    gl.depthMask(true)
    this.mesh(scene, m, sun, ink)
    gl.depthMask(false)
    gl.useProgram(this.lines)
    gl.uniformMatrix4fv(gl.getUniformLocation(this.lines, 'camera'), false, m)
    gl.uniform2f(gl.getUniformLocation(this.lines, 'size'), wide, high)
    gl.uniform1f(gl.getUniformLocation(this.lines, 'ratio'), ratio)
    gl.uniform2f(gl.getUniformLocation(this.lines, 'corner_of_view'), x, bottom)
    for (const numbers of [moving.behind, scene.behind, scene.on]) this.draw(numbers, 1)
    gl.depthFunc(gl.GREATER)
    for (const numbers of [scene.through, moving.through]) this.draw(numbers, HINT)
    gl.depthFunc(gl.LEQUAL)
    for (const numbers of [scene.through, moving.through]) this.draw(numbers, 1)
    for (const numbers of [moving.behind, moving.through]) {
      gl.deleteBuffer(this.kept.get(numbers) ?? null)
      this.kept.delete(numbers)
    }
  }

  /** @param {import('./scene.js').Scene} scene @param {Float32Array} m @param {number[]} sun @param {number[]} ink */
  mesh({surface, ramp}, m, sun, ink) {
    const {gl} = this,
      program = this.surface
    gl.useProgram(program)
    gl.uniformMatrix4fv(gl.getUniformLocation(program, 'camera'), false, m)
    gl.uniform3fv(gl.getUniformLocation(program, 'colors'), ramp)
    gl.uniform3fv(gl.getUniformLocation(program, 'sun'), sun)
    gl.uniform3fv(gl.getUniformLocation(program, 'ink'), ink)
    surface.places ??= Float32Array.from({length: 2 * surface.rows * surface.columns}, (_, at) =>
      at % 2 ? Math.floor((at >> 1) / surface.columns) : (at >> 1) % surface.columns,
    )
    const array = gl.createVertexArray()
    gl.bindVertexArray(array)
    for (const [name, numbers, size] of /** @type {[string, Float32Array, number][]} */ ([
      ['position', surface.positions, 3],
      ['normal', surface.normals, 3],
      ['share', surface.shares, 1],
      ['place', surface.places, 2],
    ])) {
      gl.bindBuffer(gl.ARRAY_BUFFER, this.keep(numbers, gl.ARRAY_BUFFER))
      this.attribute(program, name, size)
    }
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, this.keep(surface.triangles, gl.ELEMENT_ARRAY_BUFFER))
    gl.drawElements(gl.TRIANGLES, surface.triangles.length, gl.UNSIGNED_INT, 0)
    gl.bindVertexArray(null)
    gl.deleteVertexArray(array)
  }

  /** @param {Float32Array} numbers @param {number} strength */
  draw(numbers, strength) {
    if (!numbers.length) return
    const {gl} = this,
      program = this.lines,
      array = gl.createVertexArray()
    gl.bindVertexArray(array)
    gl.uniform1f(gl.getUniformLocation(program, 'strength'), strength)
    gl.bindBuffer(gl.ARRAY_BUFFER, this.corners)
    this.attribute(program, 'corner', 2)
    gl.bindBuffer(gl.ARRAY_BUFFER, this.keep(numbers, gl.ARRAY_BUFFER))
    for (const [name, size, from] of /** @type {[string, number, number][]} */ ([
      ['from', 3, 0],
      ['to', 3, 3],
      ['color', 4, 6],
      ['look', 2, 10],
    ]))
      this.attribute(program, name, size, STRIDE, from)
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, numbers.length / STRIDE)
    gl.bindVertexArray(null)
    gl.deleteVertexArray(array)
  }

  /** @param {WebGLProgram} program @param {string} name @param {number} size @param {number} [stride] @param {number} [from] */
  attribute(program, name, size, stride = 0, from = 0) {
    const {gl} = this,
      at = gl.getAttribLocation(program, name)
    gl.enableVertexAttribArray(at)
    gl.vertexAttribPointer(at, size, gl.FLOAT, false, 4 * stride, 4 * from)
    gl.vertexAttribDivisor(at, stride ? 1 : 0)
  }

  close() {
    this.gl.getExtension('WEBGL_lose_context')?.loseContext()
  }
}
