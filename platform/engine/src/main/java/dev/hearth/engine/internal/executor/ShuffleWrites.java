package dev.hearth.engine.internal.executor;

import dev.hearth.api.Pair;
import dev.hearth.api.Partitioner;
import dev.hearth.api.function.Combiner;
import dev.hearth.api.function.ReduceFunction;
import dev.hearth.engine.internal.disk.DamagedSegment;
import dev.hearth.engine.internal.plan.Pipeline;
import dev.hearth.engine.internal.plan.SinkKind;
import dev.hearth.engine.internal.serial.Capture;
import dev.hearth.engine.internal.shuffle.MapOutput;
import dev.hearth.engine.internal.shuffle.PartitionedWriter;
import dev.hearth.engine.internal.shuffle.ShuffleStore;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Cuts a map task's pairs by reader, and has them published when the attempt has succeeded. No state of its own. */
final class ShuffleWrites {
    private ShuffleWrites() {}

    static void write(Pipeline.Sink sink, TaskAttempt attempt, Object function, Iterator<Object> elements)
            throws DamagedSegment {
        Optional<Partitioner> partitioner = sink.partitioner() == Capture.NONE
                ? Optional.empty()
                : Optional.of((Partitioner) sink.partitioner().open(attempt.services.objects(), "partitioner"));
        ShuffleStore store = attempt.services.data().shuffles();
        PartitionedWriter writer = new PartitionedWriter(
                store, attempt.memory(), sink.shuffle(), attempt.partition(), sink.limit(), partitioner);
        attempt.atEnd(writer::close);
        if (sink.kind() == SinkKind.SHUFFLE_REDUCED) {
            joined(elements, function).forEach(writer::pair);
        } else if (sink.kind() == SinkKind.SHUFFLE_COMBINED) {
            combined(elements, function).forEach(writer::pair);
        } else {
            elements.forEachRemaining(element -> {
                Pair<?, ?> pair = (Pair<?, ?>) element;
                writer.pair(pair.key(), pair.value());
            });
        }
        MapOutput output = writer.finish();
        attempt.output = new TaskOutput() {
            @Override
            public void publish() {
                store.publish(output);
            }

            @Override
            public void discard() {
                output.delete();
            }
        };
        attempt.shuffleWriteBytes += output.totalBytes();
        attempt.shuffleWriteRecords += output.totalRecords();
        attempt.recordsWritten += output.totalRecords();
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
}
