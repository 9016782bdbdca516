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
import dev.hearth.engine.internal.protocol.MessageBounds;
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
import dev.hearth.spi.rpc.RpcScope;
import dev.hearth.spi.rpc.RpcSecurity;
import dev.hearth.spi.rpc.RpcSettings;
import dev.hearth.spi.rpc.Secret;
import dev.hearth.spi.settings.Settings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
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

    private static final Duration STARVATION_CHECK = Duration.ofSeconds(15);
    /** How long a lost connection may wait for its manager's word on what became of the executor. */
    private static final Duration LOSS_REPORT_WAIT = Duration.ofSeconds(5);
    /** How long a cluster may take to hear that an application has ended. */
    private static final Duration CLOSE_BOUND = Duration.ofSeconds(10);

    private final DriverSetup setup;
    private final EngineSettings settings;
    private final EventLoop loop;
    private final TaskScheduler scheduler;
    private final ExecutorRegistry registry;
    private final InProcessExecutors inProcess;
    private final String endpoint;
    private final AtomicLong jobsMade = new AtomicLong();
    private final CompletableFuture<Void> opened = new CompletableFuture<>();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private final Performer performer = new Performer();
    private final Map<ExecutorId, ExecutorLink> links = new LinkedHashMap<>();
    private final Map<Long, CompletableFuture<List<Bytes>>> jobs =
            new ConcurrentSkipListMap<>(); // added to by any thread
    private @Nullable RpcEnv rpc;
    private Optional<Secret> own = Optional.empty(); // of the application; there once rpc is, with authentication
    private int messageBytesMax = MessageBounds.NONE; // until executors in other processes can come
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
        loop.execute(() -> {
            if (closed != null) {
                settleOpening(null, closed);
                return;
            }
            try {
                ApplicationSpec spec = new ApplicationSpec(setup.name(), setup.settings());
                setup.manager()
                        .open(spec, setup.master(), this)
                        .whenComplete((held, failure) -> loop.inOrder(() -> settleOpening(held, failure)));
            } catch (Throwable failure) { // a manager is a bundle: it may lack a class as well as throw
                settleOpening(null, failure);
            }
            loop.schedule(STARVATION_CHECK, this::warnWhenStarving);
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
            Optional<HearthException> tooLarge = LaunchBatches.check(template, inputs, messageBytesMax);
            if (closed == null && tooLarge.isPresent()) {
                jobs.remove(job);
                result.completeExceptionally(tooLarge.get());
            } else if (closed == null) {
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
        loop.execute(
                () -> closeNow(ErrorCode.CONTEXT_CLOSED.failure("context of " + setup.name() + ": closed"), result));
        return ended;
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
            RpcSettings listening = RpcSettings.listening(setup.settings(), settings.driverPort());
            rpc = setup.rpc().apply(listening);
            messageBytesMax = listening.limits().messageBytesMax();
            own = listening.security().secret().map(clusters -> Secret.random());
            RpcScope scope = own.isPresent() ? rpc.scope(endpoint, own) : rpc;
            scope.register(endpoint, DriverProtocol.PROTOCOL, loop, receiver());
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
    public Settings executorSettings() {
        rpc();
        return own.map(secret -> RpcSecurity.withSecret(setup.settings(), secret))
                .orElse(setup.settings());
    }

    @Override
    public void started(ExecutorId executor, String host, int executorCores) {
        loop.requireInLoop();
        LOG.info("executor {} is starting on {} with {} cores", executor, host, executorCores);
    }

    @Override
    public void lost(ExecutorId executor, LostExecutor why) {
        loop.requireInLoop();
        boolean was = registry.lose(executor);
        if (why.cause() == LostExecutor.Cause.RELEASED) {
            LOG.info("executor {} is gone: {}", executor, why);
        } else {
            LOG.warn("executor {} is gone: {}", executor, why);
        }
        if (was) {
            links.remove(executor);
            scheduler.executorLost(executor, why);
            settleSoon();
        }
    }

    @Override
    public void clusterLost(HearthException why) {
        loop.requireInLoop();
        LOG.warn("application {}: {}", setup.name(), why.getMessage());
        closeNow(why, ApplicationResult.FAILED);
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

    /** The cluster has answered, or will not: from here on there is a backend, or a reason why there is none. */
    private void settleOpening(@Nullable SchedulerBackend held, @Nullable Throwable failure) {
        if (held == null) {
            Throwable why = failure == null ? new IllegalStateException("no backend") : Failures.unwrap(failure);
            HearthException reason = Failures.asHearth(why, ErrorCode.CLUSTER_UNREACHABLE, "master " + setup.master());
            opened.completeExceptionally(reason);
            closeNow(reason, ApplicationResult.FAILED);
        } else if (closed != null) { // closed while the cluster was still answering
            attempt("closing the backend", () -> held.close(ApplicationResult.FAILED));
        } else {
            backend = held;
            application = held.application();
            LOG.info("application {} ({}) is open on {}", application, setup.name(), setup.master());
            attempt("wanting executors", () -> held.want(Map.of(ProfileId.DEFAULT, settings.demand()), Set.of()));
            opened.complete(null);
        }
    }

    /** Says, while work waits and nothing runs, what is missing; silence would look like work. */
    private void warnWhenStarving() {
        if (closed != null) {
            return;
        }
        if (scheduler.isWaiting() && scheduler.runningTasks() == 0) {
            LOG.warn(
                    "application {}: jobs wait and no task runs: {} executors with {} cores are there (expected: 1 or"
                            + " more); has the cluster workers with enough free cores and memory?",
                    setup.name(),
                    registry.live().size(),
                    scheduler.cores());
        }
        loop.schedule(STARVATION_CHECK, this::warnWhenStarving);
    }

    private Receiver receiver() {
        return Receiver.of(endpoint)
                .answer(Register.class, this::register)
                .on(Updates.class, (message, peer) -> taskUpdates(message.executor(), peer.id(), message.updates()))
                .on(
                        Heartbeat.class,
                        (message, peer) -> registry.heard(
                                message.executor(), peer.id(), loop.ticker().nanos()))
                .onPeerLost((peer, reason) ->
                        registry.executorOf(peer.id()).ifPresent(executor -> disconnected(executor, reason)))
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

    /**
     * An executor cannot be reached any more. It gets no further tasks; why it went is known to its manager in a moment, and
     * without such word it is given up.
     */
    private void disconnected(ExecutorId executor, String reason) {
        links.remove(executor);
        scheduler.suspend(executor);
        loop.schedule(LOSS_REPORT_WAIT, () -> {
            if (registry.isLive(executor)) {
                giveUp(executor, "connection lost: " + reason);
            }
        });
    }

    private void giveUp(ExecutorId executor, String reason) {
        lost(executor, LostExecutor.because(reason));
        if (backend != null) {
            SchedulerBackend held = backend;
            attempt("releasing executor " + executor, () -> held.release(Set.of(executor), reason));
        }
    }

    private void expireSilent() {
        if (closed == null) {
            loop.schedule(settings.heartbeatTimeout().dividedBy(4), this::expireSilent);
            registry.silent(loop.ticker().nanos())
                    .forEach(executor -> giveUp(executor, "silent for more than " + settings.heartbeatTimeout()));
        }
    }

    /** Settles once after everything that is waiting in the inbox: a burst of events makes one round of batches. */
    private void settleSoon() {
        if (!settling) {
            settling = true;
            loop.execute(() -> {
                settling = false;
                cores = scheduler.cores();
                scheduler.settle().forEach(this::perform);
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

    /** Each step by itself: whatever one of them throws, the others follow and {@code ended} completes. */
    private void closeNow(HearthException why, ApplicationResult result) {
        if (closed != null) {
            return;
        }
        closed = why;
        opened.completeExceptionally(why);
        scheduler.cancelAll(why);
        scheduler.settle().forEach(this::perform);
        jobs.keySet().forEach(this::failIfClosed);
        links.forEach((executor, link) -> attempt(
                "stopping executor " + executor,
                () -> link.stop(new ExecutorProtocol.Stop(String.valueOf(why.getMessage())))));
        links.clear();
        CompletableFuture<Void> told = new CompletableFuture<>();
        SchedulerBackend held = backend;
        if (held == null) {
            told.complete(null);
        } else if (!attempt(
                "closing the backend",
                () -> held.close(result).whenComplete((nothing, failure) -> told.complete(null)))) {
            told.complete(null);
        }
        loop.schedule(CLOSE_BOUND, () -> told.complete(null));
        CompletionStage<Void> answered = told;
        answered.whenComplete((nothing, failure) -> loop.inOrder(this::closePort));
    }

    private void closePort() {
        RpcEnv open = rpc;
        if (open != null) {
            attempt("closing the port", open::close);
        }
        ended.complete(null);
    }

    private void perform(SchedulerEffect effect) {
        attempt("scheduling", () -> effect.perform(performer));
    }

    /** Does one thing that may fail without harm to what follows; tells whether it went well. */
    private boolean attempt(String what, Runnable step) {
        try {
            step.run();
            return true;
        } catch (RuntimeException | LinkageError failure) {
            LOG.error("application {}: {}", setup.name(), what, failure);
            return false;
        }
    }

    /** Sends to an executor; one that cannot even be sent to is given up, so that its tasks run elsewhere. */
    private void send(ExecutorId executor, Consumer<ExecutorLink> message) {
        ExecutorLink link = links.get(executor);
        if (link != null && !attempt("sending to executor " + executor, () -> message.accept(link))) {
            giveUp(executor, "it could not be sent to");
        }
    }

    private final class Performer implements SchedulerEffect.Handler {
        @Override
        public void onDefine(SchedulerEffect.Define effect) {
            send(effect.executor(), link -> link.define(new ExecutorProtocol.Define(effect.template(), effect.body())));
        }

        @Override
        public void onLaunch(SchedulerEffect.Launch effect) {
            LaunchBatches.split(effect.tasks(), messageBytesMax)
                    .forEach(batch -> send(
                            effect.executor(),
                            link -> link.launch(new ExecutorProtocol.Launch(effect.template(), batch))));
        }

        @Override
        public void onKill(SchedulerEffect.Kill effect) {
            send(effect.executor(), link -> link.kill(new ExecutorProtocol.Kill(effect.task())));
        }

        @Override
        public void onForget(SchedulerEffect.Forget effect) {
            send(effect.executor(), link -> link.forget(new ExecutorProtocol.Forget(effect.template())));
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
