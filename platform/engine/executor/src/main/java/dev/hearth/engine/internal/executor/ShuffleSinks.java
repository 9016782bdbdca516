package dev.hearth.engine.internal.executor;

import dev.hearth.api.Partitioner;
import dev.hearth.engine.internal.aggregate.AggregateFunction;
import dev.hearth.engine.internal.aggregate.HashAggregator;
import dev.hearth.engine.internal.closure.CapturedFunction;
import dev.hearth.engine.internal.disk.CorruptFileException;
import dev.hearth.engine.internal.plan.Sink;
import dev.hearth.engine.internal.shuffle.MapOutput;
import dev.hearth.engine.internal.shuffle.MapOutputAdopter;
import dev.hearth.engine.internal.shuffle.ShuffleStore;
import dev.hearth.engine.internal.shuffle.ShuffleWriter;
import java.util.Iterator;
import java.util.Optional;

/**
 * Writes the map output of one task, partitioned by reducer. Other tasks can read the output once the attempt has
 * succeeded. Stateless.
 */
final class ShuffleSinks {
    private ShuffleSinks() {}

    static void write(Sink.ShuffleWrite sink, TaskAttempt attempt, Object function, Iterator<Object> elements)
            throws CorruptFileException {
        Optional<Partitioner> partitioner = sink.partitioner() == CapturedFunction.NONE
                ? Optional.empty()
                : Optional.of((Partitioner) sink.partitioner().open(attempt.services.objects(), "partitioner"));
        ShuffleStore store = attempt.services.data().shuffles();
        ShuffleWriter writer = new ShuffleWriter(
                store, attempt.memory(), sink.shuffle(), attempt.partition(), sink.partitions(), partitioner);
        attempt.atEnd(writer::close);
        Optional<AggregateFunction> merging =
                sink.mapSide().flatMap(aggregation -> AggregateFunctions.ofValues(aggregation, function));
        if (merging.isPresent()) {
            combine(attempt, merging.get(), elements, writer);
        } else {
            TaskSteps.send(elements, writer);
        }
        MapOutput output = writer.finish();
        int run = attempt.batch.tasks.plan().barrier() ? (int) attempt.taskId() : 0;
        attempt.publishOnSuccess(output(store, output, run));
        attempt.countMapOutput(output.totalBytes(), output.totalRecords());
    }

    private static TaskOutput output(ShuffleStore store, MapOutput output, int run) {
        return store.services()
                .adopter()
                .<TaskOutput>map(adopter -> new HandedOver(draft(adopter, output, run)))
                .orElseGet(() -> new Kept(store, output, run));
    }

    private static MapOutputAdopter.Draft draft(MapOutputAdopter adopter, MapOutput output, int run) {
        boolean done = false;
        try {
            MapOutputAdopter.Draft draft = adopter.draft(output, run);
            done = true;
            return draft;
        } finally {
            if (!done) {
                output.delete();
            }
        }
    }

    /** Output that the store of this executor keeps. */
    private record Kept(ShuffleStore store, MapOutput output, int run) implements TaskOutput {
        @Override
        public void publish() {
            store.publish(output, run);
        }

        @Override
        public void discard() {
            output.delete();
        }
    }

    /** Output that the shuffle service of this host takes over. */
    private record HandedOver(MapOutputAdopter.Draft draft) implements TaskOutput {
        @Override
        public void publish() {
            draft.publish();
        }

        @Override
        public void discard() {
            draft.discard();
        }
    }

    private static void combine(
            TaskAttempt attempt, AggregateFunction merging, Iterator<Object> elements, ShuffleWriter writer) {
        HashAggregator combining = HashAggregator.towards(writer, new TaskAggregationServices(attempt), merging);
        attempt.atEnd(combining::close);
        TaskSteps.send(elements, combining);
        combining.finish();
    }
}
