package dev.hearth.engine.internal.driver;

import dev.hearth.api.HearthException;
import dev.hearth.engine.internal.plan.StageTemplate;
import dev.hearth.engine.internal.plan.TemplateId;
import dev.hearth.engine.internal.protocol.DriverProtocol;
import dev.hearth.engine.internal.protocol.DriverProtocol.Heartbeat;
import dev.hearth.engine.internal.protocol.DriverProtocol.Register;
import dev.hearth.engine.internal.protocol.DriverProtocol.Registration;
import dev.hearth.engine.internal.protocol.DriverProtocol.TaskUpdate;
import dev.hearth.engine.internal.protocol.DriverProtocol.Updates;
import dev.hearth.engine.internal.protocol.ExecutorProtocol;
import dev.hearth.spi.cluster.ApplicationResult;
import dev.hearth.spi.cluster.ApplicationSpec;
import dev.hearth.spi.cluster.DriverServices;
import dev.hearth.spi.cluster.ExecutorHost;
import dev.hearth.spi.cluster.ExecutorListener;
import dev.hearth.spi.cluster.LostExecutor;
import dev.hearth.spi.cluster.ProfileId;
import dev.hearth.spi.cluster.SchedulerBackend;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.rpc.Bytes;
import dev.hearth.spi.rpc.EndpointUri;
import dev.hearth.spi.rpc.Peer;
import dev.hearth.spi.rpc.Receiver;
import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.spi.rpc.RpcSettings;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The shell around one application's scheduler and executor registry: feeds them from messages, timers and calls, and
 * performs their effects. Owned by its loop, which is the only one to touch its fields but the volatile ones.
 * <p>OPENING until the cluster has answered, OPEN while jobs run, then CLOSED, with the reason every later job fails for.
 */
public final class Driver implements ExecutorListener, DriverServices {
    private static final Logger LOG = LoggerFactory.getLogger(Driver.class);

    private final DriverSetup setup;
    private final EngineSettings settings;
    private final EventLoop loop;
    private final TaskScheduler scheduler;
    private final ExecutorRegistry registry;
    private final InProcessExecutors inProcess;
    private final String endpoint;
    private final AtomicLong jobsMade = new AtomicLong();
    private final AtomicReference<@Nullable CompletableFuture<Void>> closing = new AtomicReference<>();
    private final Performer performer = new Performer();
    private final Map<ExecutorId, ExecutorLink> links = new LinkedHashMap<>();
    private final Map<Long, CompletableFuture<List<Bytes>>> jobs =
            new ConcurrentSkipListMap<>(); // added to by any thread
    private @Nullable RpcEnv rpc;
    private @Nullable SchedulerBackend backend;
    private boolean settling;
    private volatile @Nullable HearthException closed; // written by the loop alone
    private volatile @Nullable ApplicationId application;
    private volatile int cores;

    public Driver(DriverSetup setup) {
        this.setup = setup;
        this.endpoint = "driver-" + setup.number();
        this.settings = EngineSettings.from(setup.settings());
        this.loop = setup.loop();
        this.scheduler = new TaskScheduler(settings.taskFailuresMax());
        this.registry = new ExecutorRegistry(settings.heartbeatTimeout(), settings.executorsMax());
        this.inProcess = new InProcessExecutors(loop, setup.code(), setup.threads(), this);
    }

    /** Opens the backend and wants executors; completes when the cluster has taken the application. */
    public CompletionStage<Void> open() {
        CompletableFuture<Void> opened = new CompletableFuture<>();
        loop.execute(() -> {
            try {
                ApplicationSpec spec = new ApplicationSpec(setup.name(), setup.settings());
                setup.manager()
                        .open(spec, setup.master(), this)
                        .whenComplete((held, failure) -> loop.execute(() -> opened(opened, held, failure)));
            } catch (RuntimeException failure) {
                opened.completeExceptionally(failure);
            }
        });
        return opened;
    }

    /** Runs one job of one stage; completes with a value per partition, in order. Any thread may call. */
    CompletionStage<List<Bytes>> run(long job, StageTemplate template, List<Bytes> inputs) {
        TemplateId id = TemplateId.of(template);
        CompletableFuture<List<Bytes>> result = new CompletableFuture<>();
        jobs.put(
                job, result); // before the question whether this is closed: whoever closes it answers all that are here
        loop.execute(() -> {
            if (closed == null) {
                scheduler.submit(job, id, template, inputs);
                settleSoon();
            }
        });
        failIfClosed(job);
        return result;
    }

    /** A number that no other job of this application has. */
    long nextJob() {
        return jobsMade.getAndIncrement();
    }

    void cancel(long job, HearthException why) {
        loop.execute(() -> {
            scheduler.cancel(job, why);
            settleSoon();
        });
    }

    /** Ends everything: jobs fail, executors stop, the cluster is told. Completes when it was; further calls join the first. */
    public CompletionStage<Void> close(ApplicationResult result) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        if (!closing.compareAndSet(null, done)) {
            return Objects.requireNonNull(closing.get());
        }
        loop.execute(() -> closeNow(ErrorCode.CONTEXT_CLOSED.failure("context of " + setup.name() + ": closed"), result)
                .whenComplete((nothing, failure) -> {
                    if (failure == null) {
                        done.complete(null);
                    } else {
                        done.completeExceptionally(failure);
                    }
                }));
        return done;
    }

    Optional<ApplicationId> application() {
        return Optional.ofNullable(application);
    }

    /** Known cores, or what was set; at least two, so that a default cut never makes one partition. */
    int defaultParallelism() {
        return settings.parallelism().orElse(Math.max(2, cores));
    }

    @Override
    public EventLoop loop() {
        return loop;
    }

    @Override
    public ExecutorListener listener() {
        return this;
    }

    @Override
    public ExecutorHost executorHost() {
        return inProcess;
    }

    @Override
    public RpcEnv rpc() {
        loop.requireInLoop();
        if (rpc == null) {
            rpc = setup.rpc()
                    .apply(RpcSettings.listening(setup.settings(), settings.driverHost(), settings.driverPort()));
            rpc.register(endpoint, DriverProtocol.PROTOCOL, loop, receiver());
            expireSilent();
        }
        return rpc;
    }

    @Override
    public EndpointUri driverEndpoint() {
        return new EndpointUri(
                endpoint,
                rpc().address().orElseThrow(() -> new IllegalStateException("driver: its env does not listen")));
    }

    @Override
    public void started(ExecutorId executor, String host, int executorCores) {
        loop.requireInLoop();
        LOG.info("executor {} is starting on {} with {} cores", executor, host, executorCores);
    }

    @Override
    public void lost(ExecutorId executor, LostExecutor why) {
        loop.requireInLoop();
        if (registry.lose(executor)) {
            LOG.info("executor {} is gone: {}", executor, why);
            links.remove(executor);
            scheduler.executorLost(executor, why);
            settleSoon();
        }
    }

    @Override
    public void clusterLost(String reason) {
        loop.requireInLoop();
        HearthException why = ErrorCode.EXECUTORS_FAILED.failure("application " + setup.name() + ": " + reason);
        closeNow(why, ApplicationResult.FAILED).whenComplete((nothing, failure) -> {
            if (failure != null) {
                LOG.warn("closing after the cluster was lost: {}", Failures.describe(failure));
            }
        });
    }

    void admitInProcess(ExecutorId executor, int executorCores, ExecutorLink link) {
        admit(executor, "this process", executorCores, ExecutorRegistry.NO_PEER, link);
    }

    void taskUpdates(ExecutorId executor, long peer, List<TaskUpdate> updates) {
        if (registry.heard(executor, peer, loop.ticker().nanos())) {
            updates.forEach(update -> scheduler.taskEnded(executor, update));
            settleSoon();
        }
    }

    private void opened(CompletableFuture<Void> opened, @Nullable SchedulerBackend held, @Nullable Throwable failure) {
        if (held == null) {
            Throwable why = failure == null ? new IllegalStateException("no backend") : Failures.unwrap(failure);
            closed = Failures.asHearth(why, ErrorCode.CLUSTER_UNREACHABLE, "master " + setup.master());
            closeRpc();
            opened.completeExceptionally(closed);
        } else if (closed != null) { // closed while the cluster was still answering
            held.close(ApplicationResult.FAILED);
            opened.completeExceptionally(closed);
        } else {
            backend = held;
            application = held.application();
            LOG.info("application {} ({}) is open on {}", application, setup.name(), setup.master());
            held.want(Map.of(ProfileId.DEFAULT, settings.demand()), Set.of());
            opened.complete(null);
        }
    }

    private Receiver receiver() {
        return Receiver.of(endpoint)
                .answer(Register.class, this::register)
                .on(Updates.class, (message, peer) -> taskUpdates(message.executor(), peer.id(), message.updates()))
                .on(
                        Heartbeat.class,
                        (message, peer) -> registry.heard(
                                message.executor(), peer.id(), loop.ticker().nanos()))
                .onPeerLost((peer, reason) -> registry.executorOf(peer.id())
                        .ifPresent(executor -> giveUp(executor, "connection lost: " + reason)))
                .build();
    }

    private Registration register(Register message, Peer peer) {
        String refusal = closed != null
                ? "the application has ended"
                : admit(message.executor(), message.host(), message.cores(), peer.id(), ExecutorLink.over(peer));
        if (!refusal.isEmpty()) {
            LOG.warn("executor {} on {} refused: {}", message.executor(), message.host(), refusal);
            return new Registration(refusal, "", List.of(), Map.of(), 0);
        }
        return new Registration(
                "",
                application().map(ApplicationId::value).orElse(setup.name()),
                setup.code().jars().stream().map(Path::toString).toList(),
                setup.settings().values(),
                settings.heartbeatInterval().toMillis());
    }

    /** Lets an executor in; returns why not, or an empty text. */
    private String admit(ExecutorId executor, String host, int executorCores, long peer, ExecutorLink link) {
        return switch (registry.register(executor, peer, loop.ticker().nanos())) {
            case ADMITTED -> {
                links.put(executor, link);
                scheduler.executorUp(executor, host, executorCores);
                cores = scheduler.cores();
                LOG.info("executor {} on {} is up with {} cores", executor, host, executorCores);
                settleSoon();
                yield "";
            }
            case KNOWN -> "";
            case DUPLICATE -> "id " + executor + " is taken (expected: one executor per id)";
            case GONE -> "id " + executor + " was given up before (expected: a new id)";
            case FULL -> "there are " + settings.executorsMax() + " executors (expected: up to hearth.executor.max)";
        };
    }

    private void giveUp(ExecutorId executor, String reason) {
        lost(executor, LostExecutor.because(reason));
        if (backend != null) {
            backend.release(Set.of(executor), reason);
        }
    }

    private void expireSilent() {
        if (closed == null) {
            registry.silent(loop.ticker().nanos())
                    .forEach(executor -> giveUp(executor, "silent for more than " + settings.heartbeatTimeout()));
            loop.schedule(settings.heartbeatTimeout().dividedBy(4), this::expireSilent);
        }
    }

    /** Settles once after everything that is waiting in the inbox: a burst of events makes one round of batches. */
    private void settleSoon() {
        if (!settling) {
            settling = true;
            loop.execute(() -> {
                settling = false;
                cores = scheduler.cores();
                scheduler.settle().forEach(effect -> effect.perform(performer));
            });
        }
    }

    private void failIfClosed(long job) {
        HearthException why = closed;
        CompletableFuture<List<Bytes>> result = why == null ? null : jobs.remove(job);
        if (why != null && result != null) {
            result.completeExceptionally(why);
        }
    }

    private CompletionStage<Void> closeNow(HearthException why, ApplicationResult result) {
        if (closed != null) {
            return CompletableFuture.completedStage(null);
        }
        closed = why;
        scheduler.cancelAll(why);
        scheduler.settle().forEach(effect -> effect.perform(performer));
        jobs.keySet().forEach(this::failIfClosed);
        links.values().forEach(link -> link.stop(new ExecutorProtocol.Stop(String.valueOf(why.getMessage()))));
        links.clear();
        CompletionStage<Void> told = backend == null ? CompletableFuture.completedStage(null) : backend.close(result);
        CompletableFuture<Void> done = new CompletableFuture<>();
        told.whenComplete((nothing, failure) -> loop.execute(() -> {
            closeRpc();
            if (failure == null) {
                done.complete(null);
            } else {
                done.completeExceptionally(failure);
            }
        }));
        return done;
    }

    private void closeRpc() {
        if (rpc != null) {
            rpc.close();
        }
    }

    private final class Performer implements SchedulerEffect.Handler {
        @Override
        public void onDefine(SchedulerEffect.Define effect) {
            ExecutorLink link = links.get(effect.executor());
            if (link != null) {
                link.define(new ExecutorProtocol.Define(effect.template(), effect.body()));
            }
        }

        @Override
        public void onLaunch(SchedulerEffect.Launch effect) {
            ExecutorLink link = links.get(effect.executor());
            if (link != null) {
                link.launch(new ExecutorProtocol.Launch(effect.template(), effect.tasks()));
            }
        }

        @Override
        public void onKill(SchedulerEffect.Kill effect) {
            ExecutorLink link = links.get(effect.executor());
            if (link != null) {
                link.kill(new ExecutorProtocol.Kill(effect.task()));
            }
        }

        @Override
        public void onForget(SchedulerEffect.Forget effect) {
            ExecutorLink link = links.get(effect.executor());
            if (link != null) {
                link.forget(new ExecutorProtocol.Forget(effect.template()));
            }
        }

        @Override
        public void onCompleted(SchedulerEffect.Completed effect) {
            CompletableFuture<List<Bytes>> result = jobs.remove(effect.job());
            if (result != null) {
                result.complete(effect.values());
            }
        }

        @Override
        public void onFailed(SchedulerEffect.Failed effect) {
            CompletableFuture<List<Bytes>> result = jobs.remove(effect.job());
            if (result != null) {
                result.completeExceptionally(effect.failure());
            }
        }
    }
}
