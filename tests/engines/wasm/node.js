// node.js VARIANT FOLDER ...: `repeat` of the files in these folders, as JSON.
import {readFileSync} from 'node:fs'
import {existsSync} from 'node:fs'
import {join} from 'node:path'
import {repeat} from './repeat.js'

const [variant, ...folders] = process.argv.slice(2)
const read = async name => {
  const bytes = readFileSync(folders.map(folder => join(folder, name)).find(existsSync))
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length)
}
console.log(JSON.stringify(await repeat(read, variant)))
