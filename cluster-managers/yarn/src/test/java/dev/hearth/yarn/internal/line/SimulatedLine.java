package dev.hearth.yarn.internal.line;

import dev.hearth.spi.loop.EventLoop;
import dev.hearth.testkit.Simulation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Line to a {@link SimulatedYarn} as Hadoop's client keeps it: a table of requests, whose changed rows each beat sends as
 * absolute numbers. Checks each order. Owned by a simulation.
 */
public final class SimulatedLine implements ContainerLine {
    private static final Duration RETRY = Duration.ofSeconds(1);
    private static final Duration BEAT_LEAST = Duration.ofMillis(100);

    /** Number of beats that were answered. */
    public int beats;
    /** Requests and cancels that were ordered, and rows that were sent. */
    public int rowsSent;
    /** Checks each release when it is ordered. */
    public Consumer<String> releaseCheck = container -> {};

    private final SimulatedYarn yarn;
    private final Simulation simulation;
    private final EventLoop loop;
    private final Map<Long, ContainerAsk> asks = new LinkedHashMap<>();
    private final Map<Long, SimulatedYarn.RowKey> served = new LinkedHashMap<>();
    private final Set<SimulatedYarn.RowKey> changed = new LinkedHashSet<>();
    private final Map<SimulatedYarn.RowKey, Set<String>> changedHosts = new LinkedHashMap<>();
    private List<String> releases = new ArrayList<>();
    private Set<String> excluded = new LinkedHashSet<>(); // as ordered
    private boolean exclusionChanged;
    private final Set<String> received = new LinkedHashSet<>(); // grants that the owner knows
    private final Set<String> started = new LinkedHashSet<>();
    private final Set<String> released = new LinkedHashSet<>();
    private @Nullable LineListener listener;
    private EventLoop.@Nullable Timeout timeout;
    private long dueNanos;
    private boolean inFlight;
    private boolean registered;
    private boolean closed;
    private boolean interrupted;
    private boolean blank; // a new line without orders
    private int epoch;
    private int underWay; // events that the owner does not know yet
    private Duration answeredAt = Duration.ofSeconds(-1);

    SimulatedLine(SimulatedYarn yarn, EventLoop loop) {
        this.yarn = yarn;
        this.simulation = yarn.simulation;
        this.loop = loop;
    }

    int epoch() {
        return epoch;
    }

    /** Whether the owner knows all that this line knows. */
    public boolean isSettled() {
        return registered && !blank && underWay == 0;
    }

    public int openAsks() {
        return asks.size();
    }

    /** Grants that the owner knows and neither started nor released. */
    public Set<String> unanswered() {
        Set<String> unanswered = new LinkedHashSet<>(received);
        unanswered.removeAll(started);
        unanswered.removeAll(released);
        unanswered.retainAll(yarn.containers());
        return unanswered;
    }

    public Set<String> released() {
        return new LinkedHashSet<>(released);
    }

    public Set<String> started() {
        return new LinkedHashSet<>(started);
    }

    @Override
    public void open(LineListener owner) {
        listener = owner;
        simulation.schedule(delay(), this::register);
    }

    private void register() {
        if (closed || registered) {
            return;
        }
        if (yarn.away) {
            simulation.schedule(RETRY, this::register);
            return;
        }
        registered = true;
        blank = false;
        LineRegistration registration = new LineRegistration(yarn.maximum, List.of(), "root.test", yarn.attempt);
        tell(epoch, owner -> owner.registered(registration));
    }

    @Override
    public void order(LineOrders orders) {
        loop.requireInLoop();
        for (ContainerAsk ask : orders.asks()) {
            asks.put(ask.key(), ask);
            change(ask);
        }
        orders.cancels().forEach(this::drop);
        for (String container : orders.releases()) {
            if (!released.add(container)) {
                throw new AssertionError(container + ": released twice (expected: once)");
            }
            releaseCheck.accept(container);
            releases.add(container);
        }
        excluded.addAll(orders.exclude());
        excluded.removeAll(orders.admit());
        exclusionChanged |= !orders.exclude().isEmpty() || !orders.admit().isEmpty();
        for (ContainerAsk ask : orders.asks()) {
            if (ask.hosts().stream().anyMatch(excluded::contains)) {
                throw new AssertionError(ask + ": names an excluded host, one of " + excluded + " (expected: none)");
            }
        }
        if (closed) {
            throw new AssertionError("orders after the end (expected: none)");
        }
    }

    /** Drops a request, or another one of its kind if a grant has served it. */
    private void drop(long key) {
        ContainerAsk ask = asks.remove(key);
        SimulatedYarn.RowKey kind = served.remove(key);
        if (ask != null) {
            change(ask);
        } else if (kind != null) {
            first(one -> SimulatedYarn.RowKey.of(one).equals(kind)).ifPresent(other -> {
                asks.remove(other.key());
                served.put(other.key(), kind); // its owner may drop it later
                change(other);
            });
        } else if (!blank) {
            throw new AssertionError("request " + key + ": dropped (expected: one that was asked)");
        }
    }

    /** Drops the request that a grant serves: one that names its host, if there is one. */
    private void serve(GrantedContainer grant) {
        Predicate<ContainerAsk> serves = ask ->
                grant.isOf(ask.group(), ask.priority()) && ask.capability().equals(grant.capability());
        first(serves.and(ask -> ask.hosts().contains(grant.host())))
                .or(() -> first(serves.and(ask -> ask.hosts().isEmpty())))
                .or(() -> first(serves))
                .ifPresent(ask -> {
                    asks.remove(ask.key());
                    served.put(ask.key(), SimulatedYarn.RowKey.of(ask));
                    change(ask);
                });
    }

    private Optional<ContainerAsk> first(Predicate<ContainerAsk> condition) {
        return asks.values().stream().filter(condition).findFirst();
    }

    private void change(ContainerAsk ask) {
        SimulatedYarn.RowKey key = SimulatedYarn.RowKey.of(ask);
        changed.add(key);
        changedHosts.computeIfAbsent(key, row -> new LinkedHashSet<>()).addAll(ask.hosts());
    }

    @Override
    public void beat(Duration delay) {
        loop.requireInLoop();
        long due = simulation.elapsed().plus(delay).toNanos();
        if (timeout != null && dueNanos <= due) {
            return;
        }
        if (timeout != null) {
            timeout.cancel();
        }
        dueNanos = due;
        timeout = simulation.schedule(delay, this::send);
    }

    private void send() {
        timeout = null;
        if (closed || !registered) {
            return;
        }
        if (inFlight) {
            return; // the owner asks again when it is answered
        }
        if (yarn.away) {
            if (!interrupted) {
                interrupted = true;
                tell(epoch, owner -> owner.interrupted("connection refused"));
            }
            again(RETRY);
            return;
        }
        boolean tooSoon = simulation.elapsed().minus(answeredAt).compareTo(BEAT_LEAST) < 0;
        if (tooSoon && answeredAt.toNanos() >= 0) {
            throw new AssertionError(
                    "beat " + simulation.elapsed().minus(answeredAt).toMillis()
                            + " ms after an answer (expected: at least 200)");
        }
        inFlight = true;
        int sentIn = epoch;
        Runnable request = request();
        simulation.schedule(delay(), () -> {
            if (sentIn == epoch && !closed) {
                request.run();
                LineReport report = yarn.answer();
                simulation.schedule(delay(), () -> answer(sentIn, report));
            }
        });
    }

    /** Sends the next beat, unless one is planned. */
    private void again(Duration delay) {
        if (timeout == null) {
            dueNanos = simulation.elapsed().plus(delay).toNanos();
            timeout = simulation.schedule(delay, this::send);
        }
    }

    private void answer(int sentIn, LineReport report) {
        if (sentIn == epoch && !closed) {
            report.granted().forEach(this::serve);
        }
        loop.execute(() -> {
            if (sentIn != epoch) {
                yarn.repeatEnds(report); // that no application master has acknowledged
            }
        });
        tell(sentIn, owner -> {
            inFlight = false;
            interrupted = false;
            if (timeout != null) { // the owner plans the next one
                timeout.cancel();
                timeout = null;
            }
            if (!unanswered().isEmpty()) {
                throw new AssertionError(unanswered() + ": neither started nor released (expected: one of both)");
            }
            beats++;
            answeredAt = simulation.elapsed();
            report.granted().forEach(container -> received.add(container.id()));
            owner.reported(report);
        });
        if (simulation.random().nextDouble() < yarn.repeatedReports) {
            tell(sentIn, owner -> owner.reported(report));
        }
    }

    /** Content of a beat: rows as absolute numbers, releases, and the excluded hosts. */
    private Runnable request() {
        Map<SimulatedYarn.RowKey, SimulatedYarn.Rows> rows = new LinkedHashMap<>();
        Map<SimulatedYarn.RowKey, Set<String>> hosts = new LinkedHashMap<>(changedHosts);
        changed.forEach(key -> rows.put(key, new SimulatedYarn.Rows()));
        for (ContainerAsk ask : asks.values()) {
            SimulatedYarn.RowKey key = SimulatedYarn.RowKey.of(ask);
            SimulatedYarn.Rows row = rows.get(key);
            if (row != null) {
                row.any++;
                ask.hosts().forEach(host -> row.hosts.merge(host, 1, Integer::sum));
            }
        }
        hosts.forEach((key, names) -> rowsSent += 1 + names.size());
        changed.clear();
        changedHosts.clear();
        List<String> given = releases;
        releases = new ArrayList<>();
        boolean exclusions = exclusionChanged;
        exclusionChanged = false;
        Set<String> now = new LinkedHashSet<>(excluded);
        return () -> {
            rows.forEach((key, row) -> {
                if (row.any == 0) {
                    yarn.rows.remove(key);
                } else {
                    yarn.rows.put(key, row);
                }
            });
            given.forEach(yarn::release);
            if (exclusions) {
                yarn.excluded.clear();
                yarn.excluded.addAll(now);
            }
        };
    }

    @Override
    public void start(GrantedContainer container, ContainerLaunch launch) {
        loop.requireInLoop();
        if (released.contains(container.id())) {
            throw new AssertionError(container.id() + ": started after its release (expected: one of both)");
        }
        if (!started.add(container.id())) {
            throw new AssertionError(container.id() + ": started twice (expected: once)");
        }
        yarn.start(container, launch, this);
    }

    @Override
    public void stop(GrantedContainer container) {
        loop.requireInLoop();
        simulation.schedule(delay(), () -> yarn.kill(container.id(), -105, "killed by the application master"));
    }

    @Override
    public void trackingUrl(String url) {
        loop.requireInLoop();
    }

    @Override
    public CompletionStage<Void> finish(FinalOutcome outcome, String words) {
        loop.requireInLoop();
        closed = true;
        CompletableFuture<Void> done = new CompletableFuture<>();
        simulation.schedule(delay(), () -> {
            yarn.finish();
            done.complete(null);
        });
        return done;
    }

    @Override
    public void abandon() {
        loop.requireInLoop();
        closed = true;
    }

    /** The ResourceManager restarts: this line registers again, and repeats its requests. */
    public void restartManager(Duration downtime) {
        yarn.away = true;
        simulation.schedule(downtime, () -> {
            yarn.away = false;
            if (closed || !registered) {
                return;
            }
            yarn.restart();
            asks.values().forEach(this::change);
            exclusionChanged = true;
            LineRegistration registration = new LineRegistration(
                    yarn.maximum,
                    simulation.random().nextBoolean() ? yarn.previous() : List.of(),
                    "root.test",
                    yarn.attempt);
            answeredAt = Duration.ofSeconds(-1);
            released.removeAll(ids(registration.previous())); // the owner may release them again
            tell(epoch, owner -> owner.registered(registration));
        });
    }

    private static List<String> ids(List<GrantedContainer> containers) {
        return containers.stream().map(GrantedContainer::id).toList();
    }

    /** Loses this line with all that it knows; a new one registers after {@code downtime}. */
    public void replace(Duration downtime) {
        if (closed || !registered) {
            return;
        }
        epoch++;
        int here = epoch;
        inFlight = false;
        registered = false;
        forgetOrders();
        yarn.masterGone();
        tell(here, owner -> owner.interrupted("the relay is gone"));
        simulation.schedule(downtime, () -> {
            if (closed || here != epoch) {
                return;
            }
            registered = true;
            interrupted = false;
            answeredAt = Duration.ofSeconds(-1);
            tell(here, owner -> {
                forgetOrders(); // of orders that came meanwhile: the owner asks again
                blank = false;
                List<GrantedContainer> previous = yarn.previous();
                released.removeAll(ids(previous)); // the owner releases again what it does not know
                owner.replaced(new LineRegistration(yarn.maximum, previous, "root.test", yarn.attempt));
            });
        });
    }

    private void forgetOrders() {
        blank = true;
        asks.clear();
        served.clear();
        changed.clear();
        changedHosts.clear();
        releases = new ArrayList<>();
        excluded = new LinkedHashSet<>();
        exclusionChanged = false;
    }

    /** Calls the owner in an action of its own, unless this line was lost since. */
    void tell(int since, Consumer<LineListener> event) {
        LineListener owner = Objects.requireNonNull(listener);
        underWay++;
        loop.execute(() -> {
            underWay--;
            if (since == epoch && !closed) {
                event.accept(owner);
            }
        });
    }

    private Duration delay() {
        return Duration.ofMillis(1 + simulation.random().nextInt(30));
    }
}
