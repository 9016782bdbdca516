package dev.hearth.kubernetes.internal.submission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.kubernetes.internal.api.Resource;
import dev.hearth.kubernetes.internal.api.ServerVersion;
import dev.hearth.kubernetes.internal.api.SimulatedApiServer;
import dev.hearth.kubernetes.internal.pod.DriverObjects;
import dev.hearth.kubernetes.internal.sweep.SweepShell;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.testkit.SimulatedProcess;
import dev.hearth.testkit.Simulation;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A submitter that dies at each of its requests, which has its effect or has not, and one sweep (A11). */
class SubmitterDeathTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final Simulation simulation = new Simulation(1);
    private final SimulatedApiServer server = new SimulatedApiServer(simulation);
    private final DriverObjects objects = DriverFixtures.objects(1, Map.of());

    /** Submits, and dies at request number {@code last}. */
    private void dieAt(int last, boolean arrives) {
        SimulatedProcess process = simulation.process("submitter");
        EventLoop loop = process.loop("submission");
        server.admission = () -> {
            if (server.requests == last) {
                process.crash();
            }
            return server.requests < last || (server.requests == last && arrives);
        };
        loop.execute(() -> new SubmissionShell(
                        server,
                        loop,
                        objects,
                        ServerVersion.NEWEST,
                        new Submission.Times(MINUTE, Duration.ZERO),
                        line -> {})
                .begin());
        simulation.runFor(Duration.ofMinutes(11));
        server.admission = () -> true;
    }

    private void sweep() {
        EventLoop loop = simulation.process("sweep").loop("sweep");
        loop.execute(() -> new SweepShell(server, loop, SweepShell.AGE).run());
        simulation.runFor(MINUTE);
    }

    @Test
    void leavesNothingAfterOneSweep() {
        int drivers = 0;
        for (int last = 1; last <= 5; last++) {
            for (boolean arrives : new boolean[] {false, true}) {
                SubmitterDeathTest run = new SubmitterDeathTest();
                run.dieAt(last, arrives);
                drivers += run.leavesNothing("request " + last + (arrives ? " arrives" : " is lost")) ? 1 : 0;
            }
        }
        assertTrue(drivers > 0, "some died behind the driver's pod");
    }

    /** Whether the driver was created, which then owns the rest. */
    private boolean leavesNothing(String when) {
        List<String> before = server.names();
        boolean driver = server.exists(Resource.POD, objects.podName());
        boolean secret = server.exists(Resource.SECRET, objects.secretName());
        assertTrue(secret || before.isEmpty(), () -> when + ": " + before + " (expected: nothing without the secret)");
        sweep();
        assertEquals(driver, server.exists(Resource.POD, objects.podName()), () -> when + ": the driver runs on");
        if (driver) {
            assertTrue(
                    server.ownerOf(Resource.SECRET, objects.secretName()).isPresent(),
                    () -> when + ": the secret belongs to the driver");
            server.deleteByStranger(objects.podName(), 0);
        }
        simulation.runFor(MINUTE);
        assertEquals(List.of(), server.names(), when);
        return driver;
    }
}
