// Names of emoji. The first ones are those of the terminal chat.

const NAMES = `+1 👍 -1 👎 clap 👏 coffee ☕ cry 😢 done ✅ eyes 👀 fire 🔥 grin 😀 heart ❤️ joy 😂 laugh 😄 ok 👌 party 🎉 pray 🙏
question ❓ rocket 🚀 sad 🙁 smile 🙂 sob 😭 star ⭐ sun ☀️ think 🤔 thumbsup 👍 wave 👋 wink 😉 wow 😮
alarm ⏰ anchor ⚓ angry 😠 apple 🍎 baby 👶 balloon 🎈 battery 🔋 beer 🍺 bell 🔔 bike 🚲 bird 🐦 blush 😊 boat ⛵ bomb 💣 book 📖
box 📦 brain 🧠 bread 🍞 broken 💔 bug 🐛 bulb 💡 bus 🚌 cake 🎂 calendar 📅 camera 📷 car 🚗 cat 🐱 check ✔️ cheese 🧀 chocolate 🍫
clock 🕐 cloud ☁️ cold 🥶 computer 💻 confused 😕 cool 😎 cookie 🍪 crown 👑 dance 💃 dog 🐶 door 🚪 earth 🌍 egg 🥚 email 📧 facepalm 🤦
fish 🐟 flag 🚩 flower 🌸 football ⚽ fuel ⛽ ghost 👻 gift 🎁 glasses 👓 hammer 🔨 hand ✋ headphones 🎧 home 🏠 hospital 🏥 hot 🥵
hug 🤗 hundred 💯 hurry 🏃 idea 💡 info ℹ️ key 🔑 kiss 😘 leaf 🍃 lightning ⚡ link 🔗 lock 🔒 love 😍 luck 🍀 mail ✉️ map 🗺️ medal 🏅
microphone 🎤 money 💰 moon 🌙 mountain ⛰️ mouse 🐭 music 🎵 muscle 💪 neutral 😐 no ❌ note 📝 ocean 🌊 package 📦 paint 🎨 paper 📄 pen 🖊️
phone 📞 pill 💊 pin 📌 pizza 🍕 plane ✈️ plant 🌱 plug 🔌 point 👉 printer 🖨️ puzzle 🧩 radio 📻 rain 🌧️ rainbow 🌈 raised 🙌 recycle ♻️
red 🔴 green 🟢 blue 🔵 rofl 🤣 rose 🌹 run 🏃 satellite 📡 scared 😱 school 🏫 scissors ✂️ search 🔍 shield 🛡️ ship 🚢 shrug 🤷 sick 🤒
siren 🚨 sleep 😴 snow ❄️ soon 🔜 sparkles ✨ stop 🛑 sweat 😅 target 🎯 tea 🍵 tears 🥲 tent ⛺ tired 😫 tools 🛠️ train 🚆 trash 🗑️
tree 🌳 trophy 🏆 truck 🚚 umbrella ☂️ up ⬆️ down ⬇️ warning ⚠️ watch ⌚ water 💧 wind 💨 wine 🍷 wrench 🔧 write ✍️ yawn 🥱 yum 😋 zzz 💤`;

/** @type {[string, string][]} name and emoji */
const EMOJI = [...NAMES.matchAll(/(\S+)\s+(\S+)/g)].map(([, name, emoji]) => [name, emoji]);

/** The reactions that are offered first. */
export const USUAL = ['👍', '❤️', '😂', '😮', '😢', '✅'];

/**
 * Emoji whose names begin with a text, then those whose names contain it.
 * @param {string} typed
 * @param {number} most
 */
export const findEmoji = (typed, most = 8) => {
  const word = typed.toLowerCase();
  const begins = EMOJI.filter(([name]) => name.startsWith(word));
  const has = EMOJI.filter(([name]) => !name.startsWith(word) && name.includes(word));
  /** @type {Set<string>} */
  const seen = new Set();
  return [...begins, ...has].filter(([, emoji]) => !seen.has(emoji) && seen.add(emoji)).slice(0, most);
};
