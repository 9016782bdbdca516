package dev.hearth.shell.submit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.hearth.api.HearthException;
import dev.hearth.spi.cluster.DeployMode;
import dev.hearth.spi.cluster.SubmissionObserver;
import dev.hearth.spi.cluster.SubmissionPlan;
import dev.hearth.spi.cluster.SubmissionState;
import dev.hearth.spi.cluster.SubmissionStatus;
import dev.hearth.spi.id.SubmissionId;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls of services that follow submissions. */
@Timeout(30)
class SubmissionObserversTest extends SubmitRoleFixture {
    private final List<String> seen = new CopyOnWriteArrayList<>();
    private final List<Runnable> stops = new ArrayList<>();
    private final SubmissionObserver observer = new SubmissionObserver() {
        @Override
        public void began(SubmissionPlan plan, DeployMode mode, Runnable stop) {
            seen.add("began " + plan.mainClass() + " " + mode);
            stops.add(stop);
        }

        @Override
        public void accepted(SubmissionId submission) {
            seen.add("accepted " + submission);
        }

        @Override
        public void changed(SubmissionStatus status) {
            seen.add(status.state().name());
        }

        @Override
        public void ended(int exitStatus, String code, String message) {
            seen.add("ended " + exitStatus + " " + code);
        }
    };

    @BeforeEach
    void observe() {
        role.addObserver(observer);
    }

    @Test
    void reportsEachStepOfASubmission() throws Exception {
        cluster.then(SubmissionState.RUNNING);
        cluster.end(SubmissionState.FAILED, OptionalInt.of(17), "", "", "error: it broke");
        assertEquals(17, submit());

        assertEquals("began App CLUSTER", seen.get(0));
        assertEquals("ended 17 ", seen.get(seen.size() - 1));
        assertEquals(
                List.of("RUNNING", "FAILED", "accepted driver-1"),
                seen.stream()
                        .filter(what -> !what.contains("App") && !what.startsWith("ended"))
                        .sorted((a, b) -> Boolean.compare(a.startsWith("accepted"), b.startsWith("accepted")))
                        .toList());
    }

    @Test
    void killsTheSubmissionThatAnObserverStops() throws Exception {
        cluster.end(SubmissionState.FINISHED, OptionalInt.of(0), "", "", "");
        assertEquals(0, submit());
        stops.get(0).run();

        assertEquals("kill driver-1 hearth://h:7077", cluster.asked());
    }

    @Test
    void reportsAFailureBeforeTheBeginning() {
        assertThrows(HearthException.class, () -> run("--executor-cores", "none", jar()));

        assertEquals(List.of("ended 2 BAD_SETTING"), seen);
    }

    @Test
    void reportsAFailureOfAnApplicationInThisProcess() {
        assertThrows(HearthException.class, () -> run("--class", "App", jar()));

        assertEquals(List.of("began App CLIENT", "ended 3 PATH_MISSING"), seen);
    }

    @Test
    void goesOnWithoutAnObserverThatFails() throws Exception {
        role.addObserver(new SubmissionObserver() {
            @Override
            public void began(SubmissionPlan plan, DeployMode mode, Runnable stop) {
                throw new IllegalStateException("of a test");
            }

            @Override
            public void ended(int exitStatus, String code, String message) {
                throw new IllegalStateException("of a test");
            }
        });
        cluster.end(SubmissionState.FINISHED, OptionalInt.of(0), "", "", "");
        assertEquals(0, submit());
        assertEquals("ended 0 ", seen.get(seen.size() - 1));
    }

    @Test
    void forgetsAnObserver() throws Exception {
        role.removeObserver(observer);
        cluster.end(SubmissionState.FINISHED, OptionalInt.of(0), "", "", "");
        assertEquals(0, submit());

        assertEquals(List.of(), seen);
    }
}
