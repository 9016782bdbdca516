package dev.hearth.yarn.internal.allocator;

import dev.hearth.spi.cluster.ContainerSize;
import dev.hearth.spi.cluster.Demand;
import dev.hearth.spi.cluster.LostExecutor;
import dev.hearth.spi.cluster.ProfileId;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.yarn.internal.line.ContainerAsk;
import dev.hearth.yarn.internal.line.ContainerCapability;
import dev.hearth.yarn.internal.line.ContainerPlace;
import dev.hearth.yarn.internal.line.EndedContainer;
import dev.hearth.yarn.internal.line.GrantedContainer;
import dev.hearth.yarn.internal.line.HostChange;
import dev.hearth.yarn.internal.line.LineOrders;
import dev.hearth.yarn.internal.line.LineRegistration;
import dev.hearth.yarn.internal.line.LineReport;
import dev.hearth.yarn.internal.line.PreemptionNotice;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

/** An allocator under test with a line that does what it is ordered, and a record of all effects. */
final class AllocatorScene implements AllocationEffect.Handler {
    static final int CONTEXT = 1;
    static final ProfileId PROFILE = ProfileId.DEFAULT;
    /** As in Spark's suite: 5 cores and 2 GiB are asked for, and 6 cores and 3 GiB come. */
    static final ContainerCapability ASKED = new ContainerCapability(2432, 5, Map.of());

    static final ContainerCapability COMES = new ContainerCapability(3072, 6, Map.of());
    static final ExecutorNeeds NEEDS =
            new ExecutorNeeds(ASKED, new ContainerSize(2048, 0, 384), 5, ContainerPlace.ANY, false);
    static final ContainerCapability MAXIMUM = new ContainerCapability(65_536, 64, Map.of("yarn.io/gpu", 8L));
    static final ContainerCapability ROOM = new ContainerCapability(1L << 40, 1 << 20, Map.of());

    final Allocator allocator;
    final Map<Long, ContainerAsk> asks = new LinkedHashMap<>();
    final List<String> released = new ArrayList<>();
    final List<LineOrders> orders = new ArrayList<>();
    final Set<String> excluded = new LinkedHashSet<>();
    final List<String> exclusions = new ArrayList<>(); // "+a+b-c" for each change
    final Map<ExecutorId, GrantedContainer> started = new LinkedHashMap<>();
    final List<Integer> contexts = new ArrayList<>(); // of the executors that were started
    final Map<ExecutorId, LostExecutor> lost = new LinkedHashMap<>();
    final List<String> notices = new ArrayList<>();
    final List<AllocationEffect.Hindered> hindrances = new ArrayList<>();
    final List<AllocationEffect.GiveUp> ends = new ArrayList<>();
    final List<Duration> beats = new ArrayList<>();
    final List<Duration> wakes = new ArrayList<>();
    final List<String> stopped = new ArrayList<>();
    final Map<ProfileId, ExecutorNeeds> needs = new LinkedHashMap<>(Map.of(PROFILE, NEEDS));
    ContainerCapability headroom = ROOM;
    int nodes = 100;
    long now = -5_000_000_000L;
    private int lastContainer;
    private int servedMax; // by the grants of the present report

    AllocatorScene() {
        this(AllocatorRules.DEFAULTS);
    }

    AllocatorScene(AllocatorRules rules) {
        this(rules, 1);
    }

    AllocatorScene(AllocatorRules rules, int attempt) {
        allocator = new Allocator(rules);
        perform(allocator.registered(new LineRegistration(MAXIMUM, List.of(), "root.default", attempt), now));
    }

    AllocatorScene want(int executors) {
        return want(Demand.of(executors));
    }

    AllocatorScene want(Demand demand, String... excludedHosts) {
        return want(Map.of(PROFILE, demand), excludedHosts);
    }

    AllocatorScene want(Map<ProfileId, Demand> demands, String... excludedHosts) {
        perform(allocator.want(CONTEXT, demands, needs, new LinkedHashSet<>(Arrays.asList(excludedHosts)), now));
        return this;
    }

    /** Grants containers on these hosts in one report, with the priority of the first open ask; returns their ids. */
    List<String> grant(String... hosts) {
        int priority =
                asks.values().stream().findFirst().map(ContainerAsk::priority).orElse(1);
        List<GrantedContainer> granted = new ArrayList<>();
        for (String host : hosts) {
            granted.add(container(host, COMES, priority));
        }
        report(granted, List.of());
        return granted.stream().map(GrantedContainer::id).toList();
    }

    GrantedContainer container(String host, ContainerCapability size, int priority) {
        String id = "container_1_0001_01_" + ++lastContainer;
        return new GrantedContainer(id, host, host + ":1000", host + ":8042", rack(host), size, priority, 0);
    }

    static String rack(String host) {
        return host.equals("host3") ? "/rack2" : "/rack1";
    }

    /** Grants containers that come up. */
    List<String> up(String... hosts) {
        List<String> ids = grant(hosts);
        ids.forEach(id -> perform(allocator.started(id, now)));
        return ids;
    }

    AllocatorScene end(int status, String... containers) {
        report(
                List.of(),
                Arrays.stream(containers)
                        .map(id -> new EndedContainer(id, status, "Failed"))
                        .toList());
        return this;
    }

    void report(List<GrantedContainer> granted, List<EndedContainer> ended) {
        report(new LineReport(granted, ended, List.of(), PreemptionNotice.NONE, headroom, nodes));
    }

    void report(LineReport report) {
        servedMax = report.granted().size();
        perform(allocator.reported(report, now));
    }

    void beat() {
        report(List.of(), List.of());
    }

    void notice(Set<String> strict, Set<String> negotiable) {
        report(new LineReport(
                List.of(), List.of(), List.of(), new PreemptionNotice(strict, negotiable), headroom, nodes));
    }

    void node(String host, HostChange.State state, OptionalInt timeoutSeconds) {
        report(new LineReport(
                List.of(),
                List.of(),
                List.of(new HostChange(host, state, timeoutSeconds)),
                PreemptionNotice.NONE,
                headroom,
                nodes));
    }

    AllocatorScene pass(Duration time) {
        now += time.toNanos();
        return this;
    }

    void tick() {
        perform(allocator.tick(now));
    }

    /** Executor in the container {@code id}. */
    ExecutorId executor(String id) {
        return started.entrySet().stream()
                .filter(entry -> entry.getValue().id().equals(id))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseThrow();
    }

    void release(String... containers) {
        perform(allocator.release(Arrays.stream(containers).map(this::executor).toList(), "idle for 60 s", now));
    }

    /** Executors that start or run. */
    int held() {
        AllocatorCounts counts = allocator.counts(now);
        return counts.running() + counts.starting();
    }

    int pending() {
        return allocator.counts(now).pending();
    }

    void perform(List<AllocationEffect> effects) {
        effects.forEach(effect -> effect.perform(this));
        Set<Long> open = new LinkedHashSet<>();
        allocator.pools().forEach(pool -> pool.asks.all().forEach(ask -> open.add(ask.key())));
        int before = asks.size();
        asks.keySet().retainAll(open); // without those that grants have served
        if (before - asks.size() > servedMax) {
            throw new AssertionError(before - asks.size() + " asks forgotten (expected: at most " + servedMax
                    + ", as many as grants came)");
        }
        servedMax = 0;
        if (!open.equals(asks.keySet())) {
            throw new AssertionError(open + " open (expected: all of them ordered, " + asks.keySet() + ")");
        }
    }

    @Override
    public void onOrder(AllocationEffect.Order effect) {
        orders.add(effect.orders());
        effect.orders().cancels().forEach(key -> {
            if (asks.remove(key) == null) {
                throw new AssertionError("ask " + key + " cancelled (expected: one that is open)");
            }
        });
        effect.orders().asks().forEach(ask -> asks.put(ask.key(), ask));
        released.addAll(effect.orders().releases());
        excluded.addAll(effect.orders().exclude());
        excluded.removeAll(effect.orders().admit());
        StringBuilder change = new StringBuilder();
        effect.orders().exclude().forEach(host -> change.append('+').append(host));
        effect.orders().admit().forEach(host -> change.append('-').append(host));
        if (change.length() > 0) {
            exclusions.add(change.toString());
        }
    }

    @Override
    public void onBeat(AllocationEffect.Beat effect) {
        beats.add(effect.after());
    }

    @Override
    public void onStart(AllocationEffect.Start effect) {
        contexts.add(effect.context());
        if (started.put(effect.executor(), effect.container()) != null) {
            throw new AssertionError("executor " + effect.executor() + " started twice (expected: once)");
        }
    }

    @Override
    public void onStop(AllocationEffect.Stop effect) {
        stopped.add(effect.container().id());
    }

    @Override
    public void onLeaving(AllocationEffect.Leaving effect) {
        notices.add(effect.executor() + " leaves"
                + effect.within()
                        .map(time -> " within " + time.toSeconds() + " s")
                        .orElse("") + ": "
                + effect.reason());
    }

    @Override
    public void onStaying(AllocationEffect.Staying effect) {
        notices.add(effect.executor() + " stays");
    }

    @Override
    public void onLost(AllocationEffect.Lost effect) {
        if (lost.put(effect.executor(), effect.why()) != null) {
            throw new AssertionError("executor " + effect.executor() + " lost twice (expected: once)");
        }
    }

    @Override
    public void onHindered(AllocationEffect.Hindered effect) {
        hindrances.add(effect);
    }

    @Override
    public void onGiveUp(AllocationEffect.GiveUp effect) {
        ends.add(effect);
    }

    @Override
    public void onWake(AllocationEffect.Wake effect) {
        wakes.add(effect.after());
    }
}
