/** The endgames that have a lesson: their titles, a board of each, and the names under which they are looked for. */

/**
 * @typedef {{material: string, title: string, about: string, fen: string, names?: string[]}} LessonTitle
 *   names: what people call it, beside the men
 */

/** @type {Array<{title: string, lessons: LessonTitle[]}>} the easiest first */
export const LESSONS = [
  {
    title: "Mates",
    lessons: [
      {
        material: "KQvK",
        title: "Mate with the queen",
        about: "Take the king's room away, and beware of stalemate.",
        fen: "8/8/8/3k4/8/3K4/8/4Q3 w - - 0 1",
      },
      {
        material: "KRvK",
        title: "Mate with the rook",
        about: "Shut the king off, and bring your own king.",
        fen: "8/8/8/3k4/8/3K4/8/4R3 w - - 0 1",
      },
      {
        material: "KBBvK",
        title: "Mate with two bishops",
        about: "A wall of two bishops, and a king that pushes.",
        fen: "8/8/8/3k4/8/3K4/8/2B1B3 w - - 0 1",
      },
      {
        material: "KBNvK",
        title: "Mate with bishop and knight",
        about: "Into the corner of the bishop's colour.",
        fen: "8/8/8/3k4/8/3K4/8/2B1N3 w - - 0 1",
      },
    ],
  },
  {
    title: "Pawns",
    lessons: [
      {
        material: "KPvK",
        title: "King and pawn",
        about: "The square, key squares, the opposition.",
        fen: "8/8/8/3k4/8/3K4/3P4/8 w - - 0 1",
        names: ["opposition", "key squares", "square of the pawn"],
      },
      {
        material: "KPvKP",
        title: "Pawn against pawn",
        about: "Who wins the race, and who must give way.",
        fen: "8/8/8/P7/5k1p/8/8/K7 w - - 0 1",
        names: ["race", "trebuchet"],
      },
      {
        material: "KBPvK",
        title: "Bishop and pawn",
        about: "When the bishop is of the wrong colour.",
        fen: "8/8/8/4k3/P1K5/4B3/8/8 w - - 0 1",
        names: ["wrong bishop"],
      },
    ],
  },
  {
    title: "Against a pawn",
    lessons: [
      {
        material: "KRvKP",
        title: "Rook against pawn",
        about: "Cut the king off, or come back in time.",
        fen: "8/8/8/8/8/2kp4/8/R6K w - - 0 1",
      },
      {
        material: "KQvKP",
        title: "Queen against pawn",
        about: "Which pawns on the seventh rank hold.",
        fen: "8/8/8/8/8/6Q1/3pk3/7K w - - 0 1",
      },
    ],
  },
  {
    title: "Rook endings",
    lessons: [
      {
        material: "KRPvKR",
        title: "Rook and pawn: Lucena and Philidor",
        about: "The bridge, the third rank, checks from the side.",
        fen: "1K1k4/1P6/8/8/8/8/r7/2R5 w - - 0 1",
        names: ["lucena", "philidor", "vancura", "bridge", "third rank", "back rank"],
      },
    ],
  },
];

const all = LESSONS.flatMap(({ lessons }) => lessons);

/** The lesson on an endgame; undefined if it has none of its own. @param {string} material */
export const lessonOn = (material) => all.find((lesson) => lesson.material === material);
