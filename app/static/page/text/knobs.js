// Numbers in a sentence that set parameters of a simulation, whether it is live yet or not.
import {Slider} from '../../exercises/slider.js'

const knobs = [...document.querySelectorAll('.knob')].map(element => {
  const {knob} = element.dataset
  const id = knob.slice(0, knob.indexOf('.')),
    name = knob.slice(knob.indexOf('.') + 1)
  const slider = new Slider(element, (/** @type {string} */ value) => {
    for (const other of knobs)
      if (other.id === id && other.name === name && other.slider !== slider) other.slider.show(value)
    document.dispatchEvent(new CustomEvent('knob', {detail: {id, name, value}}))
  })
  return {id, name, slider}
})

document.addEventListener('simulation', ({detail: {id, live, simulation}}) => {
  const values = {...live.values, ...simulation.session.chosen}
  for (const {id: of, name, slider} of knobs)
    if (of === id && !slider.held && values[name] !== undefined && values[name] !== slider.value)
      slider.show(values[name])
})
