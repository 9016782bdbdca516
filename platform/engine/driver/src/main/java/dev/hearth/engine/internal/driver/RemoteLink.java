package dev.hearth.engine.internal.driver;

import dev.hearth.engine.internal.attachments.Attachment;
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
 * The way to an executor in another process, over the connection that it opened. A stage is sent once by its content, however many
 * plans have that content. Owned by the driver's loop.
 */
final class RemoteLink implements ExecutorLink {
    private static final Duration THREADS_TIMEOUT = Duration.ofSeconds(10);
    private static final int GONE_PER_MESSAGE_MAX = 1_000;
    private static final int STAGES_USUAL = 2; // there may be thousands of links

    private final ExecutorId self;
    private final CachedBlockHints kept;
    private final EndpointRef executor;
    private final SerialisedStages stages;
    private final MapOutputUpdates places;
    private final IdentityHashMap<StagePlan, TemplateId> known =
            new IdentityHashMap<>(STAGES_USUAL); // asked for, never gone through
    private final Map<TemplateId, Integer> uses = new LinkedHashMap<>();

    private final Map<Integer, Long> told =
            new LinkedHashMap<>(); // by shuffle, the epoch of the places that were sent last
    private boolean knowsOthers; // was ever told where something lies

    private final Supplier<List<Attachment>> attachments;
    private List<Attachment> attachmentsTold = List.of();

    RemoteLink(
            ExecutorId self,
            Peer peer,
            SerialisedStages stages,
            CachedBlockHints kept,
            MapOutputUpdates places,
            Supplier<List<Attachment>> attachments) {
        this.attachments = attachments;
        this.self = self;
        this.kept = kept;
        this.places = places;
        this.executor = peer.endpoint(ExecutorProtocol.ENDPOINT, ExecutorProtocol.PROTOCOL);
        this.stages = stages;
    }

    @Override
    public void define(StagePlan plan) {
        SerialisedStages.SerialisedStage written = stages.find(plan)
                .orElseThrow(
                        () -> new IllegalStateException("stage " + plan.name() + ": not written (expected: before)"));
        known.put(plan, written.id());
        if (uses.merge(written.id(), 1, Integer::sum) == 1) {
            executor.send(new DefineStage(written.id(), written.body()));
        }
    }

    @Override
    public void launch(LaunchBatch batch, List<MapOutputLocations> shuffles) {
        TemplateId id = known.get(batch.plan());
        if (id == null) {
            throw new IllegalStateException("stage " + batch.stage() + ": launched before it was defined");
        }
        for (MapOutputLocations shuffle : shuffles) {
            places.since(told.getOrDefault(shuffle.shuffle(), 0L), shuffle).ifPresent(this::tell);
        }
        tellAttachments();
        kept.of(batch, self).ifPresent(this::tellOfOthers);
        StageMessages.launches(id, batch, stages.objects(), stages.messageBytesMax())
                .forEach(executor::send);
    }

    private void tellAttachments() {
        List<Attachment> now = attachments.get();
        if (now != attachmentsTold) {
            attachmentsTold = now;
            executor.send(new DefineAttachments(now));
        }
    }

    private void tell(UpdateLocations message) {
        told.put(message.shuffle(), message.epoch());
        tellOfOthers(message);
    }

    private void tellOfOthers(Record message) {
        knowsOthers = true;
        executor.send(message);
    }

    /** One that was never told of others waits for none of them. */
    @Override
    public void gone(List<ExecutorId> others) {
        for (int from = 0; knowsOthers && from < others.size(); from += GONE_PER_MESSAGE_MAX) {
            int until = Math.min(others.size(), from + GONE_PER_MESSAGE_MAX);
            executor.send(new ExecutorLost(others.get(from), List.copyOf(others.subList(from + 1, until))));
        }
    }

    @Override
    public void dropShuffle(int shuffle) {
        told.remove(shuffle);
        places.forget(shuffle);
        executor.send(new DropShuffle(shuffle));
    }

    @Override
    public void forget(StagePlan plan) {
        kept.forget(plan);
        TemplateId id = known.remove(plan);
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
        tellOfOthers(order);
    }

    @Override
    public void copy(MigrateMapOutput order) {
        tellOfOthers(order);
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
