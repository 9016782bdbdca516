package dev.hearth.yarn.internal.allocator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.yarn.internal.line.ContainerAsk;
import dev.hearth.yarn.internal.line.ContainerCapability;
import dev.hearth.yarn.internal.line.ContainerPlace;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The vectors of Spark's suites of its placement, each of which asks for executors with 5 cores, and larger ones. */
class LocalityPlacementTest {
    private static final int CORES = 5;
    private static final List<String> ANYWHERE = List.of();

    @Test
    void namesHostsByTheRatioOfTheirTasks() {
        assertEquals(
                List.of(
                        List.of("host3", "host4", "host5"),
                        List.of("host3", "host4", "host5"),
                        List.of("host3", "host4")),
                plan(3, 15, tasks("host3", 15, "host4", 15, "host5", 10), Map.of("host1", 1, "host2", 1)));
    }

    @Test
    void leavesOutHostsThatHaveEnough() {
        assertEquals(
                List.of(ANYWHERE, List.of("host2", "host3"), List.of("host2", "host3")),
                plan(3, 15, tasks("host1", 15, "host2", 15, "host3", 10), Map.of("host1", 2, "host2", 1)));
    }

    @Test
    void namesWhatItCanIfFewContainersAreAskedFor() {
        assertEquals(
                List.of(List.of("host2", "host3")),
                plan(1, 15, tasks("host1", 15, "host2", 15, "host3", 10), Map.of("host1", 2, "host2", 1)));
    }

    @Test
    void namesNoHostIfAllHaveEnough() {
        assertEquals(
                List.of(ANYWHERE, ANYWHERE, ANYWHERE),
                plan(3, 15, tasks("host1", 15, "host2", 15, "host3", 10), Map.of("host1", 2, "host2", 2, "host3", 1)));
    }

    @Test
    void namesNoHostIfNoTaskPrefersOne() {
        assertEquals(List.of(ANYWHERE), plan(1, 0, Map.of(), Map.of("host1", 1, "host2", 1)));
    }

    @Test
    void countsOpenAsksAsShares() {
        OpenAsks open = new OpenAsks();
        open.add(ask(1, List.of("host2", "host3")));
        open.add(ask(2, List.of("host1", "host4")));

        assertEquals(
                List.of(List.of("host3")),
                plan(1, 15, tasks("host1", 15, "host2", 15, "host3", 10), Map.of("host1", 2, "host2", 1), open));
    }

    @Test
    void givesTheExampleOfSparksDocumentation() {
        Map<String, Integer> tasks = tasks("host1", 30, "host2", 30, "host3", 20, "host4", 10);
        List<List<String>> many = LocalityPlacement.plan(18, 15, tasks, host -> 0, new OpenAsks());
        List<String> four = List.of("host1", "host2", "host3", "host4");
        List<String> three = four.subList(0, 3);
        List<String> two = four.subList(0, 2);

        // 5 : 5 : 4 : 2 executors are expected; 16 asks name hosts in this proportion
        assertEquals(2, count(many, ANYWHERE));
        assertEquals(7, count(many, four));
        assertEquals(6, count(many, three));
        assertEquals(3, count(many, two));
        List<List<String>> few = LocalityPlacement.plan(10, 15, tasks, host -> 0, new OpenAsks());
        assertEquals(List.of(4L, 4L, 2L), List.of(count(few, four), count(few, three), count(few, two)));
    }

    @Test
    void worksOnASmallStackForManyTasks() throws InterruptedException {
        int tasks = 32 * 1024;
        int containers = tasks / 16;
        int hosts = containers / 16;
        Map<String, Integer> byHost = new LinkedHashMap<>();
        IntStream.rangeClosed(1, hosts).forEach(i -> byHost.put("host_" + i, tasks % i));
        AtomicReference<List<List<String>>> plan = new AtomicReference<>(List.of());
        AtomicReference<String> failure = new AtomicReference<>("");
        Thread small = new Thread(
                null,
                () -> plan.set(LocalityPlacement.plan(
                        containers * 2, tasks / CORES, byHost, host -> host.hashCode() % 7, new OpenAsks())),
                "placement",
                256 * 1024);
        small.setUncaughtExceptionHandler((thread, thrown) -> failure.set(thrown.toString()));

        small.start();
        small.join();

        assertEquals("", failure.get());
        assertEquals(containers * 2, plan.get().size());
    }

    @Test
    void dealsManyHostsSoThatEachIsNamedInProportion() {
        Map<String, Integer> byHost = new LinkedHashMap<>();
        IntStream.range(0, 100).forEach(i -> byHost.put("host" + i, i < 50 ? 20 : 10));

        List<List<String>> plan = LocalityPlacement.plan(300, 300, byHost, host -> 0, new OpenAsks());

        Map<String, Integer> named = new LinkedHashMap<>();
        for (List<String> hosts : plan) {
            assertTrue(hosts.size() <= ContainerAsk.HOSTS_MAX);
            assertEquals(hosts.size(), hosts.stream().distinct().count());
            hosts.forEach(host -> named.merge(host, 1, Integer::sum));
        }
        assertEquals(100, named.size());
        assertEquals(2, Math.round((double) named.get("host0") / named.get("host99")), named::toString);
    }

    @Test
    void namesTheMostPreferredHostsIfThereAreMoreThanRoom() {
        Map<String, Integer> byHost = new LinkedHashMap<>();
        IntStream.range(0, 1000).forEach(i -> byHost.put("host" + i, 1000 - i));

        List<List<String>> plan = LocalityPlacement.plan(10, 5000, byHost, host -> 0, new OpenAsks());

        assertEquals(80, plan.stream().mapToInt(List::size).sum());
        assertTrue(plan.get(0).contains("host0"));
    }

    private static List<List<String>> plan(
            int count, int tasks, Map<String, Integer> byHost, Map<String, Integer> held) {
        return plan(count, tasks, byHost, held, new OpenAsks());
    }

    private static List<List<String>> plan(
            int count, int tasks, Map<String, Integer> byHost, Map<String, Integer> held, OpenAsks open) {
        return LocalityPlacement.plan(count, tasks / CORES, byHost, host -> held.getOrDefault(host, 0), open);
    }

    private static long count(List<List<String>> plan, List<String> hosts) {
        return plan.stream().filter(hosts::equals).count();
    }

    private static ContainerAsk ask(long key, List<String> hosts) {
        return new ContainerAsk(key, 1, 1, new ContainerCapability(1, 1, Map.of()), hosts, ContainerPlace.ANY);
    }

    private static Map<String, Integer> tasks(Object... hostsAndTasks) {
        Map<String, Integer> tasks = new LinkedHashMap<>();
        for (int i = 0; i < hostsAndTasks.length; i += 2) {
            tasks.put((String) hostsAndTasks[i], (Integer) hostsAndTasks[i + 1]);
        }
        return tasks;
    }
}
