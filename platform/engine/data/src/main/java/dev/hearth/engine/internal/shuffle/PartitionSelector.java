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
 * Which reader a key belongs to: as a {@link Partitioner} says, sooner for those whose rule is known here. Immutable as far as the
 * partitioner is; owned by the task it was made for.
 */
abstract class PartitionSelector {
    /** By a partitioner of that many readers; without one by hash codes. */
    static PartitionSelector of(Optional<Partitioner> partitioner, int readers) {
        Partitioner given = partitioner.orElse(null);
        if (readers == 1) {
            return new One(given);
        }
        if (given == null) {
            return new Hashes(readers);
        }
        if (given.getClass() == HashPartitioner.class && given.partitions() == readers) {
            return new Hashes(readers);
        }
        if (given.getClass() == RangePartitioner.class && given.partitions() == readers) {
            return ranges((RangePartitioner<?>) given);
        }
        return new Given(given, readers);
    }

    private static PartitionSelector ranges(RangePartitioner<?> ranges) {
        List<Object> bounds = ranges.bounds();
        Given others = new Given(ranges, ranges.partitions());
        if (!ranges.isNatural()) {
            return others;
        }
        if (bounds.stream().allMatch(Long.class::isInstance)) {
            long[] longs = bounds.stream().mapToLong(Long.class::cast).toArray();
            return new NumberRanges(Long.class, longs, ranges.isDescending(), others);
        }
        if (bounds.stream().allMatch(Integer.class::isInstance)) {
            long[] longs = bounds.stream().mapToLong(Integer.class::cast).toArray();
            return new NumberRanges(Integer.class, longs, ranges.isDescending(), others);
        }
        if (bounds.stream().allMatch(String.class::isInstance)) {
            return new TextRanges(bounds.toArray(new String[0]), ranges.isDescending(), others);
        }
        return others;
    }

    abstract int reader(@Nullable Object key);

    /** Of a part of a column; {@code into} begins with the first of them. */
    void readers(Column keys, int from, int until, int[] into) {
        for (int at = from; at < until; at++) {
            into[at - from] = reader(keys.value(at));
        }
    }

    /** All keys belong to one, but a partitioner is asked all the same: it may refuse a key. */
    private static final class One extends PartitionSelector {
        private final @Nullable Given given;

        One(@Nullable Partitioner partitioner) {
            this.given = partitioner == null || partitioner.getClass() == HashPartitioner.class
                    ? null
                    : new Given(partitioner, 1);
        }

        @Override
        int reader(@Nullable Object key) {
            return given == null ? 0 : given.reader(key);
        }
    }

    private static final class Hashes extends PartitionSelector {
        private final int readers;

        Hashes(int readers) {
            this.readers = readers;
        }

        @Override
        int reader(@Nullable Object key) {
            if (key == null) {
                return 0;
            }
            Class<?> type = key.getClass(); // calls of one class each, which cost less than one of any
            int hash = type == Integer.class
                    ? (Integer) key
                    : type == String.class
                            ? ((String) key).hashCode()
                            : type == Long.class ? Long.hashCode((Long) key) : HashPartitioner.hash(key);
            return HashPartitioner.ofHash(hash, readers);
        }

        @Override
        void readers(Column keys, int from, int until, int[] into) {
            if (keys instanceof Column.Ints ints) {
                for (int at = from; at < until; at++) {
                    into[at - from] = HashPartitioner.ofHash(ints.values()[at], readers);
                }
            } else if (keys instanceof Column.Longs longs) {
                for (int at = from; at < until; at++) {
                    into[at - from] = HashPartitioner.ofHash(Long.hashCode(longs.values()[at]), readers);
                }
            } else {
                super.readers(keys, from, until, into);
            }
        }
    }

    private static final class NumberRanges extends PartitionSelector {
        private final Class<?> type;
        private final long[] bounds;
        private final boolean descending;
        private final PartitionSelector others; // keys of other kinds

        NumberRanges(Class<?> type, long[] bounds, boolean descending, PartitionSelector others) {
            this.type = type;
            this.bounds = bounds;
            this.descending = descending;
            this.others = others;
        }

        @Override
        int reader(@Nullable Object key) {
            if (key == null || key.getClass() != type) {
                return others.reader(key);
            }
            return range(key instanceof Long wide ? wide : (Integer) key);
        }

        @Override
        void readers(Column keys, int from, int until, int[] into) {
            if (keys instanceof Column.Ints ints && type == Integer.class) {
                for (int at = from; at < until; at++) {
                    into[at - from] = range(ints.values()[at]);
                }
            } else if (keys instanceof Column.Longs longs && type == Long.class) {
                for (int at = from; at < until; at++) {
                    into[at - from] = range(longs.values()[at]);
                }
            } else {
                super.readers(keys, from, until, into);
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
        private final PartitionSelector others;

        TextRanges(String[] bounds, boolean descending, PartitionSelector others) {
            this.bounds = bounds;
            this.descending = descending;
            this.others = others;
        }

        @Override
        int reader(@Nullable Object key) {
            if (!(key instanceof String text)) {
                return others.reader(key);
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

    /** The user's, whose answer is checked. */
    private static final class Given extends PartitionSelector {
        private final Partitioner partitioner;
        private final int readers;

        Given(Partitioner partitioner, int readers) {
            this.partitioner = partitioner;
            this.readers = readers;
        }

        @Override
        int reader(@Nullable Object key) {
            int reader = partitioner.partition(key);
            if (reader < 0 || reader >= readers) {
                throw ErrorCode.BAD_ARGUMENT.failure(
                        "partitioner " + partitioner.getClass().getName() + ": partition "
                                + reader + " for a key of "
                                + (key == null ? "null" : key.getClass().getName())
                                + " (expected: 0 to " + (readers - 1) + ", for there are " + readers + ")");
            }
            return reader;
        }
    }
}
