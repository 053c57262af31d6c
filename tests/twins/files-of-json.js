// The replies that app/static/shared/files-of-json.js completes, for each case on the input.
import {text} from 'node:stream/consumers'
import {completed} from '../../app/static/shared/files-of-json.js'

console.log(JSON.stringify(JSON.parse(await text(process.stdin)).map(completed)))
