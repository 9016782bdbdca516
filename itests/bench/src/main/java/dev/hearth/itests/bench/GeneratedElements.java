package dev.hearth.itests.bench;

import dev.hearth.api.HearthContext;
import dev.hearth.api.Rdd;
import java.io.Serializable;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Elements of one partition, each made when it is asked for. Owned by one task. */
final class GeneratedElements<T> implements Iterator<T> {
    private final LongFunction<T> making;
    private final long until;
    private long next;

    private GeneratedElements(LongFunction<T> making, long from, long until) {
        this.making = making;
        this.next = from;
        this.until = until;
    }

    /** Opens what makes the elements of a partition. */
    @FunctionalInterface
    interface Making<T> extends Serializable {
        LongFunction<T> open();
    }

    static <T> Rdd<T> dataset(HearthContext context, long count, int partitions, Making<T> making) {
        return context.parallelize(IntStream.range(0, partitions).boxed().collect(Collectors.toList()), partitions)
                .mapPartitions(given -> {
                    int partition = given.next();
                    return new GeneratedElements<>(
                            making.open(), count * partition / partitions, count * (partition + 1) / partitions);
                });
    }

    @Override
    public boolean hasNext() {
        return next < until;
    }

    @Override
    public T next() {
        if (next >= until) {
            throw new NoSuchElementException("generated elements: no more");
        }
        return making.apply(next++);
    }
}
