package dev.hearth.yarn.internal.allocator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.cluster.Demand;
import dev.hearth.spi.cluster.ProfileId;
import dev.hearth.yarn.internal.line.ContainerAsk;
import dev.hearth.yarn.internal.line.EndedContainer;
import dev.hearth.yarn.internal.line.GrantedContainer;
import dev.hearth.yarn.internal.line.LineOrders;
import dev.hearth.yarn.internal.line.LineRegistration;
import dev.hearth.yarn.internal.line.LineReport;
import dev.hearth.yarn.internal.line.PreemptionNotice;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/**
 * Cost of 10,000 containers on 1,000 hosts in 40 racks for their driver: reports the processor's time per event, and checks
 * the bytes of each container and the rows that the ResourceManager gets.
 */
class CostOfContainersTest {
    private static final int CONTAINERS = 10_000;
    private static final int HOSTS = 1_000;
    private static final int RACKS = 40;
    private static final int ROUNDS = 5;
    private static final int BYTES_MAX = 1_024;
    private static final int ROWS_MAX = 2_100;

    private final Map<Long, ContainerAsk> open = new LinkedHashMap<>();

    @Test
    void allocatesTenThousandContainers() {
        long[] best = {Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE};
        for (int round = 0; round < ROUNDS; round++) {
            Allocator allocator = wanting(Demand.of(CONTAINERS).preferring(CONTAINERS, Map.of("other", 1)));
            best[0] = Math.min(best[0], micros(() -> want(allocator, byHost(host -> 1 + host % 7))));
            List<GrantedContainer> granted = grants();
            best[1] = Math.min(best[1], micros(() -> report(allocator, granted, List.of())));
            granted.forEach(container -> allocator.started(container.id(), 0));
            assertEquals(CONTAINERS, allocator.counts(0).running());
            best[2] = Math.min(best[2], micros(() -> report(allocator, List.of(), List.of())));
            List<EndedContainer> ended = granted.stream()
                    .map(container -> new EndedContainer(container.id(), -100, "lost node"))
                    .toList();
            best[3] = Math.min(best[3], micros(() -> report(allocator, List.of(), ended)));
            assertEquals(0, allocator.counts(0).running());
            best[4] = Math.min(best[4], micros(() -> allocator.close(0)));
        }
        System.out.printf(
                "containers: want with new locality %,d us, %,d grants %,d us, idle beat %,d us, %,d ends %,d us, close %,d"
                        + " us%n",
                best[0], CONTAINERS, best[1], best[2], CONTAINERS, best[3], best[4]);
    }

    @Test
    void sendsAFewRowsForANewLocality() {
        Allocator allocator = wanting(Demand.of(CONTAINERS));
        Map<String, Integer> before = rows();
        assertEquals(Map.of("*", CONTAINERS), before);

        orders(want(allocator, byHost(host -> host < HOSTS / 2 ? 100 : 0)));
        Map<String, Integer> first = rows();
        orders(want(allocator, byHost(host -> host < HOSTS / 2 ? 0 : 100)));
        Map<String, Integer> second = rows();

        assertTrue(changes(before, first) <= ROWS_MAX / 2, () -> changes(before, first) + " rows");
        assertTrue(changes(first, second) <= ROWS_MAX, () -> changes(first, second) + " rows");
        assertTrue(changes(first, second) >= HOSTS, () -> changes(first, second) + " rows");
        assertEquals(CONTAINERS, second.get("*"));
    }

    @Test
    void keepsLessThanAKibibyteForEachContainer() {
        List<GrantedContainer> granted = grants(); // belong to the line's report
        usedBytes();
        long before = usedBytes();
        Allocator allocator = wanting(Demand.of(CONTAINERS));
        open.clear();
        report(allocator, granted, List.of());
        granted.forEach(container -> allocator.started(container.id(), 0));
        long bytes = (usedBytes() - before) / CONTAINERS;

        assertEquals(CONTAINERS, allocator.counts(0).running());
        System.out.println("containers: " + bytes + " bytes for each");
        assertTrue(bytes <= BYTES_MAX, () -> bytes + " bytes for each container");
    }

    @Test
    void keepsNothingThatGrowsWithBeats() {
        Allocator allocator = wanting(Demand.of(100));
        for (int beat = 0; beat < 10_000; beat++) {
            report(allocator, List.of(), List.of());
        }
        usedBytes();
        long before = usedBytes();
        for (int beat = 0; beat < 50_000; beat++) {
            report(allocator, List.of(), List.of());
        }
        long more = usedBytes() - before;

        assertEquals(100, allocator.counts(0).pending());
        assertTrue(more < 1 << 20, () -> more + " bytes more");
    }

    private Allocator wanting(Demand demand) {
        Allocator allocator = new Allocator(AllocatorRules.DEFAULTS);
        allocator.registered(new LineRegistration(AllocatorScene.MAXIMUM, List.of(), "root", 1), 0);
        open.clear();
        orders(allocator.want(
                1, Map.of(ProfileId.DEFAULT, demand), Map.of(ProfileId.DEFAULT, AllocatorScene.NEEDS), Set.of(), 0));
        return allocator;
    }

    private static List<AllocationEffect> want(Allocator allocator, Map<String, Integer> byHost) {
        return allocator.want(
                1,
                Map.of(ProfileId.DEFAULT, Demand.of(CONTAINERS).preferring(5 * CONTAINERS, byHost)),
                Map.of(ProfileId.DEFAULT, AllocatorScene.NEEDS),
                Set.of(),
                0);
    }

    private static Map<String, Integer> byHost(IntFunction<Integer> tasks) {
        Map<String, Integer> byHost = new LinkedHashMap<>();
        for (int host = 0; host < HOSTS; host++) {
            if (tasks.apply(host) > 0) {
                byHost.put("host" + host, tasks.apply(host));
            }
        }
        return byHost;
    }

    private static List<GrantedContainer> grants() {
        List<GrantedContainer> granted = new ArrayList<>();
        for (int i = 0; i < CONTAINERS; i++) {
            String host = "host" + i % HOSTS;
            granted.add(new GrantedContainer(
                    "container_1700000000000_0001_01_" + i,
                    host,
                    host + ":45454",
                    host + ":8042",
                    rack(host),
                    AllocatorScene.COMES,
                    1,
                    1));
        }
        return granted;
    }

    private static String rack(String host) {
        return "/rack" + Integer.parseInt(host.substring(4)) % RACKS;
    }

    private static List<AllocationEffect> report(
            Allocator allocator, List<GrantedContainer> granted, List<EndedContainer> ended) {
        return allocator.reported(
                new LineReport(granted, ended, List.of(), PreemptionNotice.NONE, AllocatorScene.ROOM, HOSTS), 0);
    }

    private void orders(List<AllocationEffect> effects) {
        for (AllocationEffect effect : effects) {
            if (effect instanceof AllocationEffect.Order order) {
                LineOrders orders = order.orders();
                orders.cancels().forEach(open::remove);
                orders.asks().forEach(ask -> open.put(ask.key(), ask));
            }
        }
    }

    /** Rows of the ResourceManager for the open asks: one for each host and rack that is named, and one for all. */
    private Map<String, Integer> rows() {
        Map<String, Integer> rows = new LinkedHashMap<>();
        for (ContainerAsk ask : open.values()) {
            rows.merge("*", 1, Integer::sum);
            ask.hosts().forEach(host -> rows.merge(host, 1, Integer::sum));
            ask.hosts().stream()
                    .map(CostOfContainersTest::rack)
                    .distinct()
                    .forEach(rack -> rows.merge(rack, 1, Integer::sum));
        }
        return rows;
    }

    private static long changes(Map<String, Integer> before, Map<String, Integer> after) {
        Set<String> names = new LinkedHashSet<>(before.keySet());
        names.addAll(after.keySet());
        return names.stream()
                .filter(name -> !before.getOrDefault(name, 0).equals(after.getOrDefault(name, 0)))
                .count();
    }

    private static long micros(Supplier<List<AllocationEffect>> event) {
        long begin = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        List<AllocationEffect> effects = event.get();
        long end = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        assertTrue(!effects.isEmpty());
        return (end - begin) / 1_000;
    }

    private static long usedBytes() {
        Runtime runtime = Runtime.getRuntime();
        for (int i = 0; i < 2; i++) {
            System.gc();
        }
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
