package dev.hearth.standalone.internal.master;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.hearth.api.task.ResourceInformation;
import dev.hearth.spi.cluster.ApplicationEntry;
import dev.hearth.spi.id.ApplicationId;
import dev.hearth.standalone.internal.protocol.ApplicationProtocol.ExecutorsUnplaceable;
import dev.hearth.standalone.internal.protocol.MasterProtocol.EndApplication;
import dev.hearth.standalone.internal.protocol.MasterProtocol.RegisterApplication;
import dev.hearth.standalone.internal.protocol.MasterProtocol.RegisterWorker;
import dev.hearth.standalone.internal.protocol.MasterProtocol.WantExecutors;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.LaunchExecutor;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Reasons that applications which wait receive, and that lists show. All applications register over one connection. */
class WaitReasonTest extends MasterFixture {
    private static final long SECOND = 1_000_000_000L;

    @Test
    void saysAfterAWhileWhichResourceIsMissingAndByHowMuch() {
        register("worker-a", 1, 4, 2_048);
        register("worker-b", 2, 2, 4_096);
        ApplicationId busy = want(2, 1_536, Map.of());
        settle();
        assertEquals(2, messages(LaunchExecutor.class).size());
        ApplicationId waiting = want(3, 1_024, Map.of());
        settle();
        String reason = "waits for a worker with 3 free cores (one worker has at most 2, 1 too few) and 1024 MiB free"
                + " memory; workers now: 2";
        assertEquals(reason, shown(waiting).message());
        assertEquals(ApplicationEntry.State.WAITING, shown(waiting).state());
        assertEquals(new MasterFigures(2, 0, 2, 1, 0, 0), master.figures());
        now = 5 * SECOND - 1;
        settle();
        assertEquals(List.of(), told());
        now = 5 * SECOND;
        settle();
        now = 60 * SECOND;
        settle();
        assertEquals(List.of("/" + reason), told(), "once");
        register("worker-c", 3, 8, 512);
        now = 70 * SECOND;
        settle();
        reason = "waits for a worker with 3 free cores and 1024 MiB free memory, which no worker has together;"
                + " workers now: 3";
        assertEquals(reason, told().get(1).substring(1), "another reason");
        master.end(new EndApplication(busy, "FINISHED"), APPLICATION, now);
        for (int executor = 0; executor < 2; executor++) {
            long peer = recipients(LaunchExecutor.class).get(executor);
            master.executorEnded(ended(busy, String.valueOf(executor), 143), peer, now);
        }
        settle();
        assertEquals(3, messages(LaunchExecutor.class).size());
        assertEquals("/", told().get(2), "it no longer waits");
        assertEquals(3, told().size());
        assertEquals(new MasterFigures(3, 0, 1, 0, 0, 0), master.figures());
    }

    @Test
    void namesAddressesAndExcludedHosts() {
        master.registerWorker(
                new RegisterWorker(
                        "gpus",
                        "10.0.0.1",
                        7078,
                        8,
                        8_192,
                        "",
                        List.of(new ResourceInformation("gpu", List.of("0", "1")))),
                1,
                0);
        want(1, 512, Map.of("gpu", 1));
        settle();
        ApplicationId waiting = want(1, 512, Map.of("gpu", 2));
        settle();
        assertEquals(
                "waits for a worker with 1 free core and 512 MiB free memory, and 2 free addresses of gpu (one worker has"
                        + " at most 0, 2 too few); workers now: 1",
                shown(waiting).message());
        ApplicationId choosy = want(1, 512, Map.of());
        master.want(new WantExecutors(choosy, 1, List.of("10.0.0.1"), Map.of()), APPLICATION);
        settle();
        assertEquals(
                "waits for a worker with 1 free core and 512 MiB free memory; workers now: 1; the application excludes the"
                        + " hosts of those that have room",
                shown(choosy).message());
    }

    @Test
    void namesThePauseAfterFailures() {
        register("worker-a", 1, 1);
        ApplicationId id = want(1, 512, Map.of());
        for (int executor = 0; executor < 2; executor++) {
            settle();
            master.executorEnded(ended(id, String.valueOf(executor), 1), 1, now);
        }
        settle();
        assertEquals(
                "waits for 250 ms, because 2 executors failed soon after the start",
                shown(id).message());
        now += SECOND / 4;
        settle();
        assertEquals(ApplicationEntry.State.RUNNING, shown(id).state());
    }

    @Test
    void countsNoExecutorThatEndsInOrderAsAFailure() {
        register("worker-a", 1, 1);
        ApplicationId id = want(1, 512, Map.of());
        int ends = 0;
        for (int quarter = 0; quarter < 1_000; quarter++) {
            settle();
            if (ends < messages(LaunchExecutor.class).size()) {
                master.executorEnded(ended(id, String.valueOf(ends++), 0), 1, now);
            }
            now += SECOND / 4;
        }
        assertEquals(1, master.applications(), ends + " ends with status 0");
    }

    private ApplicationId want(int cores, int memory, Map<String, Integer> addresses) {
        ApplicationId id = master.registerApplication(
                        new RegisterApplication(
                                "pi",
                                "application",
                                "hearth://driver-1@h:1",
                                OptionalInt.empty(),
                                OptionalInt.of(cores),
                                memory,
                                Map.of(),
                                addresses),
                        APPLICATION,
                        now)
                .application();
        master.want(new WantExecutors(id, 2, List.of(), Map.of()), APPLICATION);
        return id;
    }

    private ApplicationEntry shown(ApplicationId id) {
        return master.applicationEntries(now).stream()
                .filter(entry -> entry.id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    private List<String> told() {
        return messages(ExecutorsUnplaceable.class).stream()
                .map(message -> message.reason() + "/" + message.hindrance())
                .toList();
    }
}
