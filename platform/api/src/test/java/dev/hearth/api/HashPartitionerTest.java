package dev.hearth.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Small integers get consecutive partitions; other keys are distributed evenly. */
class HashPartitionerTest {
    private static final int KEYS_PER_PARTITION = 100;
    private static final double FULLEST_MAX = 4; // times the mean; only a few partition counts come near it

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 10, 64, 200, 1_000})
    void givesSmallConsecutiveKeysAPartitionEach(int partitions) {
        HashPartitioner partitioner = new HashPartitioner(partitions);
        for (int key = -partitions; key < 2 * partitions; key++) {
            assertEquals(Math.floorMod(key, partitions), partitioner.partition(key), "key " + key);
            if (key >= 0) {
                assertEquals(key % partitions, partitioner.partition((long) key));
                assertEquals(key % partitions, partitioner.partition((short) key));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 7, 10, 64, 200, 1_000})
    void spreadsKeysWhateverTheirStride(int partitions) {
        for (int stride : new int[] {1, 2, 10, partitions, 2 * partitions, partitions * partitions, 1 << 16}) {
            int[] sizes = new int[partitions];
            for (int key = 0; key < KEYS_PER_PARTITION * partitions; key++) {
                sizes[HashPartitioner.ofHash(key * stride, partitions)]++;
            }
            int fullest = Arrays.stream(sizes).max().orElseThrow();
            assertTrue(fullest <= FULLEST_MAX * KEYS_PER_PARTITION, fullest + " of stride " + stride);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 1 << 30, Integer.MAX_VALUE})
    void staysWithinItsPartitionsForAnyHashCode(int partitions) {
        IntStream.of(Integer.MIN_VALUE, Integer.MIN_VALUE + 1, -1, 0, 1, Integer.MAX_VALUE - 1, Integer.MAX_VALUE)
                .map(hash -> HashPartitioner.ofHash(hash, partitions))
                .forEach(partition -> assertTrue(partition >= 0 && partition < partitions, () -> "" + partition));
    }

    @Test
    void givesNullTheFirstPartition() {
        assertEquals(0, new HashPartitioner(5).partition(null));
    }
}
