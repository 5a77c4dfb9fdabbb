/* An engine that speaks UCI and plays the endgames of a header perfectly. It knows nothing else.
 *
 *     lucena emit-engine KRvK,KQvK,KPvK,KBBvK,KBNvK,KQvKR --out lucena_endgames.h
 *     cc -O2 -o endgame_engine endgame_engine.c
 */
#define LUCENA_IMPLEMENTATION
#include "lucena_endgames.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char ROLES[] = " pnbrqk";

/* Reads the board and the side to move of a FEN. Returns 0 if there are more than four men, or if a side may castle. */
static int read_fen(const char *fen, lucena_position *position)
{
    int file = 0, rank = 7;
    position->count = 0;
    for (; *fen && *fen != ' '; fen++) {
        const char *role = strchr(ROLES, *fen | 32);
        if (*fen == '/') {
            file = 0;
            rank--;
        } else if (*fen >= '1' && *fen <= '8') {
            file += *fen - '0';
        } else {
            if (!role || position->count == 4) return 0;
            position->man[position->count] = (unsigned char)(role - ROLES + (*fen >= 'a' ? LUCENA_BLACK : 0));
            position->square[position->count++] = (unsigned char)(rank * 8 + file++);
        }
    }
    position->turn = strncmp(fen, " b", 2) == 0;
    return strlen(fen) < 4 || fen[3] == '-';
}

/* Plays a move such as e7e8q. */
static void play(lucena_position *position, const char *move)
{
    int from = move[0] - 'a' + 8 * (move[1] - '1'), to = move[2] - 'a' + 8 * (move[3] - '1'), i;
    for (i = 0; i < position->count; i++) {
        if (position->square[i] != to) continue;
        position->count--;
        position->man[i] = position->man[position->count];
        position->square[i] = position->square[position->count];
        break;
    }
    for (i = 0; i < position->count; i++) {
        const char *role = move[4] > ' ' ? strchr(ROLES, move[4]) : NULL;
        if (position->square[i] != from) continue;
        position->square[i] = (unsigned char)to;
        if (role) position->man[i] = (unsigned char)(role - ROLES + (position->man[i] & LUCENA_BLACK));
    }
    position->turn ^= 1;
}

/* Sets up "fen ... moves ...". Returns 0 if there are more than four men. */
static int set_up(char *words, lucena_position *position)
{
    char *fen = strstr(words, "fen "), *moves = strstr(words, "moves ");
    if (!fen || !read_fen(fen + 4, position)) return 0;
    for (moves = moves ? strtok(moves + 6, " ") : NULL; moves; moves = strtok(NULL, " ")) {
        if (strlen(moves) >= 4) play(position, moves);
    }
    return 1;
}

/* Answers "go". */
static void go(const lucena_position *position)
{
    lucena_answer best;
    lucena_status status = lucena_best_move(position, &best);
    if (status != LUCENA_OK) {
        puts(status == LUCENA_UNKNOWN ? "info string no table of this endgame" : "info string not a legal position");
        puts("bestmove 0000");
        return;
    }
    if (best.outcome == 0) {
        puts("info depth 1 score cp 0");
    } else {
        printf("info depth %d score mate %d\n", best.plies + 1, best.outcome * (best.plies + 1) / 2);
    }
    if (best.from < 0) {
        puts("bestmove 0000");
        return;
    }
    printf("bestmove %c%d%c%d", 'a' + best.from % 8, best.from / 8 + 1, 'a' + best.to % 8, best.to / 8 + 1);
    if (best.promotion) putchar(ROLES[best.promotion]);
    putchar('\n');
}

int main(void)
{
    static char line[65536];
    lucena_position position;
    int is_set = 0;
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\r\n")] = 0;
        if (strcmp(line, "uci") == 0) {
            puts("id name lucena-endgames\nuciok");
        } else if (strcmp(line, "isready") == 0) {
            puts("readyok");
        } else if (strncmp(line, "position ", 9) == 0) {
            is_set = set_up(line, &position);
        } else if (strncmp(line, "go", 2) == 0) {
            if (is_set) go(&position);
            else puts("info string only positions of up to four men\nbestmove 0000");
        } else if (strcmp(line, "quit") == 0) {
            break;
        }
        fflush(stdout);
    }
    return 0;
}
