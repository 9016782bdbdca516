package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.hearth.testkit.machine.Processes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/**
 * An installation with a gate at which applications of a test wait, and a cluster if the test has started one. After each
 * test no process of the installation may run.
 */
abstract class GatedFixture {
    @TempDir
    Path scratch;

    Installation installation;
    Gate gate;
    private Optional<Cluster> cluster = Optional.empty();

    @BeforeEach
    void install() throws IOException {
        installation = Installation.in(scratch);
        gate = new Gate();
    }

    /** Starts a cluster, which ends after the test. */
    Cluster startCluster() throws IOException {
        Cluster started = Cluster.start(installation);
        cluster = Optional.of(started);
        return started;
    }

    @AfterEach
    void leaveNothingBehind() throws Exception {
        gate.close();
        if (cluster.isPresent()) {
            cluster.get().close();
        }
        Processes.waitForTheEndOf(installation.processes());
        assertEquals(List.of(), installation.processes());
    }

    /** The next process at the gate, which is a {@code who} of the application of {@code submit}. */
    Gate.Visitor expect(Launched submit, String who) throws InterruptedException {
        try {
            Gate.Visitor visitor = gate.next();
            assertEquals(who, visitor.who(), submit::errors);
            return visitor;
        } catch (AssertionError nobody) {
            throw new AssertionError(nobody.getMessage() + "; submit said: " + submit.errors(), nobody);
        }
    }
}
