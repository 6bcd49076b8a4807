// Tell the lanes of that name what is chosen in them: they are drawn from much data, which is not sent again for it.
export default function ({ data }) {
  const choices = (globalThis.adaqLanes ??= { chosen: new Map(), told: new Map() })
  choices.chosen.set(data.choice, data)
  choices.told.get(data.choice)?.()
}
