package dev.hearth.engine.internal.driver.session;

import static dev.hearth.engine.internal.driver.session.RandomDataset.often;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.Pair;
import dev.hearth.api.Rdd;
import dev.hearth.api.StorageLevel;
import dev.hearth.api.accumulator.Accumulator;
import dev.hearth.engine.internal.driver.session.RandomDataset.Numbers;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** Tests when and how often a source is computed below nested operations, for every form of persistence. */
class PersistedOperationsTest extends OperationsFixture {
    /** An operation on a dataset and on a plain collection, with the times that a job computes its input. */
    private enum Operation {
        MAP(1, false) {
            @Override
            Rdd<Integer> apply(Rdd<Integer> numbers) {
                return numbers.map(number -> number + 1);
            }

            @Override
            Stream<Integer> apply(List<Integer> numbers) {
                return numbers.stream().map(number -> number + 1);
            }
        },
        FILTER(1, false) {
            @Override
            Rdd<Integer> apply(Rdd<Integer> numbers) {
                return numbers.filter(number -> number % 3 != 0);
            }

            @Override
            Stream<Integer> apply(List<Integer> numbers) {
                return numbers.stream().filter(number -> number % 3 != 0);
            }
        },
        WHOLE_PARTITIONS(1, false) {
            @Override
            Rdd<Integer> apply(Rdd<Integer> numbers) {
                return numbers.glom().flatMap(List::iterator);
            }

            @Override
            Stream<Integer> apply(List<Integer> numbers) {
                return numbers.stream();
            }
        },
        COALESCE(1, false) {
            @Override
            Rdd<Integer> apply(Rdd<Integer> numbers) {
                return numbers.coalesce(2);
            }

            @Override
            Stream<Integer> apply(List<Integer> numbers) {
                return numbers.stream();
            }
        },
        UNION(2, false) {
            @Override
            Rdd<Integer> apply(Rdd<Integer> numbers) {
                return numbers.union(numbers);
            }

            @Override
            Stream<Integer> apply(List<Integer> numbers) {
                return Stream.concat(numbers.stream(), numbers.stream());
            }
        },
        ZIP(2, false) {
            @Override
            Rdd<Integer> apply(Rdd<Integer> numbers) {
                return numbers.zip(numbers).map(pair -> pair.key() + pair.value());
            }

            @Override
            Stream<Integer> apply(List<Integer> numbers) {
                return numbers.stream().map(number -> 2 * number);
            }
        },
        REPARTITION(1, true) {
            @Override
            Rdd<Integer> apply(Rdd<Integer> numbers) {
                return numbers.repartition(3);
            }

            @Override
            Stream<Integer> apply(List<Integer> numbers) {
                return numbers.stream();
            }
        },
        DISTINCT(1, true) {
            @Override
            Rdd<Integer> apply(Rdd<Integer> numbers) {
                return numbers.distinct();
            }

            @Override
            Stream<Integer> apply(List<Integer> numbers) {
                return numbers.stream().distinct();
            }
        },
        REDUCE(1, true) {
            @Override
            Rdd<Integer> apply(Rdd<Integer> numbers) {
                return numbers.mapToPair(number -> Pair.of(number, 1))
                        .reduceByKey(Integer::sum)
                        .values();
            }

            @Override
            Stream<Integer> apply(List<Integer> numbers) {
                return often(numbers).values().stream().map(Long::intValue);
            }
        },
        JOIN(2, true) {
            @Override
            Rdd<Integer> apply(Rdd<Integer> numbers) {
                return numbers.keyBy(number -> number)
                        .join(numbers.keyBy(number -> number))
                        .keys();
            }

            @Override
            Stream<Integer> apply(List<Integer> numbers) {
                return numbers.stream().flatMap(number -> numbers.stream().filter(other -> other.equals(number)));
            }
        },
        SORT(2, true) { // once to sample its ranges
            @Override
            Rdd<Integer> apply(Rdd<Integer> numbers) {
                return numbers.sortBy(number -> number, true, 3);
            }

            @Override
            Stream<Integer> apply(List<Integer> numbers) {
                return numbers.stream().sorted();
            }
        };

        private final int reads;
        private final boolean shuffles;

        Operation(int reads, boolean shuffles) {
            this.reads = reads;
            this.shuffles = shuffles;
        }

        abstract Rdd<Integer> apply(Rdd<Integer> numbers);

        abstract Stream<Integer> apply(List<Integer> numbers);

        /** The times that one job computes the input of {@code all}; map outputs are reused. */
        static int reads(List<Operation> all) {
            int reads = 1;
            for (int at = all.size() - 1; at >= 0; at--) {
                Operation operation = all.get(at);
                reads = operation.shuffles ? operation.reads : reads * operation.reads;
            }
            return reads;
        }

        /** Whether the count is exact: sampling jobs may reuse the map outputs of others. */
        static boolean isExact(List<Operation> all) {
            return !all.contains(SORT);
        }
    }

    /** The id of a job that starts now. */
    private static int nextJob() {
        return context.parallelize(List.of(1), 1).countAsync().jobs().get(0);
    }

    @Property(tries = 150)
    void computesLazilyAndOnce(@ForAll Numbers numbers, @ForAll @Size(min = 1, max = 3) List<Operation> operations) {
        int before = nextJob();
        Accumulator<Long, Long> computed = context.longAccumulator("computed");
        Rdd<Integer> source = numbers.keeping().of(numbers.unkept(context).map(number -> {
            computed.add(1L);
            return number;
        }));
        Rdd<Integer> end = source;
        List<Integer> expected = numbers.list();
        for (Operation operation : operations) {
            end = operation.apply(end);
            expected = operation.apply(expected).collect(Collectors.toList());
        }
        assertEquals(before + 1, nextJob(), "no job before an action");
        assertEquals(0, computed.value());

        assertEquals(expected.size(), end.count());
        int size = numbers.list().size();
        long first = computed.value();
        long most = (long) size * Operation.reads(operations);
        if (numbers.keeping().level() == StorageLevel.NONE && !numbers.keeping().lasts()) {
            assertTrue(first <= most && first >= size, first + " computed of " + most);
            assertTrue(first == most || !Operation.isExact(operations), first + " computed of " + most);
        } else {
            assertTrue(first <= most + size, first + " computed of " + most + ", and a checkpoint");
        }

        assertEquals(often(expected), often(end.collect()));
        assertEquals(often(numbers.list()), often(source.collect()));
        if (numbers.keeping().lasts() && inOneProcess()) {
            assertEquals(first, computed.value(), "it is cached");
        }
        if (!numbers.keeping().local()) {
            source.unpersist(true);
        }
        assertEquals(often(expected), often(end.collect()), "whatever is still cached");
    }

    @Property
    void computesUnpersistedDatasetsAgain(@ForAll Numbers numbers, @ForAll @IntRange(min = 1, max = 3) int times) {
        Accumulator<Long, Long> computed = context.longAccumulator("computed");
        Rdd<Integer> source = numbers.unkept(context).map(number -> {
            computed.add(1L);
            return -number;
        });
        for (int time = 1; time <= times; time++) {
            source.persist(StorageLevel.DISK_ONLY);
            assertEquals(numbers.list().size(), source.count());
            assertEquals(numbers.list().stream().map(number -> -number).toList(), source.collect());
            assertTrue(!inOneProcess()
                    || computed.value() == (long) time * numbers.list().size());
            source.unpersist(true);
        }
    }

    @Property
    void describesItself(@ForAll Numbers numbers) {
        Rdd<Integer> source = numbers.in(context);
        Rdd<Integer> named = source.map(number -> number + 1).named("more");
        assertEquals("more", named.name());
        assertEquals(context, named.context());
        assertTrue(named.id() > source.id());
        StorageLevel level = numbers.keeping().level();
        assertTrue(level == source.storageLevel() || numbers.keeping().local(), source.storageLevel()::name);
        assertEquals(StorageLevel.NONE, named.storageLevel());
        assertEquals(Optional.empty(), named.partitioner());
        List<String> lines = named.toDebugString().lines().toList();
        String partitions = "(" + numbers.partitions() + ") dataset ";
        assertTrue(lines.get(0).startsWith(partitions + named.id() + " "), lines::toString);
        assertTrue(lines.get(lines.size() - 1).startsWith(partitions + source.id() + " "), lines::toString);
        assertEquals(numbers.list().size(), named.count());
        assertEquals(numbers.keeping().reliable() || numbers.keeping().local(), source.isCheckpointed());
        assertEquals(StorageLevel.MEMORY_ONLY, named.cache().storageLevel());
        assertEquals(numbers.list().stream().map(number -> number + 1).toList(), named.collect());
        assertEquals(StorageLevel.NONE, named.unpersist().storageLevel());
        assertEquals(numbers.list().stream().map(number -> number + 1).toList(), named.collect());
    }
}
