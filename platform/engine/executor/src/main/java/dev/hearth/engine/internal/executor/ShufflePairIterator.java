package dev.hearth.engine.internal.executor;

import dev.hearth.api.Pair;
import dev.hearth.engine.internal.column.Column;
import dev.hearth.engine.internal.disk.CorruptFileException;
import dev.hearth.engine.internal.serializer.RecordFormat;
import dev.hearth.engine.internal.shuffle.FetchFailedException;
import dev.hearth.engine.internal.shuffle.LazyRecordReader;
import dev.hearth.engine.internal.shuffle.PairConsumer;
import dev.hearth.engine.internal.shuffle.ShuffleInput;
import dev.hearth.engine.internal.shuffle.ShuffleSegment;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Iterator over the pairs of one reduce partition in order of arrival. Reads one segment after another, and buffers one
 * batch of pairs at a time. Owned by the task's thread.
 */
final class ShufflePairIterator implements Iterator<Object> {
    private final TaskAttempt attempt;
    private final RecordFormat.Reader reader;
    private final ShuffleInput blocks;
    private final Batch batch = new Batch();
    private @Nullable ShuffleSegment block;
    private ShuffleSegment.@Nullable Cursor cursor;

    ShufflePairIterator(TaskAttempt attempt, int shuffle, int partition) throws FetchFailedException {
        this.attempt = attempt;
        this.reader = new LazyRecordReader(attempt.services.data()::records);
        this.blocks = attempt.services.shuffleInputs().read(shuffle, partition, AttemptReader.of(attempt));
        attempt.atEnd(this::close);
    }

    /**
     * Buffer for one batch of pairs. It contains either a column of keys and a column of values, as they were read, or
     * single pairs.
     */
    private static final class Batch implements PairConsumer {
        private final Queue<Pair<?, ?>> pairs = new ArrayDeque<>();
        private Column keys = new Column.Ints(new int[0], 0);
        private Column values = keys;
        private int next;

        @Override
        public void pair(@Nullable Object key, @Nullable Object value) {
            pairs.add(new Pair<>(key, value));
        }

        @Override
        public void columns(Column someKeys, Column someValues) {
            keys = someKeys;
            values = someValues;
            next = 0;
        }

        boolean isEmpty() {
            return next == keys.size() && pairs.isEmpty();
        }

        Pair<?, ?> take() {
            if (next < keys.size()) {
                int at = next++;
                return new Pair<>(keys.value(at), values.value(at));
            }
            return pairs.remove();
        }
    }

    @Override
    public boolean hasNext() {
        while (batch.isEmpty()) {
            attempt.checkKilled();
            if (!fill()) {
                return false;
            }
        }
        return true;
    }

    /** Fills the batch with the next pairs of the partition; returns false if no pair is left. */
    private boolean fill() {
        ShuffleSegment current = block;
        ShuffleSegment.Cursor open = cursor;
        try {
            if (current == null || open == null) {
                return openNext();
            }
            if (!open.send(batch)) {
                closeBlock();
                attempt.shuffleRead(current);
            }
            return true;
        } catch (CorruptFileException damage) {
            throw SneakyThrow.unchecked(blocks.damaged(damage));
        } catch (FetchFailedException missing) {
            throw SneakyThrow.unchecked(missing);
        }
    }

    private boolean openNext() throws FetchFailedException {
        Optional<ShuffleSegment> next = blocks.next();
        if (next.isPresent()) {
            block = next.get();
            cursor = block.open(reader);
        }
        return next.isPresent();
    }

    @Override
    public Object next() {
        if (!hasNext()) {
            throw new NoSuchElementException("partition " + attempt.partition() + ": no more pairs");
        }
        return batch.take();
    }

    private void close() {
        closeBlock();
        blocks.close();
    }

    private void closeBlock() {
        ShuffleSegment.Cursor open = cursor;
        block = null;
        cursor = null;
        if (open != null) {
            open.close();
        }
    }
}
