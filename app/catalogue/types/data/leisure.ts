import type { ItemType } from "#app/catalogue/types/item-type.ts";
import { accessory, service, thing } from "./write-type.ts";

const SPORTS: ItemType[] = [
  thing("ball", "Ball", "sports", "mpira, handball, netball, tennis ball"),
  thing("football", "Football", "sports", "soccer ball, futsal ball, match ball, size # football", { parent: "ball" }),
  thing("basketball", "Basketball", "sports", "basket ball", { parent: "ball" }),
  thing("volleyball", "Volleyball", "sports", "volley ball", { parent: "ball" }),
  thing("rugby-ball", "Rugby ball", "sports", "", { parent: "ball" }),
  thing(
    "racket",
    "Racket",
    "sports",
    "tennis racket, badminton racket, badminton pair, badminton set, racquet, shuttlecock",
  ),
  thing("table-tennis-bat", "Table tennis bat", "sports", "table tennis bats, ping pong bat, table tennis set"),
  thing("hockey-stick", "Hockey stick", "sports"),
  thing("boxing-gloves", "Boxing gloves", "sports", "boxing glove, punching bag", { plural: "Boxing gloves" }),
  thing("bicycle", "Bicycle", "sports", "bike, mountain bike, baiskeli, town bicycle, city bicycle, mtb, cycle", {
    signs: "black mamba",
  }),
  accessory(
    "bicycle-part",
    "Bicycle part",
    "sports",
    "bicycle helmet, bike lock, bicycle lock, bicycle pump, bicycle tyre",
    {
      of: ["bicycle"],
    },
  ),
  thing("scooter", "Scooter", "sports", "kick scooter, electric scooter"),
  thing("skateboard", "Skateboard", "sports", "skate board, longboard"),
  thing("roller-skates", "Roller skates", "sports", "skates, inline skates, roller blades, skate, rollerblade", {
    plural: "Roller skates",
  }),
  thing(
    "dumbbells",
    "Dumbbells",
    "sports",
    "dumbbell, dumbell, dumbells, weights, kettlebell, barbell, gym weight, weight plate",
    {
      plural: "Dumbbells",
    },
  ),
  thing(
    "gym-equipment",
    "Gym equipment",
    "sports",
    `gym bench, pull up bar, push up board, resistance band, ab roller, treadmill,
    hand grip, gym glove`,
    { plural: "Gym equipment" },
  ),
  thing("skipping-rope", "Skipping rope", "sports", "jump rope, speed rope, speed skipping rope"),
  thing("yoga-mat", "Yoga mat", "sports", "exercise mat, gym mat"),
  thing("chess-set", "Chess set", "sports", "chess, chess board, chessboard, tournament chess set"),
  thing("dartboard", "Dartboard", "sports", "dart board, darts"),
  thing("martial-arts-kit", "Martial arts kit", "sports", "dobok, taekwondo dobok, karate gi, taekwondo kit, judo gi"),
  thing("swimming-gear", "Swimming gear", "sports", "swimming goggles, swimming cap, floater, swim goggles", {
    plural: "Swimming gear",
  }),
  thing("shin-guards", "Shin guards", "sports", "shin guard, shin pad, goalkeeper gloves", { plural: "Shin guards" }),
];

const SERVICES: ItemType[] = [
  service(
    "printing",
    "Printing and typing",
    "services",
    `printing, typing, binding, photocopying, typing service, printing service,
    typesetting, lamination, project binding, scanning, poster, poster printing, t-shirt printing, spiral binding`,
    {
      plural: "Printing and typing",
    },
  ),
  service(
    "tutoring",
    "Tutoring",
    "services",
    `tuition, tutor, tutorial, coaching, lesson, math tuition, home tuition, language lesson,
    conversation, statistics tutoring, calculus tutoring, calculus tuition, french lesson, coding lesson,
    driving lesson, online class`,
    { plural: "Tutoring" },
  ),
  service(
    "data-analysis",
    "Data analysis",
    "services",
    "spss, spss analysis, spss help, excel help, stata, spss and excel help",
    {
      plural: "Data analysis",
    },
  ),
  service(
    "cv-writing",
    "CV writing",
    "services",
    "cv, resume writing, cover letter, curriculum vitae, linkedin profile",
    {
      plural: "CV writing",
    },
  ),
  service(
    "graphic-design",
    "Graphic design",
    "services",
    "logo design, poster design, graphics design, flyer design, logo",
    {
      plural: "Graphic design",
    },
  ),
  service(
    "web-design",
    "Web design",
    "services",
    "website design, website development, web development, app development, website",
    {
      plural: "Web design",
    },
  ),
  service(
    "photography",
    "Photography",
    "services",
    `photoshoot, photo shoot, graduation photo, photographer, videography, video shoot,
    headshot, video editing, passport photo, photo session`,
    { plural: "Photography" },
  ),
  service(
    "hairdressing",
    "Hairdressing",
    "services",
    `braiding, braiding service, knotless braids, hair plaiting, plaiting, salon, dreadlocks retouch,
    hair styling, cornrows, kusuka, wig installation, knotless`,
    { plural: "Hairdressing" },
  ),
  service("barber", "Barber", "services", "haircut, hair cut, kinyozi, barber shop, shaving service"),
  service(
    "nail-service",
    "Nail service",
    "services",
    "manicure, pedicure, manicure and pedicure, gel manicure, nail tech",
  ),
  service(
    "make-up-service",
    "Make-up service",
    "services",
    "make-up artist, makeup artist, bridal make-up, makeup services, facial treatment",
  ),
  service("massage", "Massage", "services", "massage therapy, sports massage"),
  service(
    "laundry",
    "Laundry",
    "services",
    "mama fua, laundry service, washing clothes, dry cleaning, shoe cleaning, dobi",
    {
      plural: "Laundry",
    },
  ),
  service(
    "cleaning",
    "Cleaning",
    "services",
    "house cleaning, cleaning service, carpet cleaning, room cleaning, house keeping",
    {
      plural: "Cleaning",
    },
  ),
  service(
    "moving",
    "Moving",
    "services",
    "moving service, hostel moving, pick up truck, movers, house moving, relocation, pickup for hire",
    {
      plural: "Moving",
    },
  ),
  service("delivery", "Delivery", "services", "parcel delivery, errands, delivery service, courier, errand service"),
  service(
    "tailoring",
    "Tailoring",
    "services",
    "alteration, alterations, tailor, clothes repair, sewing service, dress making, fashion design",
    {
      plural: "Tailoring",
    },
  ),
  service(
    "dj-and-sound",
    "DJ and sound",
    "services",
    "dj, mc, sound system for hire, sound for hire, dj services, emcee",
    {
      plural: "DJ and sound",
    },
  ),
  service("catering", "Catering", "services", "catering service, outside catering, chef"),
  service(
    "online-help",
    "Cyber services",
    "services",
    `cyber service, kra pin, helb application, kra returns, ecitizen, hef application,
    kra filing`,
    { plural: "Cyber services" },
  ),
  service(
    "fitness-training",
    "Fitness training",
    "services",
    "gym training, personal trainer, aerobics class, dance class, fitness class",
    {
      plural: "Fitness training",
    },
  ),
  service("bicycle-repair", "Bicycle repair", "services", "bike repair", { of: ["bicycle"], parent: "repair" }),
];

const OTHER: ItemType[] = [
  thing(
    "musical-instrument",
    "Musical instrument",
    "other",
    "music instrument, violin, saxophone, trumpet, flute, recorder, harmonica, ukulele, kalimba",
  ),
  thing("guitar", "Guitar", "other", "acoustic guitar, electric guitar, bass guitar, gita", {
    parent: "musical-instrument",
  }),
  thing(
    "piano",
    "Piano",
    "other",
    "piano keyboard, keyboard piano, music keyboard, yamaha keyboard, psr keyboard, electric piano, casio keyboard",
    {
      parent: "musical-instrument",
      signs: "yamaha psr",
    },
  ),
  thing("drum", "Drum", "other", "djembe, drum set, ngoma, cajon", { parent: "musical-instrument" }),
  thing("teddy-bear", "Teddy bear", "other", "teddy, soft toy, stuffed toy, plush toy"),
  thing("toy", "Toy", "other", "kids toy, toy car, doll, rubik cube"),
  thing(
    "board-game",
    "Board game",
    "other",
    "ludo, scrabble, monopoly, playing card, uno card, uno, draughts, games box, card game",
  ),
  thing("puzzle", "Puzzle", "other", "jigsaw, jigsaw puzzle, piece puzzle"),
  thing(
    "plant",
    "Plant",
    "other",
    "house plant, potted plant, money plant, cactus, succulent, flower pot, potted money plant",
  ),
  thing("flowers", "Flowers", "other", "flower, flower bouquet, bouquet, rose flower, money bouquet", {
    plural: "Flowers",
  }),
  thing("gift", "Gift", "other", "gift hamper, hamper, gift set, gift wrapping, gift card, gift box, zawadi"),
  thing("ticket", "Ticket", "other", "concert ticket, event ticket, week ticket, party ticket, bus ticket, sgr ticket"),
  thing("umbrella", "Umbrella", "other", "mwavuli, rain umbrella"),
  thing("tent", "Tent", "other", "camping tent, sleeping bag, camping gear"),
  thing("motorbike", "Motorbike", "other", "motorcycle, boda boda, pikipiki, nduthi, boxer bm, bodaboda", {
    signs: "bajaj boxer, tvs hlx, boxer #",
  }),
  thing("car", "Car", "other", "vehicle, gari", {
    signs: "toyota vitz, mazda demio, nissan note, toyota fielder, subaru",
  }),
  thing("pet", "Pet", "other", "puppy, kitten, dog, cat, rabbit, paka, mbwa, hamster, puppies, parrot, tortoise"),
  thing("baby-item", "Baby item", "other", "stroller, pram, diaper, baby walker, baby carrier, baby cot"),
  thing(
    "digital-subscription",
    "Digital subscription",
    "other",
    "netflix, netflix account, spotify premium, showmax, chatgpt plus, data bundle, canva pro",
  ),
];

/** What belongs to a thing and has no type of its own, so that "laptop stickers" are no laptop. */
const ACCESSORIES: ItemType[] = [
  accessory(
    "other-accessory",
    "Accessory or part",
    "other",
    `accessory, sticker, skin, stand, polish, tube, tyre, strap, rod, bracket, holder, cleaner, cover, case, organizer,
      organiser, protector, hook, spring`,
    { plural: "Accessories and parts" },
  ),
];

export const LEISURE: ItemType[] = [...SPORTS, ...SERVICES, ...OTHER, ...ACCESSORIES];
