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
 * Map outputs that this executor takes over from others, whole files as they lie there. Owned by the executor's loop; files come
 * on other threads. Invariant: nothing is taken into a shuffle that was dropped since it was ordered.
 */
public final class MapOutputReceiver {
    private final RemoteShuffleReader network;
    private final EventLoop loop;
    private final Executor work;
    private final Set<MigrateMapOutput> underWay = new LinkedHashSet<>();

    /** {@code network} says how others are reached; {@code work} runs what may touch a disk. */
    public MapOutputReceiver(RemoteShuffleReader network, EventLoop loop, Executor work) {
        this.network = network;
        this.loop = loop;
        this.work = work;
    }

    /** Takes one over; completes once it can be read here, and fails when it cannot. */
    public CompletionStage<Void> take(MigrateMapOutput order) {
        underWay.add(order);
        return network.holders()
                .askCopy(order.from(), new MapOutputQuestion(order.shuffle(), order.map()), MapOutputAnswer.class)
                .thenCompose(answer -> receive(order, answer))
                .whenCompleteAsync((nothing, failure) -> underWay.remove(order), loop);
    }

    private CompletionStage<Void> receive(MigrateMapOutput order, MapOutputAnswer answer) {
        MapOutputDescription there = answer.file()
                .orElseThrow(() -> ErrorCode.STREAM_MISSING.failure(subject(order) + ": is not at executor "
                        + order.from().executor() + " (expected: there until its shuffle is dropped)"));
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
                || file.filter(segment -> segment.parts() != records.length).isPresent()) {
            file.ifPresent(PartitionedFile::delete);
            throw ErrorCode.STREAM_CHANGED.failure(subject(order) + ": dropped, or changed, while it came (expected: as"
                    + " it was when it was asked for)");
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

    /** The shuffle was dropped. */
    public void forget(int shuffle) {
        underWay.removeIf(order -> order.shuffle() == shuffle);
    }
}
