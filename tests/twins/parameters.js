// What pages that train by themselves make of texts for parameters, as JSON.
import {text} from 'node:stream/consumers'
import {admitted} from '../../app/static/training/parameters.js'

const {parameters, cases} = JSON.parse(await text(process.stdin))
console.log(JSON.stringify(cases.map(values => admitted(parameters, values))))
