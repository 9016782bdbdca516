package dev.hearth.engine.internal.sort;

import java.util.List;

/**
 * Knows which of several cursors is at the least pair: a tree of those that lost, so that a step asks as many of them as the tree is
 * high. Among equals the earlier one is first. Whatever comparisons answer, every pair comes once. Owned by one thread.
 */
final class LoserTree {
    private final SortedCursor[] cursors;
    private final int[] losers; // by node, from 1 on; at 0 the winner
    private final SortKeyKind kind;
    private final SortOrder order;

    /** The cursors stand before their first pairs. */
    LoserTree(List<? extends SortedCursor> cursors, SortKeyKind kind, SortOrder order) {
        this.cursors = cursors.toArray(new SortedCursor[0]);
        this.losers = new int[this.cursors.length];
        this.kind = kind;
        this.order = order;
        for (SortedCursor cursor : this.cursors) {
            cursor.advance();
        }
        losers[0] = play(1);
    }

    private int play(int node) {
        if (node >= cursors.length) {
            return node - cursors.length;
        }
        int left = play(2 * node);
        int right = play(2 * node + 1);
        boolean leftWins = beats(left, right);
        losers[node] = leftWins ? right : left;
        return leftWins ? left : right;
    }

    /** The one at the least pair; it is past its last when there is none left. */
    SortedCursor first() {
        return cursors[losers[0]];
    }

    /** Moves that one on. */
    void advance() {
        int winner = losers[0];
        cursors[winner].advance();
        for (int node = (winner + cursors.length) / 2; node > 0; node /= 2) {
            int loser = losers[node];
            if (beats(loser, winner)) {
                losers[node] = winner;
                winner = loser;
            }
        }
        losers[0] = winner;
    }

    /** Puts a cursor at the same pair in the place of another one. */
    void replace(SortedCursor former, SortedCursor latter) {
        for (int i = 0; i < cursors.length; i++) {
            if (cursors[i] == former) {
                cursors[i] = latter;
            }
        }
    }

    private boolean beats(int one, int other) {
        SortedCursor left = cursors[one];
        SortedCursor right = cursors[other];
        if (left.isExhausted() || right.isExhausted()) {
            return !left.isExhausted() || (right.isExhausted() && one < other);
        }
        long first = left.prefix();
        long second = right.prefix();
        if (first != second) {
            return first < second;
        }
        int compared = kind.isExact() ? 0 : order.compare(left.key(), right.key());
        return compared < 0 || (compared == 0 && one < other);
    }
}
