package dev.hearth.yarn.internal.hadoop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.yarn.internal.line.ContainerAsk;
import dev.hearth.yarn.internal.line.ContainerCapability;
import dev.hearth.yarn.internal.line.ContainerPlace;
import dev.hearth.yarn.internal.line.LineOrders;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.net.DNSToSwitchMapping;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.client.api.NMTokenCache;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Looks up racks with a resolver that does not answer, and requests containers on hosts that no DNS knows. */
@Timeout(60)
class KnownRacksTest {
    private final CountDownLatch answered = new CountDownLatch(1);
    private final ExecutorService lookups = Executors.newSingleThreadExecutor(new HadoopThreads("lookups"));

    @AfterEach
    void stop() {
        answered.countDown();
        lookups.shutdownNow();
    }

    /** Mapping that answers when the test lets it. */
    private DNSToSwitchMapping waiting() {
        return new DNSToSwitchMapping() {
            @Override
            public List<String> resolve(List<String> names) {
                try {
                    answered.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                return List.of("/rack-of-" + names.get(0));
            }

            @Override
            public void reloadCachedMappings() {}

            @Override
            public void reloadCachedMappings(List<String> names) {}
        };
    }

    @Test
    void returnsAtOnceWhileTheResolverDoesNotAnswer() throws Exception {
        KnownRacks racks = new KnownRacks(Optional.of(waiting()), lookups);
        assertEquals(Optional.empty(), racks.known("a"));
        assertEquals("", racks.rack("a"));
        assertEquals(Map.of(), racks.of(List.of("a", "b")));
        answered.countDown();
        lookups.submit(() -> {}).get(); // after the lookups
        assertEquals(Optional.of("/rack-of-a"), racks.known("a"));
        assertEquals("/rack-of-b", racks.rack("b"));
    }

    @Test
    void looksNothingUpWithoutAConfiguredMapping() {
        Configuration configuration = new Configuration(false);
        assertEquals(Optional.empty(), KnownRacks.mapping(configuration));
        KnownRacks racks = new KnownRacks(Optional.empty(), lookups);
        assertEquals(Optional.of("/default-rack"), racks.known("a"));
        assertEquals("", racks.rack("a"), "the default rack is none");
        configuration.set("net.topology.script.file.name", "/bin/true");
        assertTrue(KnownRacks.mapping(configuration).isPresent());
    }

    @Test
    void requestsContainersOnUnknownHostsWithoutAskingDns() {
        LineIdentity identity = new LineIdentity(
                ApplicationAttemptId.newInstance(ApplicationId.newInstance(1, 1), 1),
                "localhost",
                new Configuration(),
                UserGroupInformation.createRemoteUser("someone"));
        AmRmCalls calls = new AmRmCalls(
                identity, new KnownRacks(Optional.empty(), lookups), new KnownContainers(), new NMTokenCache());
        List<ContainerAsk> asks = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            List<String> hosts = new ArrayList<>();
            for (int host = 0; host < ContainerAsk.HOSTS_MAX; host++) {
                hosts.add("no-such-host-" + (i + host) % 1_000 + ".invalid");
            }
            asks.add(new ContainerAsk(i, 1, 1, new ContainerCapability(1024, 1, Map.of()), hosts, ContainerPlace.ANY));
        }
        long before = System.nanoTime();
        calls.note(new LineOrders(asks, List.of(), List.of(), List.of(), List.of()));
        Duration took = Duration.ofNanos(System.nanoTime() - before);
        calls.close();
        assertTrue(took.compareTo(Duration.ofSeconds(20)) < 0, took.toString());
    }
}
