package dev.hearth.engine.internal.fetch;

import dev.hearth.engine.internal.disk.CorruptFileException;
import dev.hearth.engine.internal.disk.PartitionedFile;
import dev.hearth.engine.internal.disk.ReceivedFile;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.MigrateMapOutput;
import dev.hearth.engine.internal.protocol.ReplicationProtocol;
import dev.hearth.engine.internal.protocol.ReplicationProtocol.MapOutputAnswer;
import dev.hearth.engine.internal.protocol.ReplicationProtocol.MapOutputDescription;
import dev.hearth.engine.internal.protocol.ReplicationProtocol.MapOutputQuestion;
import dev.hearth.engine.internal.shuffle.MapOutputFile;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.loop.EventLoop;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/**
 * Receives map outputs that other executors migrate to this one, as complete files. Owned by the executor's event loop;
 * files arrive on other threads. Invariant: an output is not adopted (added to this executor's store) if its shuffle
 * was removed after the migration was ordered.
 */
public final class MapOutputReceiver {
    private final RemoteShuffleReader network;
    private final EventLoop loop;
    private final Executor work;
    private final Set<MigrateMapOutput> underWay = new LinkedHashSet<>();

    /**
     * {@code network} reaches the executors from which outputs are migrated, {@code loop} owns the receiver's state,
     * and {@code work} runs steps that may wait for a disk.
     */
    public MapOutputReceiver(RemoteShuffleReader network, EventLoop loop, Executor work) {
        this.network = network;
        this.loop = loop;
        this.work = work;
    }

    /**
     * Migrates one output to this executor. The result completes when the output can be read here, or fails if the
     * migration fails.
     */
    public CompletionStage<Void> take(MigrateMapOutput order) {
        underWay.add(order);
        return network.holders()
                .askCopy(order.from(), new MapOutputQuestion(order.shuffle(), order.map()), MapOutputAnswer.class)
                .thenCompose(answer -> receive(order, answer))
                .whenCompleteAsync((nothing, failure) -> underWay.remove(order), loop);
    }

    private CompletionStage<Void> receive(MigrateMapOutput order, MapOutputAnswer answer) {
        MapOutputDescription there = answer.file()
                .orElseThrow(() -> ErrorCode.STREAM_MISSING.failure(subject(order) + ": not at executor "
                        + order.from().executor() + " (expected: available until its shuffle is removed)"));
        if (there.bytes() == 0) {
            return CompletableFuture.completedStage(Optional.<PartitionedFile>empty())
                    .thenAcceptAsync(file -> adopt(order, there, file), loop);
        }
        String name = ReplicationProtocol.OUTPUTS + "/" + order.shuffle() + "/" + order.map();
        return new FileDownload(
                        network.holders(),
                        order.from(),
                        name,
                        there.bytes(),
                        () -> network.files().receive(subject(order)))
                .start()
                .thenApplyAsync(MapOutputReceiver::whole, work)
                .thenAcceptAsync(file -> adopt(order, there, Optional.of(file)), loop);
    }

    private static PartitionedFile whole(ReceivedFile file) {
        try {
            return file.whole();
        } catch (CorruptFileException damage) {
            throw new CompletionException(damage);
        }
    }

    private void adopt(MigrateMapOutput order, MapOutputDescription there, Optional<PartitionedFile> file) {
        int[] records = there.records().stream().mapToInt(Integer::intValue).toArray();
        if (!underWay.contains(order)
                || file.filter(segment -> segment.segments() != records.length).isPresent()) {
            file.ifPresent(PartitionedFile::delete);
            throw ErrorCode.STREAM_CHANGED.failure(subject(order)
                    + ": removed or changed while it was copied (expected:" + " unchanged since it was requested)");
        }
        network.store()
                .adopt(
                        order.shuffle(),
                        order.map(),
                        new MapOutputFile(file.map(PartitionedFile::file), there.maps(), there.run(), records),
                        file);
    }

    private static String subject(MigrateMapOutput order) {
        return "shuffle " + order.shuffle() + ", map task " + order.map();
    }

    /**
     * Ends the migration of outputs of the shuffle {@code shuffle}, which was removed. Outputs that are still arriving
     * are then not added to this executor's store of map outputs.
     */
    public void forget(int shuffle) {
        underWay.removeIf(order -> order.shuffle() == shuffle);
    }
}
