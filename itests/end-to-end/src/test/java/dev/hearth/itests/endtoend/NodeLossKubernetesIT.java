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

/** A node without a sign of life, on a cluster that gives nodes up after seconds, and its return. */
@LabServers(
        apiServer = "--default-not-ready-toleration-seconds=5 --default-unreachable-toleration-seconds=5",
        controllers = "--node-monitor-grace-period=12s --node-monitor-period=1s",
        kubelet = "--node-status-update-frequency=3s")
class NodeLossKubernetesIT extends PodClusterFixture {
    private static final String GIVEN_UP = "that the driver has given up";

    @Test
    void runsTheTaskOfALostNodeAgainAndEndsTheExecutorThatReturns() throws Exception { // K15
        List<String> settings = List.of(
                "hearth.task.maxFailures=1", // a charged failure would end the job
                "hearth.executor.heartbeatInterval=1s",
                "hearth.network.timeout=90s", // the cluster notices it before
                "hearth.kubernetes.executor.terminationGracePeriodSeconds=3s",
                "hearth.log.level=info");
        try (Launched submit = cluster.submit(settings, GATED, String.valueOf(gate.port()), "2")) {
            PodCluster.visitors(gate, submit, "driver", 1).get(0).pass();
            List<Gate.Visitor> tasks = PodCluster.visitors(gate, submit, "task", 2);
            Gate.Visitor frozen = tasks.get(0);
            long executor = PodCluster.executorProcess(frozen.pod());
            long kubelet = lab.pid("kubelet");
            lab.suspend("kubelet");
            try {
                freezeUntilTheClusterGivesUp(submit, executor, tasks);
                long returned = System.nanoTime();
                Eventually.until(
                        "the executor that returns ends",
                        () -> ProcessHandle.of(executor).isEmpty(),
                        BOUND,
                        () -> log(kubelet, frozen.pod()));
                figure("K15 an executor returns: until it has ended", "%d ms", millisSince(returned));
                String said = log(kubelet, frozen.pod());
                assertTrue(said.contains(GIVEN_UP), said);
            } finally {
                lab.resume("kubelet");
            }
            long back = System.nanoTime();
            Gate.Visitor again = PodCluster.visitors(gate, submit, "task", 1).get(0);
            figure("K15 the node returns: until the lost task runs again", "%d ms", millisSince(back));
            assertNotEquals(frozen.pod(), again.pod());
            again.pass();
            assertEquals(0, submit.status(), submit::errors);
            assertEquals("sum is 1\n", submit.output());
            assertTrue(!submit.errors().contains("task failed"), submit::errors);
        }
        cluster.awaitNoExecutors(GONE_WITHIN);
    }

    /** Suspends an executor until it is lost and the pods of the node are deleted; meanwhile the other one finishes its task. */
    private void freezeUntilTheClusterGivesUp(Launched submit, long executor, List<Gate.Visitor> tasks)
            throws Exception {
        long begin = System.nanoTime();
        Processes.signal("STOP", executor);
        try {
            tasks.get(1).pass(); // the other executor still reaches its driver
            awaitLine(submit, "is lost (");
            figure("K15 a node without a sign of life: until its executor is lost", "%d ms", millisSince(begin));
            Eventually.until(
                    "the cluster deletes the pods of the node",
                    () -> cluster.executors().stream()
                            .filter(pod -> PodCluster.pods(tasks).contains(pod.name()))
                            .allMatch(pod -> pod.status().equals("Terminating")),
                    BOUND,
                    submit::errors);
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

    private static void awaitLine(Launched submit, String text) {
        Eventually.until(text, () -> submit.errors().contains(text), BOUND, submit::errors);
    }
}
