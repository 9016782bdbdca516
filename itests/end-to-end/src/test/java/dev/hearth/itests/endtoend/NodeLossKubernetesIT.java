package dev.hearth.itests.endtoend;

import static dev.hearth.itests.endtoend.KubernetesLab.figure;
import static dev.hearth.itests.endtoend.PodCluster.millisSince;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.testkit.machine.Eventually;
import dev.hearth.testkit.machine.Processes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A node without a sign of life, and its return. The cluster gives a node up after 20 s instead of 40 s. */
@LabServers(controllers = "--node-monitor-grace-period=20s --node-monitor-period=2s")
class NodeLossKubernetesIT extends PodClusterFixture {
    private static final String CAUSE = "(HOST_LOST): pod ";

    @Test
    void runsTheTaskOfALostNodeAgainAndEndsTheExecutorThatReturns() throws Exception { // K15
        List<String> settings = List.of(
                "hearth.executor.heartbeatInterval=1s", "hearth.network.timeout=50s", "hearth.task.maxFailures=1");
        try (Launched submit = cluster.submit(settings, GATED, String.valueOf(gate.port()), "2")) {
            PodCluster.visitors(gate, submit, "driver", 1).get(0).pass();
            List<Gate.Visitor> tasks = PodCluster.visitors(gate, submit, "task", 2);
            String lost = tasks.get(0).pod();
            long executor = PodCluster.executorProcess(lost);
            long kubelet = lab.pid("kubelet");
            Gate.Visitor again;
            lab.suspend("kubelet");
            try {
                again = freezeUntilItsTaskRunsAgain(submit, executor, tasks);
                assertNotEquals(lost, again.pod());
                long returned = System.nanoTime();
                Eventually.until(
                        "the executor that returns ends",
                        () -> ProcessHandle.of(executor).isEmpty(),
                        BOUND,
                        () -> log(kubelet, lost));
                requireCause(submit.errors(), lost);
                figure("K15 an executor returns: until it has ended", "%d ms", millisSince(returned));
            } finally {
                lab.resume("kubelet");
            }
            again.pass();
            assertEquals(0, submit.status(), submit::errors);
            assertEquals("sum is 1\n", submit.output());
        }
        cluster.awaitNoExecutors(GONE_WITHIN);
    }

    private static void requireCause(String driver, String lost) {
        String line = driver.lines()
                .filter(words -> words.contains(CAUSE + lost))
                .findFirst()
                .orElseThrow(() -> new AssertionError(driver));
        assertTrue(line.contains("the node is not ready"), line);
    }

    /** Suspends an executor, as the network of a lost node does; the other executor finishes its task and gets the lost one. */
    private Gate.Visitor freezeUntilItsTaskRunsAgain(Launched submit, long executor, List<Gate.Visitor> tasks)
            throws Exception {
        long begin = System.nanoTime();
        Processes.signal("STOP", executor);
        try {
            tasks.get(1).pass();
            Gate.Visitor again = PodCluster.visitors(gate, submit, "task", 1).get(0);
            figure("K15 a node without a sign of life: until its task runs elsewhere", "%d ms", millisSince(begin));
            cluster.awaitExecutors(
                    "the pod of the lost executor is deleted",
                    BOUND,
                    pods -> !PodCluster.remaining(pods).contains(tasks.get(0).pod()));
            return again;
        } finally {
            Processes.signal("CONT", executor);
        }
    }

    /** Output of an executor, from the files of its node: the kubelet is suspended, and has mounts of its own. */
    private String log(long kubelet, String pod) {
        try (Stream<Path> files = Files.walk(Path.of("/proc", String.valueOf(kubelet), "root/var/log/pods"))) {
            StringBuilder text = new StringBuilder();
            for (Path file : files.filter(Files::isRegularFile)
                    .filter(path -> path.toString().contains("/" + cluster.namespace() + "_" + pod + "_"))
                    .toList()) {
                text.append(Files.readString(file));
            }
            return text.toString();
        } catch (IOException failure) {
            throw new AssertionError("log of pod " + pod + ": " + failure, failure);
        }
    }
}
