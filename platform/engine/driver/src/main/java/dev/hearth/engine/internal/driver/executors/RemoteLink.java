package dev.hearth.engine.internal.driver.executors;

import dev.hearth.engine.internal.attachments.Attachment;
import dev.hearth.engine.internal.driver.blocks.CachedBlockHints;
import dev.hearth.engine.internal.driver.serving.MapOutputUpdates;
import dev.hearth.engine.internal.driver.serving.SerialisedStages;
import dev.hearth.engine.internal.plan.KillKind;
import dev.hearth.engine.internal.plan.LaunchBatch;
import dev.hearth.engine.internal.plan.MapOutputLocations;
import dev.hearth.engine.internal.plan.StagePlan;
import dev.hearth.engine.internal.plan.TemplateId;
import dev.hearth.engine.internal.protocol.ExecutorProtocol;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.DefineAttachments;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.DefineStage;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.DropBroadcast;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.DropCached;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.DropResult;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.DropShuffle;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.ExecutorLost;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.ForgetStage;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.KillTask;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.MigrateMapOutput;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.PinCached;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.ReplicateBlock;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.Stop;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.ThreadsAnswer;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.ThreadsQuestion;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.UpdateLocations;
import dev.hearth.engine.internal.protocol.StageMessages;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.monitor.ThreadView;
import dev.hearth.spi.rpc.EndpointRef;
import dev.hearth.spi.rpc.Peer;
import java.time.Duration;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * The driver's link to an executor in another process, over the connection that the executor opened. Stages of equal
 * content are sent once. Map-output locations are sent as differences from the locations that the executor already has.
 * Owned by the driver's event loop.
 */
final class RemoteLink implements ExecutorLink {
    private static final Duration THREADS_TIMEOUT = Duration.ofSeconds(10);
    private static final int LOST_PER_MESSAGE_MAX = 1_000;
    private static final int STAGES_USUAL = 2; // initial capacity; small, as there may be thousands of links

    private final ExecutorId self;
    private final CachedBlockHints cachedBlocks;
    private final EndpointRef executor;
    private final SerialisedStages stages;
    private final MapOutputUpdates locations;
    /**
     * The stage plans that the executor has received. Never iterated, because the order of the map varies between runs.
     */
    private final IdentityHashMap<StagePlan, TemplateId> defined = new IdentityHashMap<>(STAGES_USUAL);

    private final Map<TemplateId, Integer> uses = new LinkedHashMap<>(STAGES_USUAL);
    /** For each shuffle, the epoch of the map-output locations that were sent last. */
    private final Map<Integer, Long> sentEpochs = new LinkedHashMap<>(STAGES_USUAL);

    private boolean knowsOthers; // the executor has received the address of another executor
    private final Supplier<List<Attachment>> attachments;
    private List<Attachment> sentAttachments = List.of();

    RemoteLink(
            ExecutorId self,
            Peer peer,
            SerialisedStages stages,
            CachedBlockHints cachedBlocks,
            MapOutputUpdates locations,
            Supplier<List<Attachment>> attachments) {
        this.attachments = attachments;
        this.self = self;
        this.cachedBlocks = cachedBlocks;
        this.locations = locations;
        this.executor = peer.endpoint(ExecutorProtocol.ENDPOINT, ExecutorProtocol.PROTOCOL);
        this.stages = stages;
    }

    @Override
    public void define(StagePlan plan) {
        SerialisedStages.SerialisedStage written = stages.find(plan)
                .orElseThrow(
                        () -> new IllegalStateException("stage " + plan.name() + ": not written (expected: before)"));
        defined.put(plan, written.id());
        if (uses.merge(written.id(), 1, Integer::sum) == 1) {
            executor.send(new DefineStage(written.id(), written.body()));
        }
    }

    @Override
    public void launch(LaunchBatch batch, List<MapOutputLocations> shuffles) {
        TemplateId id = defined.get(batch.plan());
        if (id == null) {
            throw new IllegalStateException("stage " + batch.stage() + ": launched before it was defined");
        }
        for (MapOutputLocations shuffle : shuffles) {
            locations
                    .since(sentEpochs.getOrDefault(shuffle.shuffle(), 0L), shuffle)
                    .ifPresent(this::sendLocations);
        }
        sendAttachments();
        cachedBlocks.of(batch, self).ifPresent(this::sendAddresses);
        StageMessages.launches(id, batch, stages.objects(), stages.messageBytesMax())
                .forEach(executor::send);
    }

    private void sendAttachments() {
        List<Attachment> latest = attachments.get();
        if (latest != sentAttachments) {
            sentAttachments = latest;
            executor.send(new DefineAttachments(latest));
        }
    }

    private void sendLocations(UpdateLocations message) {
        sentEpochs.put(message.shuffle(), message.epoch());
        sendAddresses(message);
    }

    /**
     * Sends a message with addresses of other executors, and remembers that. From then on, the loss of other executors
     * must be reported to this one.
     */
    private void sendAddresses(Record message) {
        knowsOthers = true;
        executor.send(message);
    }

    /**
     * Reports the loss of other executors to this one. Sends nothing if this executor never received an address of
     * another executor, because it then cannot be fetching from a lost one.
     */
    @Override
    public void executorsLost(List<ExecutorId> others) {
        for (int from = 0; knowsOthers && from < others.size(); from += LOST_PER_MESSAGE_MAX) {
            int until = Math.min(others.size(), from + LOST_PER_MESSAGE_MAX);
            executor.send(new ExecutorLost(others.get(from), List.copyOf(others.subList(from + 1, until))));
        }
    }

    @Override
    public void dropShuffle(int shuffle) {
        sentEpochs.remove(shuffle);
        locations.forget(shuffle);
        executor.send(new DropShuffle(shuffle));
    }

    @Override
    public void forget(StagePlan plan) {
        cachedBlocks.forget(plan);
        TemplateId id = defined.remove(plan);
        if (id != null && uses.merge(id, -1, Integer::sum) == 0) {
            uses.remove(id);
            executor.send(new ForgetStage(id));
        }
    }

    @Override
    public void kill(long task, KillKind kind, String reason) {
        executor.send(new KillTask(task, kind == KillKind.INTERRUPT, reason, kind == KillKind.RECALL));
    }

    @Override
    public void dropResult(long task) {
        executor.send(new DropResult(task));
    }

    @Override
    public void dropBroadcast(long broadcast) {
        executor.send(new DropBroadcast(broadcast));
    }

    @Override
    public void dropCached(int dataset) {
        executor.send(new DropCached(dataset));
    }

    @Override
    public void pinCached(int dataset) {
        executor.send(new PinCached(dataset));
    }

    @Override
    public void copy(ReplicateBlock order) {
        sendAddresses(order);
    }

    @Override
    public void copy(MigrateMapOutput order) {
        sendAddresses(order);
    }

    @Override
    public CompletionStage<List<ThreadView>> threads() {
        return executor.ask(new ThreadsQuestion(self), ThreadsAnswer.class, THREADS_TIMEOUT)
                .thenApply(ThreadsAnswer::threads);
    }

    @Override
    public void stop(String reason) {
        executor.send(new Stop(reason));
    }
}
