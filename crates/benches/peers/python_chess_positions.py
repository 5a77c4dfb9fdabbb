"""Generate and read every KRvK position with python-chess, and print one JSON object.

    python python_chess_positions.py

A position is legal by lucena's rule: no two pieces on one square, kings not adjacent, and the side
that is not to move not in check. `was_into_check` tests the last two at once, since python-chess
lets a king attack. `Board.status` is not used, because it also rejects checks that no game can reach.
The work takes seconds, so it is done once; `run.sh` repeats the whole script.
"""

import json
import time

import chess


def legal_boards(turn):
    """One board, set to each legal position in turn; White has the rook."""
    king, rook_piece = chess.Piece(chess.KING, chess.WHITE), chess.Piece(chess.ROOK, chess.WHITE)
    lone_king = chess.Piece(chess.KING, chess.BLACK)
    board = chess.Board(None)
    board.turn = turn
    for strong_king in chess.SQUARES:
        for rook in chess.SQUARES:
            if rook == strong_king:
                continue
            board.clear_board()
            board.set_piece_at(strong_king, king)
            board.set_piece_at(rook, rook_piece)
            for weak_king in chess.SQUARES:
                if weak_king == strong_king or weak_king == rook:
                    continue
                board.set_piece_at(weak_king, lone_king)
                if not board.was_into_check():
                    yield board
                board.remove_piece_at(weak_king)


def count(turn):
    """The number of legal positions, and the number of legal moves in them."""
    positions = moves = 0
    for board in legal_boards(turn):
        positions += 1
        for _ in board.generate_legal_moves():
            moves += 1
    return positions, moves


def read(fens):
    """The number of texts that are legal positions."""
    return sum(chess.Board(fen).is_valid() for fen in fens)


def timed(work, *arguments):
    start = time.perf_counter()
    result = work(*arguments)
    return time.perf_counter() - start, result


def main():
    black_seconds, (legal_black, black_moves) = timed(count, chess.BLACK)
    white_seconds, (legal_white, white_moves) = timed(count, chess.WHITE)
    fens = [board.fen() for board in legal_boards(chess.BLACK)]
    read_seconds, legal_read = timed(read, fens)

    print(
        json.dumps(
            {
                "version": chess.__version__,
                "positions_generate": black_seconds + white_seconds,
                "fen_read": read_seconds,
                "legal_black_to_move": legal_black,
                "legal_white_to_move": legal_white,
                "moves": black_moves + white_moves,
                "fens_read": legal_read,
            }
        )
    )


if __name__ == "__main__":
    main()
