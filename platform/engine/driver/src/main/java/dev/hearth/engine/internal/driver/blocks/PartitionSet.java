package dev.hearth.engine.internal.driver.blocks;

import java.util.Arrays;
import java.util.function.IntConsumer;

/**
 * Sorted set of partition numbers. Stored in an array of four bytes per number, because there may be many. Not
 * thread-safe.
 */
final class PartitionSet {
    private static final int USUAL = 4;

    private int[] numbers = new int[USUAL];
    private int size;

    /** Adds a partition number to this set. Returns false if the set already has it. */
    boolean add(int number) {
        int at = Arrays.binarySearch(numbers, 0, size, number);
        if (at >= 0) {
            return false;
        }
        if (size == numbers.length) {
            numbers = Arrays.copyOf(numbers, size + size / 2);
        }
        int place = -at - 1;
        System.arraycopy(numbers, place, numbers, place + 1, size - place);
        numbers[place] = number;
        size++;
        return true;
    }

    /** Removes a partition number from this set. Returns false if the set does not have it. */
    boolean remove(int number) {
        int at = Arrays.binarySearch(numbers, 0, size, number);
        if (at >= 0) {
            size--;
            System.arraycopy(numbers, at + 1, numbers, at, size - at);
        }
        return at >= 0;
    }

    int size() {
        return size;
    }

    void forEach(IntConsumer consumer) {
        for (int i = 0; i < size; i++) {
            consumer.accept(numbers[i]);
        }
    }
}
