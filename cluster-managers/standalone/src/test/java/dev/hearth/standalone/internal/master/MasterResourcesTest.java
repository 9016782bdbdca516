package dev.hearth.standalone.internal.master;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.hearth.api.task.ResourceInformation;
import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.standalone.internal.protocol.DriverSpec;
import dev.hearth.standalone.internal.protocol.MasterProtocol.DriverEnded;
import dev.hearth.standalone.internal.protocol.MasterProtocol.EndApplication;
import dev.hearth.standalone.internal.protocol.MasterProtocol.ExecutorEnded;
import dev.hearth.standalone.internal.protocol.MasterProtocol.RegisterApplication;
import dev.hearth.standalone.internal.protocol.MasterProtocol.RegisterWorker;
import dev.hearth.standalone.internal.protocol.MasterProtocol.SubmitDriver;
import dev.hearth.standalone.internal.protocol.MasterProtocol.WantExecutors;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.LaunchDriver;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.LaunchExecutor;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Addresses of workers' resources that the master gives to drivers and executors. */
class MasterResourcesTest {
    private static final long WORKER = 1;
    private static final long APPLICATION = 9;
    private static final List<ResourceInformation> THREE =
            List.of(new ResourceInformation("gpu", List.of("0", "1", "2")));

    private final Master master =
            new Master(MasterSettings.DEFAULTS, new IdGenerator(Instant.parse("2026-11-18T09:47:46Z"), 0), 0);

    @Test
    void keepsAddressesOfAnEndedApplicationUntilItsExecutorsHaveEnded() {
        register();
        ApplicationId first = application(Map.of("gpu", 2));
        assertEquals(List.of("0 [0, 1]"), executors(settle()));
        master.end(new EndApplication(first, "FINISHED"), APPLICATION, 0);
        ApplicationId second = application(Map.of("gpu", 1));
        assertEquals(List.of("0 [2]"), executors(settle()), "the process of the first one may still use 0 and 1");
        ended(first, "0", WORKER + 1); // another worker's executor
        assertEquals(List.of(), executors(settle()));
        ended(first, "0", WORKER);
        assertEquals(List.of("1 [0]", "2 [1]"), executors(settle()));
        ended(second, "1", WORKER);
        master.want(new WantExecutors(second, 3, List.of(), Map.of()), APPLICATION);
        assertEquals(1, master.workers());
    }

    @Test
    void givesDriversAddressesAndSaysForWhichTheyWait() {
        register();
        SubmissionId running = submit("1", Map.of("gpu", 2));
        SubmissionId waiting = submit("2", Map.of("gpu", 2));
        List<LaunchDriver> launched = messages(settle(), LaunchDriver.class);
        assertEquals(1, launched.size());
        assertEquals(
                List.of(new ResourceInformation("gpu", List.of("0", "1"))),
                launched.get(0).resources());
        assertEquals("may use gpu [0, 1]", master.find(running).status().message());
        assertEquals(
                "waits for a worker with 1 free core and 100 MiB free memory, and 2 free addresses of gpu (one worker"
                        + " has at most 1, 1 too few); workers now: 1",
                master.find(waiting).status().message());
        master.driverEnded(new DriverEnded(running, OptionalInt.of(0), "exit status 0", "", ""), WORKER, 0);
        assertEquals(waiting, messages(settle(), LaunchDriver.class).get(0).submission());
    }

    private void register() {
        master.registerWorker(new RegisterWorker("worker", "10.0.0.1", 7078, 8, 8_192, "", THREE), WORKER, 0);
    }

    private ApplicationId application(Map<String, Integer> addresses) {
        ApplicationId id = master.registerApplication(
                        new RegisterApplication(
                                "pi",
                                "application",
                                "hearth://driver-1@h:1",
                                OptionalInt.empty(),
                                OptionalInt.of(1),
                                512,
                                Map.of(),
                                addresses),
                        APPLICATION,
                        0)
                .application();
        master.want(new WantExecutors(id, 10, List.of(), Map.of()), APPLICATION);
        return id;
    }

    private SubmissionId submit(String request, Map<String, Integer> addresses) {
        DriverSpec spec = new DriverSpec("pi", "x.Pi", "/x.jar", List.of(), Map.of(), 1, 100)
                .but()
                .addresses(addresses)
                .build();
        return master.submit(new SubmitDriver(request, spec, ""), 0).submission();
    }

    private void ended(ApplicationId application, String executor, long peer) {
        master.executorEnded(
                new ExecutorEnded(application, new ExecutorId(executor), OptionalInt.of(143), "ended", List.of()),
                peer,
                0);
    }

    private List<MasterEffect.Send> settle() {
        List<MasterEffect.Send> sent = new ArrayList<>();
        for (MasterEffect effect : master.settle(0)) {
            if (effect instanceof MasterEffect.Send send) {
                sent.add(send);
            }
        }
        return sent;
    }

    private static List<String> executors(List<MasterEffect.Send> sent) {
        return messages(sent, LaunchExecutor.class).stream()
                .map(launch ->
                        launch.executor() + " " + launch.resources().get(0).addresses())
                .toList();
    }

    private static <M extends Record> List<M> messages(List<MasterEffect.Send> sent, Class<M> type) {
        return sent.stream()
                .map(MasterEffect.Send::message)
                .filter(type::isInstance)
                .map(type::cast)
                .toList();
    }
}
