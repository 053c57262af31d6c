// The data sets of app/static/training/datasets.js for the sources on its input, and values of app/static/training/engine/numerics/singles.js.
import {text} from 'node:stream/consumers'
import {computed, dataset, featured} from '../../app/static/training/datasets.js'
import {exponential, sine} from '../../app/static/training/engine/numerics/singles.js'

const {ziggurat, sources, plane, features, singles} = JSON.parse(await text(process.stdin))

const columns = ({inputs, labels}) => ({inputs: Array.from(inputs), labels: Array.from(labels, Number)})
const written = ({features: count, classes, train, test}) => ({count, classes, train: columns(train), test: columns(test)})
const read = ({inputs, labels}) => ({inputs: Float32Array.from(inputs), labels: BigInt64Array.from(labels, BigInt)})

console.log(
  JSON.stringify({
    made: sources.map(source => written(dataset(source, ziggurat))),
    fed: written(featured({...plane, train: read(plane.train), test: read(plane.test)}, features)),
    values: Array.from(computed(Float32Array.from(plane.train.inputs), features)),
    sines: singles.map(value => sine(value)),
    exponentials: singles.map(value => exponential(value)),
  }),
)
