import type { ItemType } from "#app/catalogue/types/item-type.ts";
import { accessory, inCategory, service, thing } from "./write-type.ts";

const SPORTS = inCategory("sports", [
  thing("ball", "Ball", "mpira, handball, netball, tennis ball"),
  thing("football", "Football", "soccer ball, futsal ball, match ball, size # football", { parent: "ball" }),
  thing("basketball", "Basketball", "basket ball", { parent: "ball" }),
  thing("volleyball", "Volleyball", "volley ball", { parent: "ball" }),
  thing("rugby-ball", "Rugby ball", "", { parent: "ball" }),
  thing("racket", "Racket", "tennis racket, badminton racket, badminton pair, badminton set, racquet, shuttlecock"),
  thing("table-tennis-bat", "Table tennis bat", "table tennis bats, ping pong bat, table tennis set"),
  thing("hockey-stick", "Hockey stick"),
  thing("boxing-gloves", "Boxing gloves", "boxing glove, punching bag", { plural: "Boxing gloves" }),
  thing("bicycle", "Bicycle", "bike, mountain bike, baiskeli, town bicycle, city bicycle, mtb, cycle", {
    signs: "black mamba",
  }),
  accessory("bicycle-part", "Bicycle part", "bicycle helmet, bike lock, bicycle lock, bicycle pump, bicycle tyre", {
    of: ["bicycle"],
  }),
  thing("scooter", "Scooter", "kick scooter, electric scooter"),
  thing("skateboard", "Skateboard", "skate board, longboard"),
  thing("roller-skates", "Roller skates", "skates, inline skates, roller blades, skate, rollerblade", {
    plural: "Roller skates",
  }),
  thing(
    "dumbbells",
    "Dumbbells",
    "dumbbell, dumbell, dumbells, weights, kettlebell, barbell, gym weight, weight plate",
    { plural: "Dumbbells" },
  ),
  thing(
    "gym-equipment",
    "Gym equipment",
    `gym bench, pull up bar, push up board, resistance band, ab roller, treadmill,
    hand grip, gym glove`,
    { plural: "Gym equipment" },
  ),
  thing("skipping-rope", "Skipping rope", "jump rope, speed rope, speed skipping rope"),
  thing("yoga-mat", "Yoga mat", "exercise mat, gym mat"),
  thing("chess-set", "Chess set", "chess, chess board, chessboard, tournament chess set"),
  thing("dartboard", "Dartboard", "dart board, darts"),
  thing("martial-arts-kit", "Martial arts kit", "dobok, taekwondo dobok, karate gi, taekwondo kit, judo gi"),
  thing("swimming-gear", "Swimming gear", "swimming goggles, swimming cap, floater, swim goggles", {
    plural: "Swimming gear",
  }),
  thing("shin-guards", "Shin guards", "shin guard, shin pad, goalkeeper gloves", { plural: "Shin guards" }),
]);

const SERVICES = inCategory("services", [
  service(
    "printing",
    "Printing and typing",
    `printing, typing, binding, photocopying, typing service, printing service,
    typesetting, lamination, project binding, scanning, poster, poster printing, t-shirt printing, spiral binding`,
    { plural: "Printing and typing" },
  ),
  service(
    "tutoring",
    "Tutoring",
    `tuition, tutor, tutorial, coaching, lesson, math tuition, home tuition, language lesson,
    conversation, statistics tutoring, calculus tutoring, calculus tuition, french lesson, coding lesson,
    driving lesson, online class`,
    { plural: "Tutoring" },
  ),
  service("data-analysis", "Data analysis", "spss, spss analysis, spss help, excel help, stata, spss and excel help", {
    plural: "Data analysis",
  }),
  service("cv-writing", "CV writing", "cv, resume writing, cover letter, curriculum vitae, linkedin profile", {
    plural: "CV writing",
  }),
  service("graphic-design", "Graphic design", "logo design, poster design, graphics design, flyer design, logo", {
    plural: "Graphic design",
  }),
  service(
    "web-design",
    "Web design",
    "website design, website development, web development, app development, website",
    { plural: "Web design" },
  ),
  service(
    "photography",
    "Photography",
    `photoshoot, photo shoot, graduation photo, photographer, videography, video shoot,
    headshot, video editing, passport photo, photo session`,
    { plural: "Photography" },
  ),
  service(
    "hairdressing",
    "Hairdressing",
    `braiding, braiding service, knotless braids, hair plaiting, plaiting, salon, dreadlocks retouch,
    hair styling, cornrows, kusuka, wig installation, knotless`,
    { plural: "Hairdressing" },
  ),
  service("barber", "Barber", "haircut, hair cut, kinyozi, barber shop, shaving service"),
  service("nail-service", "Nail service", "manicure, pedicure, manicure and pedicure, gel manicure, nail tech"),
  service(
    "make-up-service",
    "Make-up service",
    "make-up artist, makeup artist, bridal make-up, makeup services, facial treatment",
  ),
  service("massage", "Massage", "massage therapy, sports massage"),
  service("laundry", "Laundry", "mama fua, laundry service, washing clothes, dry cleaning, shoe cleaning, dobi", {
    plural: "Laundry",
  }),
  service("cleaning", "Cleaning", "house cleaning, cleaning service, carpet cleaning, room cleaning, house keeping", {
    plural: "Cleaning",
  }),
  service(
    "moving",
    "Moving",
    "moving service, hostel moving, pick up truck, movers, house moving, relocation, pickup for hire",
    { plural: "Moving" },
  ),
  service("delivery", "Delivery", "parcel delivery, errands, delivery service, courier, errand service"),
  service(
    "tailoring",
    "Tailoring",
    "alteration, alterations, tailor, clothes repair, sewing service, dress making, fashion design",
    { plural: "Tailoring" },
  ),
  service("dj-and-sound", "DJ and sound", "dj, mc, sound system for hire, sound for hire, dj services, emcee", {
    plural: "DJ and sound",
  }),
  service("catering", "Catering", "catering service, outside catering, chef"),
  service(
    "online-help",
    "Cyber services",
    `cyber service, kra pin, helb application, kra returns, ecitizen, hef application,
    kra filing`,
    { plural: "Cyber services" },
  ),
  service(
    "fitness-training",
    "Fitness training",
    "gym training, personal trainer, aerobics class, dance class, fitness class",
    { plural: "Fitness training" },
  ),
  service("bicycle-repair", "Bicycle repair", "bike repair", { of: ["bicycle"], parent: "repair" }),
]);

const OTHER = inCategory("other", [
  thing(
    "musical-instrument",
    "Musical instrument",
    "music instrument, violin, saxophone, trumpet, flute, recorder, harmonica, ukulele, kalimba",
  ),
  thing("guitar", "Guitar", "acoustic guitar, electric guitar, bass guitar, gita", { parent: "musical-instrument" }),
  thing(
    "piano",
    "Piano",
    "piano keyboard, keyboard piano, music keyboard, yamaha keyboard, psr keyboard, electric piano, casio keyboard",
    { parent: "musical-instrument", signs: "yamaha psr" },
  ),
  thing("drum", "Drum", "djembe, drum set, ngoma, cajon", { parent: "musical-instrument" }),
  thing("teddy-bear", "Teddy bear", "teddy, soft toy, stuffed toy, plush toy"),
  thing("toy", "Toy", "kids toy, toy car, doll, rubik cube"),
  thing(
    "board-game",
    "Board game",
    "ludo, scrabble, monopoly, playing card, uno card, uno, draughts, games box, card game",
  ),
  thing("puzzle", "Puzzle", "jigsaw, jigsaw puzzle, piece puzzle"),
  thing("plant", "Plant", "house plant, potted plant, money plant, cactus, succulent, flower pot, potted money plant"),
  thing("flowers", "Flowers", "flower, flower bouquet, bouquet, rose flower, money bouquet", { plural: "Flowers" }),
  thing("gift", "Gift", "gift hamper, hamper, gift set, gift wrapping, gift card, gift box, zawadi"),
  thing("ticket", "Ticket", "concert ticket, event ticket, week ticket, party ticket, bus ticket, sgr ticket", {
    handover: "ticket",
  }),
  thing("umbrella", "Umbrella", "mwavuli, rain umbrella"),
  thing("tent", "Tent", "camping tent, sleeping bag, camping gear"),
  thing("motorbike", "Motorbike", "motorcycle, boda boda, pikipiki, nduthi, boxer bm, bodaboda", {
    signs: "bajaj boxer, tvs hlx, boxer #",
  }),
  thing("car", "Car", "vehicle, gari", { signs: "toyota vitz, mazda demio, nissan note, toyota fielder, subaru" }),
  thing("pet", "Pet", "puppy, kitten, dog, cat, rabbit, paka, mbwa, hamster, puppies, parrot, tortoise"),
  thing("baby-item", "Baby item", "stroller, pram, diaper, baby walker, baby carrier, baby cot"),
  thing(
    "digital-subscription",
    "Digital subscription",
    "netflix, netflix account, spotify premium, showmax, chatgpt plus, data bundle, canva pro",
  ),
]);

/** What belongs to a thing and has no type of its own, so that "laptop stickers" are no laptop. */
const ACCESSORIES = inCategory("other", [
  accessory(
    "other-accessory",
    "Accessory or part",
    `accessory, sticker, skin, stand, polish, tube, tyre, strap, rod, bracket, holder, cleaner, cover, case, organizer,
      organiser, protector, hook, spring`,
    { plural: "Accessories and parts" },
  ),
]);

export const LEISURE: ItemType[] = [...SPORTS, ...SERVICES, ...OTHER, ...ACCESSORIES];
