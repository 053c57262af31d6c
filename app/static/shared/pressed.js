// Whether a pointer button or a finger is down.
let down = false
addEventListener(
  'pointerdown',
  () => {
    down = true
  },
  {capture: true},
)
for (const end of ['pointerup', 'pointercancel'])
  addEventListener(
    end,
    () => {
      down = false
    },
    {capture: true},
  )

export const pressed = () => down
