import assert from 'node:assert/strict'
import {test} from 'node:test'
import {directions, HOME, matrix, moved, project, TOP} from '../../app/static/surface/camera.js'
import {fromLab, onRamp, parse, ramp, STEPS, toLab} from '../../app/static/surface/color.js'
import {frame} from '../../app/static/surface/frame.js'
import {Lines, STRIDE} from '../../app/static/surface/lines.js'
import {contour, corners, mesh, pick} from '../../app/static/surface/mesh.js'
import {linearTicks, Scale} from '../../app/static/surface/scale.js'
import {drop, placer, scene} from '../../app/static/surface/scene.js'

const near = (one, other, within = 1e-6) => assert.ok(Math.abs(one - other) <= within, `${one} is not ${other}`)

// Three by three points: a valley with its ground in the middle.
const GRID = {rows: 3, columns: 3, a: [-1, 0, 1, -1, 0, 1, -1, 0, 1], b: [-1, -1, -1, 0, 0, 0, 1, 1, 1]}
const VALLEY = [2, 1, 2, 1, 0, 1, 2, 1, 2]
const scale = new Scale(0, 2, false)
const surface = (values = VALLEY) => mesh(3, 3, GRID.a, GRID.b, values, scale)

test('camera: its directions are of length 1 and at right angles', () => {
  const {right, up, eye} = directions({turn: 0.7, tilt: 0.4})
  const dot = (one, other) => one.reduce((sum, value, axis) => sum + value * other[axis], 0)
  for (const vector of [right, up, eye]) near(dot(vector, vector), 1)
  for (const [one, other] of [
    [right, up],
    [up, eye],
    [eye, right],
  ])
    near(dot(one, other), 0)
})

test('camera: it neither tips over nor comes too close', () => {
  assert.equal(moved(HOME, {tilt: 9}).tilt, 1.55)
  assert.equal(moved(HOME, {tilt: -9}).tilt, 0.06)
  assert.equal(moved(HOME, {zoom: 100}).zoom, 4)
  near(moved({...HOME, turn: 6}, {turn: 1}).turn, 7 - 2 * Math.PI)
  assert.deepEqual(moved(HOME, {}), {...HOME})
})

test('camera: the whole box is in the picture, below its words, however it is turned', () => {
  for (const [width, height, larger] of [
    [300, 250, 1],
    [900, 360, 1],
    [900, 360, 1.4],
    [400, 700, 1],
  ])
    for (const turn of [0, 0.4, 2, 5])
      for (const tilt of [0.06, 0.56, 1.55]) {
        const m = matrix({turn, tilt, zoom: 1}, width, height, larger)
        for (const corner of [0, 1, 2, 3, 4, 5, 6, 7]) {
          const point = [corner & 1 ? 1 : -1, corner & 2 ? 1 : -1, corner & 4 ? TOP : 0]
          const [x, y, depth] = project(m, point, width, height)
          assert.ok(x >= 0 && x <= width && y >= 44 * larger - 1 && y <= height, `${point} at ${x}, ${y}`)
          assert.ok(depth > -1 && depth < 1)
        }
      }
})

test('camera: what is farther away has more depth', () => {
  const m = matrix(HOME, 500, 400),
    {eye} = directions(HOME)
  const depth = far =>
    project(
      m,
      eye.map(value => -far * value),
      500,
      400,
    )[2]
  assert.ok(depth(1) > depth(0) && depth(0) > depth(-1))
})

test('color: OKLab and back', () => {
  for (const hex of ['#c7711a', '#000000', '#ffffff', '#12ab9f'])
    for (const [at, share] of fromLab(toLab(parse(hex))).entries()) near(share, parse(hex)[at], 1e-4)
  assert.deepEqual(parse('#ff0080'), [1, 0, 128 / 255])
})

test('color: a ramp fades step by step, and stays within its ends', () => {
  const colors = ramp('#c7711a', false)
  assert.equal(colors.length, 3 * STEPS)
  const light = at => toLab([...colors.slice(3 * at, 3 * at + 3)])[0]
  for (let at = 1; at < STEPS; at++) assert.ok(light(at) > light(at - 1))
  assert.deepEqual(onRamp(colors, -1), [...colors.slice(0, 3)])
  for (const [at, share] of onRamp(colors, 2).entries()) near(share, colors[3 * (STEPS - 1) + at])
})

test('scale: shares of the axis, and nothing beyond it', () => {
  near(scale.share(0.5), 0.25)
  assert.ok(Number.isNaN(scale.share(2.1)) && Number.isNaN(scale.share(NaN)))
  near(new Scale(0.01, 100, true).share(1), 0.5)
  near(scale.z(2), TOP)
})

test('scale: ticks are round, few, and within the axis', () => {
  assert.deepEqual(linearTicks(0, 10), [0, 2, 4, 6, 8, 10])
  for (const [low, high] of [
    [0.001, 1000],
    [0.9, 30],
    [2, 90],
    [1, 2.5],
  ]) {
    const ticks = new Scale(low, high, true).ticks()
    assert.ok(ticks.length >= 2 && ticks.length <= 12)
    for (const tick of ticks) assert.ok(tick >= low * 0.999 && tick <= high * 1.001)
  }
})

test('scale: large round numbers are powers of ten', () => {
  assert.equal(new Scale(0, 5e6, false).text(2e6), '2 × 10⁶')
  assert.equal(new Scale(0, 5000, false).text(2000), '2,000')
  assert.equal(scale.text(0), '0')
})

test('mesh: a flat surface has normals that point up, a slope has not', () => {
  const {normals} = surface(Array(9).fill(1))
  assert.deepEqual(
    [...normals.slice(0, 3)].map(value => Math.abs(value)),
    [0, 0, 1],
  )
  const slope = surface([0, 1, 2, 0, 1, 2, 0, 1, 2]).normals
  assert.ok(slope[12] < 0 && slope[13] === 0)
})

test('mesh: a cell with a point that is not finite stays open', () => {
  const {closed, open, triangles} = surface([NaN, ...VALLEY.slice(1)])
  assert.deepEqual([closed.length, open], [3, [0]])
  assert.equal(triangles.length, 18)
  assert.deepEqual(corners(0, 3), [0, 1, 4, 3])
})

test('mesh: a contour goes around the valley, at its height', () => {
  const pieces = contour(surface(), scale.z(0.5))
  assert.ok(pieces.length >= 4)
  for (const [x, y, u, v] of pieces)
    for (const [p, q] of [
      [x, y],
      [u, v],
    ])
      near(Math.abs(p) + Math.abs(q), 0.5, 0.26)
  assert.deepEqual(contour(surface(), 99), [])
})

test('mesh: a pixel picks the grid point in front, else one of the floor, else none', () => {
  const flat = surface()
  const points = Array.from({length: 9}, (_, at) => [10 * (at % 3), 10 * Math.floor(at / 3), 0])
  assert.equal(pick(flat, points, points, 1, 1), 0)
  assert.equal(pick(flat, points, points, 19, 19), 8)
  assert.equal(pick(flat, points, points, 500, 1), null)
  const holes = surface(Array(9).fill(NaN))
  assert.equal(pick(holes, points, points, 11, 9), 4)
})

test('lines: what is not finite is left out; a dot ends where it begins', () => {
  const lines = new Lines().add([0, 0, 0], [NaN, 0, 0], [1, 1, 1], 1).dot([1, 2, 3], [0, 0, 0], 4, {alpha: 0.5})
  assert.equal(lines.table.length, STRIDE)
  assert.deepEqual([...lines.table], [1, 2, 3, 1, 2, 3, 0, 0, 0, 0.5, 4, 0])
  assert.ok(new Lines().dashed([0, 0, 0], [0, 0, 1], [0, 0, 0], 1).table.length > 10 * STRIDE)
})

test('frame: however it is turned, no number of a direction is beside the axis of the loss', () => {
  const [width, height] = [430, 430],
    gray = [0.5, 0.5, 0.5]
  for (const tilt of [0.2, HOME.tilt, 0.9])
    for (let turn = -3; turn < 3; turn += 0.1) {
      const camera = {...HOME, turn, tilt}
      const {labels} = frame({
        camera,
        m: matrix(camera, width, height),
        width,
        height,
        scale,
        data: {a: [-1, 1], b: [-1, 1]},
        axes: ['a', 'b', 'loss'],
        colors: {ink: gray, soft: gray, rule: gray, edge: gray, panel: gray},
        larger: 1,
      })
      const losses = labels.filter(({upright, title}) => upright && !title)
      assert.ok(losses.length > 2, `${losses.length} losses at ${turn}, ${tilt}`)
      const lowest = Math.max(...losses.map(({y}) => y))
      const beside = labels.filter(
        ({upright, title, x, y}) => !upright && !title && y < lowest && losses.some(loss => Math.abs(loss.x - x) < 40),
      )
      assert.deepEqual(beside, [])
    }
})

test('scene: paths lie where the grid has their values', () => {
  const place = placer(GRID, scale)
  assert.deepEqual(place([-1, 1, 2]), [-1, 1, TOP])
  near(place([0.5, 0, 0])[0], 0.5)
  const lines = new Lines()
  drop(lines, [0, 0, NaN], {ink: [0, 0, 0]})
  assert.equal(lines.table.length, 0)
})

test('scene: a surface has its mesh, its ramp and its three layers of lines', () => {
  const gray = [0.5, 0.5, 0.5],
    colors = {ink: gray, soft: gray, rule: gray, edge: gray, panel: gray, hue: '#c7711a'}
  const result = scene(
    {
      ...GRID,
      values: VALLEY,
      track: [
        [-1, -1, 2],
        [0, 0, 0],
      ],
    },
    scale,
    colors,
    true,
  )
  assert.equal(result.surface.closed.length, 4)
  for (const layer of [result.behind, result.on, result.through])
    assert.ok(layer.length > 0 && layer.length % STRIDE === 0)
})
