package dev.hearth.engine.internal.sort;

import java.util.List;

/**
 * Loser tree for the k-way merge of cursors. Each inner node holds the greater of the two cursors compared there, so
 * that advancing takes one comparison per level. Of equal keys the earlier cursor comes first, so the merge is stable.
 * Returns every pair once even if the comparator is inconsistent. Owned by one thread.
 */
final class LoserTree {
    private final SortedCursor[] cursors;
    private final int[] losers; // index of the losing cursor by node, from 1 on; index 0 holds the overall winner
    private final SortKeyKind kind;
    private final SortOrder order;

    /** Merges {@code cursors}, each of which must be before its first pair. */
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

    /** Returns the cursor whose current pair has the least key; an exhausted cursor if all cursors are exhausted. */
    SortedCursor first() {
        return cursors[losers[0]];
    }

    /**
     * Advances the cursor that {@link #first} returns. Then finds the cursor with the least current key, which is now
     * the first.
     */
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

    /**
     * Replaces the cursor {@code old} by {@code replacement}, which is at the same pair. This happens when the pairs in
     * memory are spilled during the merge.
     */
    void replace(SortedCursor old, SortedCursor replacement) {
        for (int i = 0; i < cursors.length; i++) {
            if (cursors[i] == old) {
                cursors[i] = replacement;
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
