package dev.hearth.engine.internal.shuffle;

import dev.hearth.api.HashPartitioner;
import dev.hearth.api.Partitioner;
import dev.hearth.api.RangePartitioner;
import dev.hearth.engine.internal.column.Column;
import dev.hearth.spi.error.ErrorCode;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Assigns keys to reducers by a {@link Partitioner}. Hearth's own hash and range partitioners have special
 * implementations, which avoid boxing and virtual calls. Immutable if the partitioner is; owned by one task.
 */
abstract class PartitionSelector {
    /**
     * Returns the selector for the partitioner {@code chosen}. Without a partitioner, keys are assigned by hash code.
     */
    static PartitionSelector of(Optional<Partitioner> chosen, int reducers) {
        Partitioner partitioner = chosen.orElse(null);
        if (reducers == 1) {
            return new One(partitioner);
        }
        if (partitioner == null) {
            return new Hashes(reducers);
        }
        if (partitioner.getClass() == HashPartitioner.class && partitioner.partitions() == reducers) {
            return new Hashes(reducers);
        }
        if (partitioner.getClass() == RangePartitioner.class && partitioner.partitions() == reducers) {
            return ranges((RangePartitioner<?>) partitioner);
        }
        return new UserDefined(partitioner, reducers);
    }

    private static PartitionSelector ranges(RangePartitioner<?> ranges) {
        List<Object> bounds = ranges.bounds();
        UserDefined fallback = new UserDefined(ranges, ranges.partitions());
        if (!ranges.isNatural()) {
            return fallback;
        }
        if (bounds.stream().allMatch(Long.class::isInstance)) {
            long[] longs = bounds.stream().mapToLong(Long.class::cast).toArray();
            return new NumberRanges(Long.class, longs, ranges.isDescending(), fallback);
        }
        if (bounds.stream().allMatch(Integer.class::isInstance)) {
            long[] longs = bounds.stream().mapToLong(Integer.class::cast).toArray();
            return new NumberRanges(Integer.class, longs, ranges.isDescending(), fallback);
        }
        if (bounds.stream().allMatch(String.class::isInstance)) {
            return new TextRanges(bounds.toArray(new String[0]), ranges.isDescending(), fallback);
        }
        return fallback;
    }

    abstract int reducer(@Nullable Object key);

    /**
     * Selects the reducers of several keys at once: of those at the indexes {@code from} to before {@code until} of
     * {@code keys}. Writes the numbers of the reducers to {@code into}, from index 0 on.
     */
    void reducers(Column keys, int from, int until, int[] into) {
        for (int at = from; at < until; at++) {
            into[at - from] = reducer(keys.value(at));
        }
    }

    /**
     * Selector for a shuffle with a single reducer. It still calls a partitioner of the user, because that may reject a
     * key.
     */
    private static final class One extends PartitionSelector {
        private final @Nullable UserDefined validated;

        One(@Nullable Partitioner partitioner) {
            this.validated = partitioner == null || partitioner.getClass() == HashPartitioner.class
                    ? null
                    : new UserDefined(partitioner, 1);
        }

        @Override
        int reducer(@Nullable Object key) {
            return validated == null ? 0 : validated.reducer(key);
        }
    }

    private static final class Hashes extends PartitionSelector {
        private final int reducers;

        Hashes(int reducers) {
            this.reducers = reducers;
        }

        @Override
        int reducer(@Nullable Object key) {
            if (key == null) {
                return 0;
            }
            Class<?> type = key.getClass(); // calls after a test of the class are monomorphic, which is cheaper
            int hash = type == Integer.class
                    ? (Integer) key
                    : type == String.class
                            ? ((String) key).hashCode()
                            : type == Long.class ? Long.hashCode((Long) key) : HashPartitioner.hash(key);
            return HashPartitioner.ofHash(hash, reducers);
        }

        @Override
        void reducers(Column keys, int from, int until, int[] into) {
            if (keys instanceof Column.Ints ints) {
                for (int at = from; at < until; at++) {
                    into[at - from] = HashPartitioner.ofHash(ints.values()[at], reducers);
                }
            } else if (keys instanceof Column.Longs longs) {
                for (int at = from; at < until; at++) {
                    into[at - from] = HashPartitioner.ofHash(Long.hashCode(longs.values()[at]), reducers);
                }
            } else {
                super.reducers(keys, from, until, into);
            }
        }
    }

    private static final class NumberRanges extends PartitionSelector {
        private final Class<?> type;
        private final long[] bounds;
        private final boolean descending;
        private final PartitionSelector fallback; // handles keys of other classes

        NumberRanges(Class<?> type, long[] bounds, boolean descending, PartitionSelector fallback) {
            this.type = type;
            this.bounds = bounds;
            this.descending = descending;
            this.fallback = fallback;
        }

        @Override
        int reducer(@Nullable Object key) {
            if (key == null || key.getClass() != type) {
                return fallback.reducer(key);
            }
            return range(key instanceof Long wide ? wide : (Integer) key);
        }

        @Override
        void reducers(Column keys, int from, int until, int[] into) {
            if (keys instanceof Column.Ints ints && type == Integer.class) {
                for (int at = from; at < until; at++) {
                    into[at - from] = range(ints.values()[at]);
                }
            } else if (keys instanceof Column.Longs longs && type == Long.class) {
                for (int at = from; at < until; at++) {
                    into[at - from] = range(longs.values()[at]);
                }
            } else {
                super.reducers(keys, from, until, into);
            }
        }

        private int range(long number) {
            int low = 0;
            int high = bounds.length;
            while (low < high) {
                int middle = (low + high) >>> 1;
                if (bounds[middle] < number) {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            return descending ? bounds.length - low : low;
        }
    }

    private static final class TextRanges extends PartitionSelector {
        private final String[] bounds;
        private final boolean descending;
        private final PartitionSelector fallback;

        TextRanges(String[] bounds, boolean descending, PartitionSelector fallback) {
            this.bounds = bounds;
            this.descending = descending;
            this.fallback = fallback;
        }

        @Override
        int reducer(@Nullable Object key) {
            if (!(key instanceof String text)) {
                return fallback.reducer(key);
            }
            int low = 0;
            int high = bounds.length;
            while (low < high) {
                int middle = (low + high) >>> 1;
                if (bounds[middle].compareTo(text) < 0) {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            return descending ? bounds.length - low : low;
        }
    }

    /** Selector for a partitioner of the user; validates the results of the partitioner. */
    private static final class UserDefined extends PartitionSelector {
        private final Partitioner partitioner;
        private final int reducers;

        UserDefined(Partitioner partitioner, int reducers) {
            this.partitioner = partitioner;
            this.reducers = reducers;
        }

        @Override
        int reducer(@Nullable Object key) {
            int reducer = partitioner.partition(key);
            if (reducer < 0 || reducer >= reducers) {
                throw ErrorCode.BAD_ARGUMENT.failure(
                        "partitioner " + partitioner.getClass().getName() + ": partition "
                                + reducer + " for a key of "
                                + (key == null ? "null" : key.getClass().getName())
                                + " (expected: 0 to " + (reducers - 1) + ", as there are " + reducers + ")");
            }
            return reducer;
        }
    }
}
