// Times updates of TensorFlow Playground's own engine, without drawing: `node playground.cjs ENGINE.js`.
// For every line on standard input that says how many updates to make, the processor's milliseconds for each are printed.
const readline = require('node:readline')
const engine = require(process.argv[2])

const DEPTH = 32, WIDTH = 8, BATCH = 10
const shape = [2, ...Array(DEPTH).fill(WIDTH), 1]
const network = engine.buildNetwork(shape, engine.Activations.RELU, engine.Activations.TANH, null, ['x', 'y'], false)
const points = Array.from({length: 500}, () => [Math.random() * 12 - 6, Math.random() * 12 - 6, Math.random() < 0.5 ? -1 : 1])

function update() {
  for (let each = 0; each < BATCH; each++) {
    const [x, y, label] = points[Math.floor(Math.random() * points.length)]
    engine.forwardProp(network, [x, y])
    engine.backProp(network, label, engine.Errors.SQUARE)
  }
  engine.updateWeights(network, 0.03, 0)
}

readline.createInterface({input: process.stdin}).on('line', line => {
  const updates = Number(line), began = process.cpuUsage()
  for (let each = 0; each < updates; each++) update()
  const {user, system} = process.cpuUsage(began)
  console.log((user + system) / 1000 / updates)
})
