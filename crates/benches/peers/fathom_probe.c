/* Looks up FENs from standard input with Fathom, and prints a line for each: 2 for a win of the side to move, 1 for one
 * that comes too late under the fifty-move rule, 0, -1, -2. With `dtz`, the distance to zeroing follows, which Fathom
 * tells together with the best move. Castling, en passant and clocks are not read.
 *
 *     fathom_probe FOLDER [dtz] < FENS
 */

#include "tbprobe.h"
#include <ctype.h>
#include <stdio.h>
#include <string.h>

static const char roles[] = "kqrbnp";

int main(int count, char **arguments) {
    char line[256];
    int with_dtz = count == 3 && strcmp(arguments[2], "dtz") == 0;
    if (count != 2 + with_dtz || !tb_init(arguments[1]) || TB_LARGEST == 0) {
        fputs("usage: fathom_probe FOLDER [dtz] < FENS, where the folder has Syzygy files\n", stderr);
        return 2;
    }
    while (fgets(line, sizeof line, stdin)) {
        uint64_t men[6] = {0}, white = 0, black = 0;
        unsigned square = 56, found;
        const char *at = line;
        for (; *at != ' '; at++) {
            const char *role = *at ? strchr(roles, tolower((unsigned char)*at)) : NULL;
            if (*at == '/') {
                square -= 16;
            } else if (isdigit((unsigned char)*at)) {
                square += *at - '0';
            } else if (role && square < 64) {
                uint64_t bit = UINT64_C(1) << square++;
                men[role - roles] |= bit;
                *(isupper((unsigned char)*at) ? &white : &black) |= bit;
            } else {
                fprintf(stderr, "not a FEN: %s", line);
                return 2;
            }
        }
        found = with_dtz ? tb_probe_root(white, black, men[0], men[1], men[2], men[3], men[4], men[5], 0, 0, 0,
                                         at[1] == 'w', NULL)
                         : tb_probe_wdl(white, black, men[0], men[1], men[2], men[3], men[4], men[5], 0, 0, 0,
                                        at[1] == 'w');
        if (found == TB_RESULT_FAILED) {
            fprintf(stderr, "no table answers: %s", line);
            return 1;
        }
        if (with_dtz && found == TB_RESULT_CHECKMATE) {
            /* To Fathom the side that mated has won; its own number for this is of no other win. */
            found = TB_SET_WDL(0, TB_LOSS);
        }
        printf(with_dtz ? "%d %u\n" : "%d\n", (int)TB_GET_WDL(found) - TB_DRAW, (unsigned)TB_GET_DTZ(found));
    }
    return 0;
}
