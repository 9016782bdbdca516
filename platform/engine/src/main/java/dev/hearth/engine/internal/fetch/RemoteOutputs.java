package dev.hearth.engine.internal.fetch;

import dev.hearth.engine.internal.disk.DamagedSegment;
import dev.hearth.engine.internal.disk.ReceivedFile;
import dev.hearth.engine.internal.disk.Segment;
import dev.hearth.engine.internal.protocol.CopyProtocol;
import dev.hearth.engine.internal.protocol.CopyProtocol.OutputAnswer;
import dev.hearth.engine.internal.protocol.CopyProtocol.OutputFile;
import dev.hearth.engine.internal.protocol.CopyProtocol.OutputQuestion;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.CopyOutput;
import dev.hearth.engine.internal.shuffle.StoredOutput;
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
public final class RemoteOutputs {
    private final RemoteShuffles network;
    private final EventLoop loop;
    private final Executor work;
    private final Set<CopyOutput> underWay = new LinkedHashSet<>();

    /** {@code network} says how others are reached; {@code work} runs what may touch a disk. */
    public RemoteOutputs(RemoteShuffles network, EventLoop loop, Executor work) {
        this.network = network;
        this.loop = loop;
        this.work = work;
    }

    /** Takes one over; completes once it can be read here, and fails when it cannot. */
    public CompletionStage<Void> take(CopyOutput order) {
        underWay.add(order);
        return network.holders()
                .askCopy(order.from(), new OutputQuestion(order.shuffle(), order.map()), OutputAnswer.class)
                .thenCompose(answer -> receive(order, answer))
                .whenCompleteAsync((nothing, failure) -> underWay.remove(order), loop);
    }

    private CompletionStage<Void> receive(CopyOutput order, OutputAnswer answer) {
        OutputFile there = answer.file()
                .orElseThrow(() -> ErrorCode.STREAM_MISSING.failure(subject(order) + ": is not at executor "
                        + order.from().executor() + " (expected: there until its shuffle is dropped)"));
        if (there.bytes() == 0) {
            return CompletableFuture.completedStage(Optional.<Segment>empty())
                    .thenAcceptAsync(file -> adopt(order, there, file), loop);
        }
        String name = CopyProtocol.OUTPUTS + "/" + order.shuffle() + "/" + order.map();
        return new Reception(
                        network.holders(),
                        order.from(),
                        name,
                        there.bytes(),
                        () -> network.files().receive(subject(order)))
                .start()
                .thenApplyAsync(RemoteOutputs::whole, work)
                .thenAcceptAsync(file -> adopt(order, there, Optional.of(file)), loop);
    }

    private static Segment whole(ReceivedFile file) {
        try {
            return file.whole();
        } catch (DamagedSegment damage) {
            throw new CompletionException(damage);
        }
    }

    private void adopt(CopyOutput order, OutputFile there, Optional<Segment> file) {
        int[] records = there.records().stream().mapToInt(Integer::intValue).toArray();
        if (!underWay.contains(order)
                || file.filter(segment -> segment.parts() != records.length).isPresent()) {
            file.ifPresent(Segment::delete);
            throw ErrorCode.STREAM_CHANGED.failure(subject(order) + ": dropped, or changed, while it came (expected: as"
                    + " it was when it was asked for)");
        }
        network.store()
                .adopt(
                        order.shuffle(),
                        order.map(),
                        new StoredOutput(file.map(Segment::file), there.maps(), there.run(), records),
                        file);
    }

    private static String subject(CopyOutput order) {
        return "shuffle " + order.shuffle() + ", map task " + order.map();
    }

    /** The shuffle was dropped. */
    public void forget(int shuffle) {
        underWay.removeIf(order -> order.shuffle() == shuffle);
    }
}
