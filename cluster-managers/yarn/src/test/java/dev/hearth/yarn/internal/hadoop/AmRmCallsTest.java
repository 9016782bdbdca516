package dev.hearth.yarn.internal.hadoop;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;

import dev.hearth.yarn.internal.line.LineOrders;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.client.api.NMTokenCache;
import org.junit.jupiter.api.Test;

/** Notes orders with Hadoop's own client, which connects to no ResourceManager here. */
class AmRmCallsTest {
    /** Hadoop's client removes names from the lists that it is given. */
    @Test
    void excludesHostsAndAdmitsThemAgain() {
        LineIdentity identity = new LineIdentity(
                ApplicationAttemptId.newInstance(ApplicationId.newInstance(1, 1), 1),
                "localhost",
                new Configuration(),
                UserGroupInformation.createRemoteUser("someone"));
        ExecutorService lookups = Executors.newSingleThreadExecutor();
        AmRmCalls calls = new AmRmCalls(
                identity, new KnownRacks(Optional.empty(), lookups), new KnownContainers(), new NMTokenCache());
        assertDoesNotThrow(() -> {
            calls.note(new LineOrders(List.of(), List.of(), List.of(), List.of("a", "b"), List.of()));
            calls.note(new LineOrders(List.of(), List.of(), List.of(), List.of("c"), List.of("a")));
        });
        calls.close();
        lookups.shutdown();
    }
}
