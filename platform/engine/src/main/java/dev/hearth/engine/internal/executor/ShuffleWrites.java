package dev.hearth.engine.internal.executor;

import dev.hearth.api.HashPartitioner;
import dev.hearth.api.Pair;
import dev.hearth.api.Partitioner;
import dev.hearth.api.function.Combiner;
import dev.hearth.api.function.ReduceFunction;
import dev.hearth.engine.internal.plan.Pipeline;
import dev.hearth.engine.internal.plan.SinkKind;
import dev.hearth.engine.internal.serial.Capture;
import dev.hearth.engine.internal.serial.Unchangeable;
import dev.hearth.engine.internal.shuffle.ShuffleBlock;
import dev.hearth.engine.internal.shuffle.ShuffleStore;
import dev.hearth.engine.internal.task.TaskInput;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.rpc.Bytes;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Cuts a map task's pairs by reader, and has them published when the attempt has succeeded. No state of its own. */
final class ShuffleWrites {
    private ShuffleWrites() {}

    static void write(Pipeline.Sink sink, TaskAttempt attempt, Object function, Iterator<Object> elements) {
        ShuffleStore shuffle = memory(attempt);
        int readers = sink.limit();
        Partitioner partitioner = sink.partitioner() == Capture.NONE
                ? new HashPartitioner(readers)
                : (Partitioner) sink.partitioner().open(attempt.services.objects(), "partitioner");
        List<List<@Nullable Object>> records = new ArrayList<>(readers);
        for (int reader = 0; reader < readers; reader++) {
            records.add(new ArrayList<>());
        }
        if (sink.kind() == SinkKind.SHUFFLE_REDUCED) {
            joined(elements, function).forEach((key, value) -> add(records, key, value, partitioner));
        } else if (sink.kind() == SinkKind.SHUFFLE_COMBINED) {
            combined(elements, function).forEach((key, value) -> add(records, key, value, partitioner));
        } else {
            elements.forEachRemaining(element -> {
                Pair<?, ?> pair = (Pair<?, ?>) element;
                add(records, pair.key(), pair.value(), partitioner);
            });
        }
        List<ShuffleBlock> blocks = new ArrayList<>(readers);
        for (List<@Nullable Object> reader : records) {
            ShuffleBlock block = block(attempt, reader.toArray());
            blocks.add(block);
            attempt.shuffleWriteBytes += block.bytes();
            attempt.shuffleWriteRecords += block.records();
        }
        attempt.recordsWritten += attempt.shuffleWriteRecords;
        int map = attempt.partition();
        attempt.output = new TaskOutput() {
            @Override
            public void publish() {
                shuffle.publish(sink.shuffle(), map, blocks);
            }

            @Override
            public void discard() {}
        };
    }

    static ShuffleStore memory(TaskAttempt attempt) {
        return attempt.services.data().shuffles();
    }

    private static void add(
            List<List<@Nullable Object>> records,
            @Nullable Object key,
            @Nullable Object value,
            Partitioner partitioner) {
        if (key != null && key.getClass().isArray()) {
            throw ErrorCode.BAD_ARGUMENT.failure(
                    "key of a shuffle: an array, " + key.getClass().getSimpleName()
                            + " (expected: a key with equals and hashCode of its own); make it a list, a string or a record");
        }
        List<@Nullable Object> reader = records.get(partitioner.partition(key));
        reader.add(key);
        reader.add(value);
    }

    @SuppressWarnings("unchecked") // the compiler checked the types where the shuffle was written
    private static Map<@Nullable Object, @Nullable Object> joined(Iterator<Object> elements, Object function) {
        ReduceFunction<Object> reduce = (ReduceFunction<Object>) function;
        Map<@Nullable Object, @Nullable Object> joined = new LinkedHashMap<>();
        elements.forEachRemaining(element -> {
            Pair<?, ?> pair = (Pair<?, ?>) element;
            ShuffleReads.join(joined, pair.key(), pair.value(), reduce);
        });
        return joined;
    }

    @SuppressWarnings("unchecked") // as above
    private static Map<@Nullable Object, @Nullable Object> combined(Iterator<Object> elements, Object function) {
        Combiner<Object, Object> combiner = (Combiner<Object, Object>) function;
        Map<@Nullable Object, @Nullable Object> combined = new LinkedHashMap<>();
        elements.forEachRemaining(element -> {
            Pair<?, ?> pair = (Pair<?, ?>) element;
            try {
                combined.put(
                        pair.key(),
                        combined.containsKey(pair.key())
                                ? combiner.add(combined.get(pair.key()), pair.value())
                                : combiner.create(pair.value()));
            } catch (Exception thrown) {
                throw Thrown.unchecked(thrown);
            }
        });
        return combined;
    }

    private static ShuffleBlock block(TaskAttempt attempt, @Nullable Object[] records) {
        if (records.length == 0) {
            return ShuffleBlock.EMPTY;
        }
        Unchangeable unchangeable = attempt.services.objects().unchangeable();
        if (unchangeable.areValues(records)) {
            return new ShuffleBlock(new TaskInput.Shared(records), records.length / 2, TaskValues.weight(records));
        }
        long began = attempt.services.clocks().nanos();
        Bytes bytes = attempt.services.objects().write(records, "records of a shuffle");
        attempt.serializeNanos += attempt.services.clocks().nanos() - began;
        return new ShuffleBlock(new TaskInput.Encoded(bytes), records.length / 2, bytes.size());
    }
}
