// Data sets, as `sims/engines/wasm/starting.py` writes them.

/** @typedef {{inputs: Float32Array, labels: BigInt64Array}} Part inputs are (features, points), as the kernels want them */
/** @typedef {{features: number, classes: number, train: Part, test: Part, plane?: Part}} Data `plane` is the training part as points of the plane, if a network is fed others */

/** A data set from its file. @param {{features: number, classes: number, train: number, test: number}} described @param {ArrayBuffer} file @returns {Data} */
export function dataOf({features, classes, train, test}, file) {
  const inputs = new Float32Array(file, 0, features * (train + test))
  const labels = BigInt64Array.from(new Uint8Array(file, inputs.byteLength, train + test), BigInt)
  return {
    features,
    classes,
    train: {inputs: inputs.subarray(0, features * train), labels: labels.subarray(0, train)},
    test: {inputs: inputs.subarray(features * train), labels: labels.subarray(train)},
  }
}

/**
 * The first points of a data set, and a quarter as many others for testing, as `digits` in sims/data/datasets.py takes them.
 * @param {Data} data @param {number} points @returns {Data}
 */
export function firstOf(data, points) {
  if (points >= data.train.labels.length) return data
  return {...data, train: firstColumns(data.train, points), test: firstColumns(data.test, Math.floor(points / 4))}
}

/** @param {Part} part @param {number} count @returns {Part} */
function firstColumns({inputs, labels}, count) {
  const columns = labels.length
  return {inputs: inputs.filter((_, at) => at % columns < count), labels: labels.subarray(0, count)}
}
