package dev.hearth.engine.internal.scheduler;

import java.util.Arrays;

/** Growable list of ints without boxing. Not synchronised. */
final class IntList {
    private static final int[] EMPTY = {};
    private static final int ROOM = 4;

    private int[] items = EMPTY;
    private int size;

    int size() {
        return size;
    }

    boolean isEmpty() {
        return size == 0;
    }

    int at(int position) {
        return items[position];
    }

    void add(int item) {
        if (size == items.length) {
            items = Arrays.copyOf(items, Math.max(ROOM, size + (size >> 1)));
        }
        items[size++] = item;
    }

    void removeLast() {
        size--;
    }

    void remove(int position) {
        System.arraycopy(items, position + 1, items, position, size - position - 1);
        size--;
    }

    void clear() {
        items = EMPTY;
        size = 0;
    }
}
