package dev.hearth.engine.internal.executor;

import dev.hearth.api.Partitioner;
import dev.hearth.engine.internal.aggregate.Combining;
import dev.hearth.engine.internal.aggregate.Merging;
import dev.hearth.engine.internal.disk.DamagedSegment;
import dev.hearth.engine.internal.plan.Pipeline;
import dev.hearth.engine.internal.serial.Capture;
import dev.hearth.engine.internal.shuffle.MapOutput;
import dev.hearth.engine.internal.shuffle.PartitionedWriter;
import dev.hearth.engine.internal.shuffle.ShuffleStore;
import java.util.Iterator;
import java.util.Optional;

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
        switch (sink.kind()) {
            case SHUFFLE_REDUCED -> combine(attempt, Merging.reducing(function), elements, writer);
            case SHUFFLE_COMBINED -> combine(attempt, Merging.creating(function), elements, writer);
            default -> TaskSteps.send(elements, writer);
        }
        MapOutput output = writer.finish();
        int run = attempt.batch.tasks.plan().barrier() ? (int) attempt.taskId() : 0;
        attempt.output = new TaskOutput() {
            @Override
            public void publish() {
                store.publish(output, run);
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

    private static void combine(
            TaskAttempt attempt, Merging merging, Iterator<Object> elements, PartitionedWriter writer) {
        Combining combining = Combining.towards(writer, new TaskBench(attempt), merging);
        attempt.atEnd(combining::close);
        TaskSteps.send(elements, combining);
        combining.finish();
    }
}
