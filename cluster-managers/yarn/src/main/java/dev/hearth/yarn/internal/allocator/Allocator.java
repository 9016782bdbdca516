package dev.hearth.yarn.internal.allocator;

import dev.hearth.spi.cluster.Demand;
import dev.hearth.spi.cluster.LostExecutor;
import dev.hearth.spi.cluster.LostExecutor.Cause;
import dev.hearth.spi.cluster.ProfileId;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.yarn.internal.line.EndedContainer;
import dev.hearth.yarn.internal.line.GrantedContainer;
import dev.hearth.yarn.internal.line.LineRegistration;
import dev.hearth.yarn.internal.line.LineReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Containers of one application. A state machine: time arrives as an argument, effects are returned; its owner performs them.
 * Invariants: a granted container is started or released, once; an end is reported once; an executor id never has two
 * containers; no ask names an excluded host; after {@link #close} nothing is held; when nothing is under way, containers and
 * asks of a pool are as many as wanted.
 */
public final class Allocator {
    private final ContainerTable table = new ContainerTable();
    private final Map<PoolKey, ContainerPool> pools = new LinkedHashMap<>();
    private final Set<Integer> contexts = new LinkedHashSet<>();
    private final Priorities priorities = new Priorities();
    private final FailureWindows failures;
    private final HostExclusion exclusion;
    private final HeadroomBound headroom = new HeadroomBound();
    private final RackHosts racks = new RackHosts();
    private final OrderDraft orders = new OrderDraft();
    private final Beats beats;
    private final NextTick nextTick = new NextTick();
    private final Departures departures;
    private final Obstacles obstacles;
    private final AskPlanner planner;
    private final Patience patience;
    private List<AllocationEffect> effects = new ArrayList<>();
    private State state = State.OPEN;
    private String queue = "";
    private String idPrefix = "";
    private long nextExecutor = 1;
    private long lastGroup;
    private int nodes;
    private long released;

    private enum State {
        OPEN,
        /** Too many executors failed, or the line is gone; the drivers end. */
        GIVEN_UP,
        CLOSED
    }

    public Allocator(AllocatorRules rules) {
        this.failures = new FailureWindows(rules.failures().validity());
        this.exclusion = new HostExclusion(rules.exclusion(), failures);
        this.beats = new Beats(rules.pace());
        this.departures = new Departures(table, rules.preemptionNotice(), this::perform);
        this.planner = new AskPlanner(rules, exclusion, departures, headroom, orders);
        this.obstacles = new Obstacles(planner, this::perform);
        this.patience = new Patience(rules, failures);
    }

    /** Sets what a context wants in all; {@code needs} has each of its profiles. No executor ends because less is wanted. */
    public List<AllocationEffect> want(
            int context,
            Map<ProfileId, Demand> demands,
            Map<ProfileId, ExecutorNeeds> needs,
            Set<String> excludedHosts,
            long now) {
        if (state != State.CLOSED) {
            contexts.add(context);
            demands.forEach((profile, demand) -> {
                ContainerPool pool = pools.computeIfAbsent(
                        new PoolKey(context, profile),
                        key -> new ContainerPool(
                                key, requireNeeds(needs, profile), priorities.take(), ++lastGroup, now));
                pool.placesChanged |= !demand.tasksByHost().equals(pool.demand.tasksByHost())
                        || demand.tasksWithHosts() != pool.demand.tasksWithHosts();
                pool.demand = demand;
            });
            for (ContainerPool pool : List.copyOf(pools.values())) {
                if (pool.key.context() == context && !demands.containsKey(pool.key.profile())) {
                    pool.demand = Demand.NONE;
                    discardIfOver(pool);
                }
            }
            exclusion.excludes(context, excludedHosts);
            patience.wanted(pools.values().stream().mapToInt(planner::wanted).sum());
        }
        return settle(now);
    }

    private static ExecutorNeeds requireNeeds(Map<ProfileId, ExecutorNeeds> needs, ProfileId profile) {
        ExecutorNeeds found = needs.get(profile);
        if (found == null) {
            throw new IllegalArgumentException("profile " + profile + ": no needs (expected: those of each profile)");
        }
        return found;
    }

    /** Gives executors back: those that run get a moment to end by themselves. What is wanted stays the same. */
    public List<AllocationEffect> release(Collection<ExecutorId> executors, String reason, long now) {
        for (ExecutorId executor : executors) {
            HeldContainer container = table.find(executor);
            if (container != null && container.state.isHeld()) {
                container.released = reason.isEmpty() ? "released" : reason;
                if (container.state == ContainerState.STARTING) {
                    giveBack(container, LostExecutor.released(container.released));
                } else {
                    table.move(container, ContainerState.LEAVING);
                    departures.release(container, now);
                }
            }
        }
        return settle(now);
    }

    /** Handles that an executor has registered with its driver. */
    public List<AllocationEffect> arrived(ExecutorId executor, long now) {
        HeldContainer container = table.find(executor);
        if (container != null) {
            container.registered = true;
            up(container);
        }
        return settle(now);
    }

    /** Handles that a driver doubts that an executor still runs. */
    public List<AllocationEffect> doubted(ExecutorId executor, long now) {
        if (table.find(executor) != null) {
            perform(new AllocationEffect.Beat(beats.doubted(now)));
        }
        return settle(now);
    }

    /** Handles a registration at the ResourceManager, the first one or a later one of the same line. */
    public List<AllocationEffect> registered(LineRegistration registration, long now) {
        if (!patience.isRegistered() && registration.attempt() > 1) {
            idPrefix = registration.attempt() + "-";
        }
        if (patience.isRegistered()) {
            beats.recovered(now);
        }
        patience.lineUp();
        queue = registration.queue();
        planner.maximum(registration.maximum());
        for (GrantedContainer previous : registration.previous()) {
            if (table.find(previous.id()) == null) {
                orders.release(previous.id());
                table.forget(previous.id());
            }
        }
        perform(new AllocationEffect.Beat(Duration.ZERO));
        return settle(now);
    }

    /** Handles the registration of a new line, which knows no order of the old one. */
    public List<AllocationEffect> replaced(LineRegistration registration, long now) {
        for (ContainerPool pool : pools.values()) {
            pool.asks.all().forEach(orders::ask);
        }
        orders.exclude(List.copyOf(exclusion.ordered()));
        for (HeldContainer container : table.all()) {
            if (container.state == ContainerState.STARTING) {
                departures.doubtStart(container, now);
            }
        }
        return registered(registration, now);
    }

    /** Handles an answer of the ResourceManager. */
    public List<AllocationEffect> reported(LineReport report, long now) {
        patience.lineUp();
        boolean progress = granted(report, now);
        report.ended().forEach(end -> ended(end, now));
        report.changes().forEach(change -> departures.changed(change, now));
        departures.noticed(report.preemption(), now);
        nodes = report.nodes();
        headroom.reported(report.headroom(), pending() > 0, progress, now);
        prepare(now);
        perform(new AllocationEffect.Beat(beats.answered(pending() > 0, progress, now)));
        return finish(now);
    }

    /** Handles that a NodeManager has started the process in a container. */
    public List<AllocationEffect> started(String container, long now) {
        HeldContainer found = table.find(container);
        if (found != null) {
            up(found);
        }
        return settle(now);
    }

    /** Handles that a NodeManager has refused to start the process in a container, or could not be reached. */
    public List<AllocationEffect> startFailed(String container, String why, long now) {
        HeldContainer found = table.find(container);
        if (found != null && found.state == ContainerState.STARTING) {
            ExitMeaning meaning = ExitMeaning.notStarted(container, found.granted.host(), why);
            giveBack(found, meaning.loss());
            count(found, meaning, now);
        }
        return settle(now);
    }

    /** Handles that the line is down. Containers go on; after the reconnect bound the cluster counts as lost. */
    public List<AllocationEffect> interrupted(String why, long now) {
        patience.lineDown(why, now);
        return settle(now);
    }

    public List<AllocationEffect> tick(long now) {
        nextTick.come();
        return settle(now);
    }

    /** Ends what one context has: its asks are cancelled, its containers released. Nothing more is reported to it. */
    public List<AllocationEffect> close(int context, long now) {
        contexts.remove(context);
        obstacles.forget(context);
        exclusion.excludes(context, Set.of());
        for (ContainerPool pool : List.copyOf(pools.values())) {
            if (pool.key.context() == context) {
                planner.cancelAll(pool);
                for (HeldContainer container : table.of(pool)) {
                    table.move(container, ContainerState.RELEASED);
                    release(container);
                }
                pools.remove(pool.key);
                priorities.giveBack(pool.priority);
            }
        }
        return settle(now);
    }

    /** Ends what all contexts have; later grants are released. */
    public List<AllocationEffect> close(long now) {
        List<AllocationEffect> made = new ArrayList<>();
        for (int context : List.copyOf(contexts)) {
            made.addAll(close(context, now));
        }
        state = State.CLOSED;
        return made;
    }

    /** Whether this container is about to start, so that its process may still be started. */
    public boolean isStarting(String container) {
        HeldContainer found = table.find(container);
        return found != null && found.state == ContainerState.STARTING;
    }

    public AllocatorCounts counts(long now) {
        int running = 0;
        int starting = 0;
        int tasks = 0;
        for (ContainerPool pool : pools.values()) {
            running += pool.up;
            starting += pool.starting;
            tasks += pool.demand.tasksWithHosts();
        }
        return new AllocatorCounts(running, starting, pending(), failures.count(now), released, tasks);
    }

    ContainerTable table() {
        return table;
    }

    Collection<ContainerPool> pools() {
        return pools.values();
    }

    HostExclusion exclusion() {
        return exclusion;
    }

    private int pending() {
        int pending = 0;
        for (ContainerPool pool : pools.values()) {
            pending += pool.asks.size();
        }
        return pending;
    }

    /** Starts or releases the containers that were granted; returns whether any was used. */
    private boolean granted(LineReport report, long now) {
        Set<String> ended = new LinkedHashSet<>();
        if (!report.granted().isEmpty()) {
            report.ended().forEach(end -> ended.add(end.id()));
        }
        boolean used = false;
        List<GrantedContainer> others = new ArrayList<>();
        for (GrantedContainer grant : report.granted()) {
            boolean stranger = table.forgetStranger(grant.id());
            if (!stranger && (table.find(grant.id()) != null || table.isGone(grant.id()))) {
                continue; // a report that was repeated
            }
            racks.seen(grant.host(), grant.rack());
            ContainerPool pool = poolOf(grant);
            boolean served = pool != null && serve(pool, grant);
            if (stranger || ended.contains(grant.id())) {
                table.forget(grant.id());
            } else if (served) {
                used |= use(pool, grant, now);
            } else {
                others.add(grant);
            }
        }
        for (GrantedContainer grant : others) { // now all grants of each pool have served their asks
            used |= grantedOfOtherPool(grant, now);
        }
        return used;
    }

    /** Uses a grant that no ask of its group or priority explains, as may come after a restart, for another pool. */
    private boolean grantedOfOtherPool(GrantedContainer grant, long now) {
        if (table.find(grant.id()) != null || table.isGone(grant.id())) {
            return false;
        }
        for (ContainerPool pool : pools.values()) {
            Optional<Long> key = pool.asks.servedBy(grant.host(), racks.of(grant.rack()));
            if (key.isPresent() && serve(pool, grant)) {
                orders.cancel(key.get()); // the line goes by the group or the priority
                return use(pool, grant, now);
            }
        }
        surplus(grant);
        return false;
    }

    private @Nullable ContainerPool poolOf(GrantedContainer grant) {
        for (ContainerPool pool : pools.values()) {
            if (grant.isOf(pool.group, pool.priority)) {
                return pool;
            }
        }
        return null;
    }

    /** Takes the ask that a grant serves, as the line does; false if there is none, or the grant is too small. */
    private boolean serve(ContainerPool pool, GrantedContainer grant) {
        boolean serves = state == State.OPEN
                && pool.asks.size() > 0
                && grant.capability().serves(pool.needs.capability());
        if (serves) {
            pool.asks.remove(
                    pool.asks.servedBy(grant.host(), racks.of(grant.rack())).orElseThrow());
        }
        return serves;
    }

    /** Starts an executor in a granted container, unless its host was excluded after the ask. */
    private boolean use(ContainerPool pool, GrantedContainer grant, long now) {
        if (exclusion.contains(grant.host())) {
            surplus(grant); // the plan asks again
            return false;
        }
        pool.waitingSinceNanos = now;
        ExecutorId executor = new ExecutorId(idPrefix + nextExecutor++);
        HeldContainer container = new HeldContainer(grant, executor, pool, now);
        table.add(container);
        perform(new AllocationEffect.Start(pool.key.context(), executor, pool.key.profile(), grant));
        departures.started(container, now);
        return true;
    }

    private void surplus(GrantedContainer grant) {
        orders.release(grant.id());
        table.forget(grant.id());
        released++;
    }

    private void up(HeldContainer container) {
        if (container.state == ContainerState.STARTING) {
            table.move(container, ContainerState.UP);
        }
    }

    private void ended(EndedContainer end, long now) {
        HeldContainer container = table.find(end.id());
        if (container == null) {
            table.forgetEnded(end.id());
            return;
        }
        boolean asked = container.state == ContainerState.LEAVING;
        ExitMeaning meaning = ExitMeaning.of(
                end,
                new ExitMeaning.Circumstances(
                        container.granted.host(),
                        container.pool.needs.memoryIn(container.granted.capability()),
                        asked ? Optional.of(container.released) : Optional.empty(),
                        container.leavingReported,
                        container.registered));
        table.move(container, ContainerState.ENDED);
        lose(container, meaning.loss());
        if (!asked) {
            count(container, meaning, now);
        }
        discardIfOver(container.pool);
    }

    private void count(HeldContainer container, ExitMeaning meaning, long now) {
        if (state != State.OPEN) {
            return;
        }
        Cause cause = meaning.loss().cause();
        boolean announced = container.leavingReported || cause == Cause.PREEMPTED || cause == Cause.HOST_LOST;
        if (!announced) {
            container.pool.backoff.noteEnd(container.grantedNanos, now);
        }
        if (meaning.blamesNode()) {
            exclusion.failed(container.granted.host(), container.grantedNanos, now);
        }
        if (meaning.countsAsFailure()) {
            patience.failed(meaning.loss().reason(), now).ifPresent(this::giveUp);
        }
    }

    /** Releases a container now, and reports its executor as lost. */
    private void giveBack(HeldContainer container, LostExecutor why) {
        table.move(container, ContainerState.RELEASED);
        release(container);
        lose(container, why);
    }

    private void release(HeldContainer container) {
        orders.release(container.granted.id());
        released++;
        if (patience.isLineDown()) {
            perform(new AllocationEffect.Stop(container.granted));
        }
    }

    private void lose(HeldContainer container, LostExecutor why) {
        perform(new AllocationEffect.Lost(container.pool.key.context(), container.executor, why, container.granted));
    }

    private void discardIfOver(ContainerPool pool) {
        boolean over = pool.demand.equals(Demand.NONE) && pool.held() == 0 && pool.asks.size() == 0;
        if (over && pools.remove(pool.key, pool)) {
            priorities.giveBack(pool.priority);
        }
    }

    private void giveUp(AllocationEffect.GiveUp why) {
        if (state == State.OPEN) {
            state = State.GIVEN_UP;
            pools.values().forEach(planner::cancelAll);
            perform(why);
        }
    }

    private void perform(AllocationEffect effect) {
        effects.add(effect);
    }

    private List<AllocationEffect> settle(long now) {
        prepare(now);
        return finish(now);
    }

    /** Does what is due, and plans asks. */
    private void prepare(long now) {
        departures.expireNotices(now);
        for (HeldContainer due = departures.nextRelease(now); due != null; due = departures.nextRelease(now)) {
            giveBack(due, LostExecutor.released(due.released));
        }
        for (HeldContainer due = departures.nextLostStart(now); due != null; due = departures.nextLostStart(now)) {
            giveBack(
                    due,
                    LostExecutor.of(
                            Cause.NEVER_CAME,
                            "container " + due.granted.id() + " on " + due.granted.host()
                                    + " did not start: its order was lost with the application master; another container"
                                    + " is asked for"));
        }
        HostExclusion.Difference difference = exclusion.refresh(now);
        orders.exclude(difference.exclude());
        orders.admit(difference.admit());
        if (!difference.exclude().isEmpty() || !difference.admit().isEmpty()) {
            pools.values().forEach(pool -> pool.placesChanged = true);
        }
        patience.checkLine(now).ifPresent(this::giveUp);
        boolean none = exclusion.isEverything(nodes, departures.gone())
                && pools.values().stream().allMatch(pool -> pool.held() == 0);
        patience.checkNodes(none, nodes, now).ifPresent(this::giveUp);
        if (state == State.OPEN && patience.isRegistered()) {
            planner.plan(pools.values(), now);
        }
    }

    /** Takes the effects of the event. */
    private List<AllocationEffect> finish(long now) {
        boolean asks = orders.hasAsks();
        orders.take().ifPresent(all -> {
            perform(new AllocationEffect.Order(all));
            perform(new AllocationEffect.Beat(beats.ordered(now, asks)));
        });
        if (state == State.OPEN) {
            Obstacles.Situation situation = patience.situation(queue, headroom);
            contexts.forEach(context -> obstacles.update(context, pools.values(), situation, now));
        }
        nextTick.plan(untilNextTick(now), now).ifPresent(after -> perform(new AllocationEffect.Wake(after)));
        List<AllocationEffect> made = effects;
        effects = new ArrayList<>();
        return made;
    }

    private long untilNextTick(long now) {
        long next = Math.min(departures.remaining(now), exclusion.remaining(now));
        if (state == State.OPEN) {
            next = Math.min(next, patience.remaining(now));
        }
        for (ContainerPool pool : pools.values()) {
            long wait = pool.backoff.remaining(now).toNanos();
            boolean waits = wait > 0 && pool.held() + pool.asks.size() < planner.wanted(pool);
            next = waits ? Math.min(next, wait) : next;
        }
        return next;
    }
}
