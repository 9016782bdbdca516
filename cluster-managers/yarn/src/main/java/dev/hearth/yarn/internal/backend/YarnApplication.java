package dev.hearth.yarn.internal.backend;

import dev.hearth.api.HearthException;
import dev.hearth.spi.cluster.ApplicationResult;
import dev.hearth.spi.cluster.Demand;
import dev.hearth.spi.cluster.DriverServices;
import dev.hearth.spi.cluster.ProfileId;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.net.Bytes;
import dev.hearth.yarn.internal.allocator.AllocationEffect;
import dev.hearth.yarn.internal.allocator.Allocator;
import dev.hearth.yarn.internal.allocator.AllocatorCounts;
import dev.hearth.yarn.internal.allocator.AllocatorRules;
import dev.hearth.yarn.internal.allocator.ExecutorNeeds;
import dev.hearth.yarn.internal.line.ContainerLaunch;
import dev.hearth.yarn.internal.line.ContainerLine;
import dev.hearth.yarn.internal.line.FinalOutcome;
import dev.hearth.yarn.internal.line.GrantedContainer;
import dev.hearth.yarn.internal.line.LineListener;
import dev.hearth.yarn.internal.line.LineRegistration;
import dev.hearth.yarn.internal.line.LineReport;
import dev.hearth.yarn.internal.tokens.TokenRenewal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One application at the ResourceManager: owns the allocator, performs its effects on the line, and reports to the contexts
 * that share the application. Owned by one event loop, on which everything here runs but {@link #context}, {@link #finish} and
 * {@link #counts}, which any thread may call.
 */
public final class YarnApplication implements LineListener, AllocationEffect.Handler {
    /** Time that a closed context waits for the answer to its releases. */
    private static final Duration CLOSE_MAX = Duration.ofSeconds(2);

    private static final Logger LOG = LoggerFactory.getLogger(YarnApplication.class);

    private final YarnIdentity identity;
    private final EventLoop loop;
    private final ContainerLine line;
    private final YarnMetrics metrics;
    private final Allocator allocator;
    private final Map<Integer, YarnBackend> contexts = new LinkedHashMap<>();
    private final CompletableFuture<LineRegistration> registration = new CompletableFuture<>();
    private final CompletableFuture<HearthException> loss = new CompletableFuture<>();
    private final CompletableFuture<Void> finished = new CompletableFuture<>();
    private List<CompletableFuture<Void>> closing = new ArrayList<>(); // contexts that wait for an answer
    private int lastContext;
    private boolean finishing;
    private volatile Optional<TokenRenewal> renewal = Optional.empty(); // set by the loop, as the two below
    private volatile Bytes tokens = Bytes.EMPTY;
    private volatile AllocatorCounts counts = AllocatorCounts.NONE;

    public YarnApplication(
            YarnIdentity identity, EventLoop loop, ContainerLine line, AllocatorRules rules, YarnMetrics metrics) {
        this.identity = identity;
        this.loop = loop;
        this.line = line;
        this.metrics = metrics;
        this.allocator = new Allocator(rules);
    }

    /** Opens the line; completes with the first registration, or fails with the reason why there is none. */
    public CompletionStage<LineRegistration> open() {
        loop.inOrder(() -> {
            metrics.add(this);
            line.open(this);
        });
        return registration.copy();
    }

    /** Completes if the application is over at the ResourceManager although nothing here has ended it. */
    public CompletionStage<HearthException> loss() {
        return loss.copy();
    }

    /** Adds a context, whose executors are added to those of the others. Contexts are counted from 1. */
    public synchronized YarnBackend context(DriverServices driver, ContextSetup setup) {
        YarnBackend backend = new YarnBackend(this, ++lastContext, driver, setup);
        loop.inOrder(() -> {
            contexts.put(backend.number(), backend);
            if (tokens.size() > 0) {
                backend.tokens(tokens);
            }
        });
        return backend;
    }

    /** Gives new tokens, the content of a token file, to the executors of all contexts, present and later ones. */
    public void tokens(Bytes content) {
        loop.inOrder(() -> {
            tokens = content;
            contexts.values().forEach(context -> context.tokens(content));
        });
    }

    /** Sets the renewal of the tokens, which ends with the application. */
    public void renewal(TokenRenewal added) {
        loop.inOrder(() -> renewal = Optional.of(added));
    }

    /** Time for which the tokens are valid; empty if there are none, or if they do not end. Any thread may call. */
    Optional<Duration> tokensLeft() {
        return renewal.flatMap(TokenRenewal::left);
    }

    /** The latest tokens; empty if there are none. Any thread may call. */
    public Bytes tokens() {
        return tokens;
    }

    /** Reports to the ResourceManager the address of the application's pages. */
    public void trackingUrl(String url) {
        loop.inOrder(() -> {
            if (!finishing) {
                line.trackingUrl(url);
            }
        });
    }

    /** Ends the application at the ResourceManager, with all its containers. The first call counts. */
    public CompletionStage<Void> finish(FinalOutcome outcome, String words) {
        loop.inOrder(() -> {
            if (!finishing) {
                finishing = true;
                contexts.clear();
                renewal.ifPresent(TokenRenewal::close);
                perform(allocator.close(now()));
                answered();
                metrics.remove(this);
                line.finish(outcome, words).whenComplete((nothing, failure) -> {
                    if (failure != null) {
                        LOG.warn("application {}: not ended at the ResourceManager", identity.id(), failure);
                    }
                    finished.complete(null);
                });
            }
        });
        return finished.copy();
    }

    /** Closes the line and leaves the application registered, so that a later attempt takes over. */
    public void abandon() {
        loop.inOrder(() -> {
            if (!finishing) {
                finishing = true;
                contexts.clear();
                renewal.ifPresent(TokenRenewal::close);
                metrics.remove(this);
                line.abandon();
                finished.complete(null);
            }
        });
    }

    /** Completes when the application has ended, or is left to a later attempt. */
    public CompletionStage<Void> over() {
        return finished.copy();
    }

    public String id() {
        return identity.id().value();
    }

    /** Whether {@code context} is the id of one of the contexts of this application. */
    public boolean isContext(String context) {
        return context.equals(id()) || context.matches(Pattern.quote(id()) + "-\\d+");
    }

    public AllocatorCounts counts() {
        return counts;
    }

    YarnIdentity identity() {
        return identity;
    }

    /** Number of this attempt of the ResourceManager; empty before the registration. */
    Optional<Integer> attempt() {
        boolean known = registration.isDone() && !registration.isCompletedExceptionally();
        return known ? Optional.of(registration.join().attempt()) : Optional.empty();
    }

    void want(int context, Map<ProfileId, Demand> demands, Map<ProfileId, ExecutorNeeds> needs, Set<String> excluded) {
        inContext(context, () -> allocator.want(context, demands, needs, excluded, now()));
    }

    void release(int context, Collection<ExecutorId> executors, String reason) {
        inContext(context, () -> allocator.release(executors, reason, now()));
    }

    void arrived(int context, ExecutorId executor) {
        inContext(context, () -> allocator.arrived(executor, now()));
    }

    void doubted(int context, ExecutorId executor) {
        inContext(context, () -> allocator.doubted(executor, now()));
    }

    /** Starts the process of an executor, unless its container was released meanwhile. */
    void launch(GrantedContainer container, ContainerLaunch launch) {
        loop.inOrder(() -> {
            if (!finishing && allocator.isStarting(container.id())) {
                line.start(container, launch);
            }
        });
    }

    /** The launch of an executor could not be built. */
    void launchFailed(GrantedContainer container, String why) {
        loop.inOrder(() -> {
            if (!finishing) {
                perform(allocator.startFailed(container.id(), why, now()));
            }
        });
    }

    /** Ends a context; completes when the ResourceManager knows of its releases, or after a moment. */
    CompletionStage<Void> close(YarnBackend context, ApplicationResult result) {
        if (context.setup().endsApplication()) {
            return finish(outcome(result), result == ApplicationResult.FAILED ? "the driver has failed" : "");
        }
        CompletableFuture<Void> closed = new CompletableFuture<>();
        loop.inOrder(() -> {
            if (finishing || contexts.remove(context.number()) == null) {
                closed.complete(null);
                return;
            }
            perform(allocator.close(context.number(), now()));
            closing.add(closed);
            loop.schedule(CLOSE_MAX, () -> closed.complete(null));
        });
        return closed;
    }

    private static FinalOutcome outcome(ApplicationResult result) {
        return switch (result) {
            case FINISHED -> FinalOutcome.SUCCEEDED;
            case FAILED -> FinalOutcome.FAILED;
            case KILLED -> FinalOutcome.KILLED;
        };
    }

    @Override
    public void registered(LineRegistration answer) {
        registration.complete(answer);
        onLine(() -> allocator.registered(answer, now()));
    }

    @Override
    public void replaced(LineRegistration answer) {
        registration.complete(answer);
        onLine(() -> allocator.replaced(answer, now()));
    }

    @Override
    public void reported(LineReport report) {
        onLine(() -> allocator.reported(report, now()));
        answered();
    }

    @Override
    public void started(String container) {
        onLine(() -> allocator.started(container, now()));
    }

    @Override
    public void startFailed(String container, String why) {
        LOG.warn("container {}: not started: {}", container, why);
        onLine(() -> allocator.startFailed(container, why, now()));
    }

    @Override
    public void interrupted(String why) {
        LOG.warn("application {}: its line to YARN is down: {}", identity.id(), why);
        onLine(() -> allocator.interrupted(why, now()));
    }

    @Override
    public void lost(HearthException why) {
        loop.requireInLoop();
        if (!finishing) {
            registration.completeExceptionally(why);
            loss.complete(why);
            contexts.values().forEach(context -> context.report(listener -> listener.clusterLost(why)));
        }
    }

    @Override
    public void onOrder(AllocationEffect.Order effect) {
        line.order(effect.orders());
    }

    @Override
    public void onBeat(AllocationEffect.Beat effect) {
        line.beat(effect.after());
    }

    @Override
    public void onStart(AllocationEffect.Start effect) {
        in(effect.context(), context -> context.start(effect));
    }

    @Override
    public void onStop(AllocationEffect.Stop effect) {
        line.stop(effect.container());
    }

    @Override
    public void onLeaving(AllocationEffect.Leaving effect) {
        in(
                effect.context(),
                context -> context.report(listener -> effect.within()
                        .ifPresentOrElse(
                                within -> listener.leaving(effect.executor(), effect.reason(), within),
                                () -> listener.leaving(effect.executor(), effect.reason()))));
    }

    @Override
    public void onStaying(AllocationEffect.Staying effect) {
        in(effect.context(), context -> context.report(listener -> listener.staying(effect.executor())));
    }

    @Override
    public void onLost(AllocationEffect.Lost effect) {
        in(effect.context(), context -> context.lost(effect));
    }

    @Override
    public void onHindered(AllocationEffect.Hindered effect) {
        in(
                effect.context(),
                context -> context.report(listener -> {
                    if (effect.unplaceable()) {
                        listener.unplaceable(effect.reason());
                    } else {
                        listener.hindered(effect.reason());
                    }
                }));
    }

    @Override
    public void onGiveUp(AllocationEffect.GiveUp effect) {
        ErrorCode code = effect.code();
        HearthException why = code.failure("application " + identity.id() + ": " + effect.reason());
        contexts.values().forEach(context -> context.report(listener -> listener.clusterLost(why)));
    }

    @Override
    public void onWake(AllocationEffect.Wake effect) {
        loop.schedule(effect.after(), () -> onLine(() -> allocator.tick(now())));
    }

    private void answered() {
        List<CompletableFuture<Void>> waiting = closing;
        closing = new ArrayList<>();
        waiting.forEach(closed -> closed.complete(null));
    }

    private void in(int number, Consumer<YarnBackend> action) {
        YarnBackend context = contexts.get(number);
        if (context != null) {
            action.accept(context);
        }
    }

    /** Handles a call of a context, unless it is closed. */
    private void inContext(int context, Supplier<List<AllocationEffect>> event) {
        loop.inOrder(() -> {
            if (!finishing && contexts.containsKey(context)) {
                perform(event.get());
            }
        });
    }

    /** Handles an event of the line. */
    private void onLine(Supplier<List<AllocationEffect>> event) {
        loop.requireInLoop();
        if (!finishing) {
            perform(event.get());
        }
    }

    private void perform(List<AllocationEffect> effects) {
        effects.forEach(effect -> effect.perform(this));
        counts = allocator.counts(now());
    }

    private long now() {
        return loop.ticker().nanos();
    }
}
