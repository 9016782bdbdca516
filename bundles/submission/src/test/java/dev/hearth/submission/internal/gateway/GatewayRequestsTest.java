package dev.hearth.submission.internal.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.spi.cluster.SubmissionGateway.ClusterCounts;
import dev.hearth.submission.internal.gateway.GatewayRequests.Admission;
import dev.hearth.submission.internal.gateway.GatewayRequests.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the bounds of a gateway, and when it opens and closes connections. */
class GatewayRequestsTest {
    private static final Duration IDLE = Duration.ofSeconds(60);
    private static final String CLUSTER = "hearth://a:1";

    private final GatewayRequests<String> requests = new GatewayRequests<>(new GatewaySettings(2, 2, IDLE));

    @Test
    void usesOneConnectionForAllRequestsToACluster() {
        Admission first = requests.begin(CLUSTER, "m1");
        Admission second = requests.begin(CLUSTER, "m1");
        assertTrue(first.opens());
        assertFalse(second.opens());
        assertEquals(first.connection(), second.connection());
        assertEquals(List.of(), end(first, 0));
        assertEquals(first.connection(), requests.begin(CLUSTER, "m1").connection());
    }

    @Test
    void refusesMoreRequestsThanTheBound() {
        Admission first = requests.begin(CLUSTER, "m1");
        requests.begin(CLUSTER, "m1");
        HearthException refused = assertThrows(HearthException.class, () -> requests.begin(CLUSTER, "m1"));
        assertEquals("SUBMISSION_REFUSED", refused.code());
        assertEquals(
                "submissions: 2 requests are in progress (expected: at most hearth.serve.requestsMax = 2, with the new"
                        + " one); try again soon",
                refused.getMessage());
        end(first, 0);
        requests.begin(CLUSTER, "m1");
        assertEquals(
                new ClusterCounts(CLUSTER, 2, 1, 1, 0, true), requests.counts().get(0));
    }

    @Test
    void opensAnotherConnectionForANewerManagerAndClosesTheOldOneWithItsLastRequest() {
        Admission old = requests.begin(CLUSTER, "m1");
        Admission newer = requests.begin(CLUSTER, "m2");
        assertTrue(newer.opens());
        assertEquals(List.of(), end(newer, 0));
        assertEquals(List.of(old.connection()), end(old, 0));
        assertFalse(requests.begin(CLUSTER, "m2").opens());
    }

    @Test
    void closesAConnectionThatNoRequestHasUsed() {
        Admission used = requests.begin(CLUSTER, "m1");
        assertEquals(List.of(), requests.expire(IDLE.toNanos() * 9), "a request is in progress");
        end(used, 10);
        assertEquals(List.of(), requests.expire(9 + IDLE.toNanos()));
        assertEquals(List.of(used.connection()), requests.expire(10 + IDLE.toNanos()));
        assertTrue(requests.begin(CLUSTER, "m1").opens());
    }

    @Test
    void opensAnotherConnectionAfterOneHasFailed() {
        Admission broken = requests.begin(CLUSTER, "m1");
        assertEquals(List.of(broken.connection()), requests.end(broken, Outcome.FAILED, true, 0));
        assertTrue(requests.begin(CLUSTER, "m1").opens());
        assertEquals(1, requests.counts().get(0).failed());
    }

    @Test
    void refusesMoreClustersThanTheBoundUnlessOneIsIdle() {
        Admission first = requests.begin("a", "m");
        requests.begin("b", "m");
        end(first, 0);
        HearthException refused = assertThrows(HearthException.class, () -> requests.begin("c", "m"));
        assertTrue(refused.getMessage().contains("hearth.serve.clustersMax = 2"), refused::getMessage);
        assertEquals(List.of(first.connection()), requests.expire(IDLE.toNanos()));
        assertTrue(requests.begin("c", "m").opens());
        assertEquals(
                List.of("b", "c"),
                requests.counts().stream().map(ClusterCounts::master).toList());
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 42})
    void keepsOneUsableConnectionForEachCluster(long seed) {
        Random random = new Random(seed);
        GatewayRequests<Integer> some = new GatewayRequests<>(new GatewaySettings(8, 3, IDLE));
        List<Admission> inProgress = new ArrayList<>();
        Set<Long> open = new HashSet<>();
        long now = 0;
        for (int step = 0; step < 5_000; step++) {
            now += random.nextInt(10) * 1_000_000_000L;
            if (random.nextInt(3) > 0 && inProgress.size() < 8) {
                Admission admission = admit(some, random);
                if (admission != null) {
                    assertEquals(admission.opens(), open.add(admission.connection()), "opened once");
                    inProgress.add(admission);
                }
            } else if (!inProgress.isEmpty()) {
                Admission ended = inProgress.remove(random.nextInt(inProgress.size()));
                open.removeAll(some.end(ended, Outcome.ACCEPTED, random.nextInt(9) == 0, now));
            }
            open.removeAll(some.expire(now));
            inProgress.forEach(used -> assertTrue(open.contains(used.connection()), "in use, so open"));
            assertEquals(
                    inProgress.size(),
                    some.counts().stream().mapToInt(ClusterCounts::inProgress).sum());
        }
    }

    private static Admission admit(GatewayRequests<Integer> some, Random random) {
        try {
            return some.begin("cluster-" + random.nextInt(4), random.nextInt(20) == 0 ? 2 : 1);
        } catch (HearthException full) {
            return null;
        }
    }

    private List<Long> end(Admission admission, long now) {
        return requests.end(admission, Outcome.ACCEPTED, false, now);
    }
}
