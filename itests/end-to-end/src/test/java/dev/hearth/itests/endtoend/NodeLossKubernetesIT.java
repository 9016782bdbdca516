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

/** A node that is not heard from, on a cluster that gives nodes up after seconds, and its return. */
@LabServers(
        apiServer = "--default-not-ready-toleration-seconds=5 --default-unreachable-toleration-seconds=5",
        controllers = "--node-monitor-grace-period=12s --node-monitor-period=1s",
        kubelet = "--node-status-update-frequency=3s")
class NodeLossKubernetesIT extends PodClusterFixture {
    private static final Path POD_LOGS = Path.of("/var/log/pods");

    @Test
    void runsTheTaskOfALostNodeAgainAndEndsTheExecutorThatReturns() throws Exception { // K15
        List<String> settings = List.of(
                "hearth.task.maxFailures=1", // a charged failure would end the job
                "hearth.executor.heartbeatInterval=1s",
                "hearth.network.timeout=20s",
                "hearth.log.level=info");
        try (Launched submit = cluster.submit(settings, GATED, String.valueOf(gate.port()), "2")) {
            PodCluster.visitors(gate, submit, "driver", 1).get(0).pass();
            List<Gate.Visitor> tasks = PodCluster.visitors(gate, submit, "task", 2);
            Gate.Visitor frozen = tasks.get(0);
            long executor = PodCluster.executorProcess(frozen.pod());
            long begin = System.nanoTime();
            lab.suspend("kubelet");
            try {
                Processes.signal("STOP", executor);
                try {
                    awaitLine(submit, "is lost (");
                    figure(
                            "K15 a node without a sign of life: until its executor is lost",
                            "%d ms",
                            millisSince(begin));
                    tasks.get(1).pass(); // the other executor still reaches its driver
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
                long returned = System.nanoTime();
                Eventually.until(
                        "the executor that returns ends",
                        () -> ProcessHandle.of(executor).isEmpty(),
                        BOUND,
                        () -> log(frozen.pod()));
                figure("K15 an executor returns: until it has ended", "%d ms", millisSince(returned));
                System.out.println(log(frozen.pod()));
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

    /** What an executor has printed, from the files of its node, whose kubelet is suspended. */
    private String log(String pod) {
        try (Stream<Path> files = Files.walk(POD_LOGS)) {
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
