package dev.hearth.itests.endtoend;

import static dev.hearth.itests.endtoend.KubernetesLab.figure;
import static dev.hearth.itests.endtoend.PodCluster.millisSince;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.testkit.machine.Eventually;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** A thousand executors that are lost at once, on the servers of a cluster whose only node is a writer of statuses. */
class RackLossKubernetesIT extends ControlPlaneFixture {
    private static final int PODS = 1_000;
    private static final int PARALLEL = 32;
    private static final Duration BOUND = Duration.ofMinutes(2);
    private static final Duration TOLD_WITHIN = Duration.ofSeconds(2);
    /** Time in which an idle machine of two cores writes the statuses. */
    private static final Duration WRITTEN_WITHIN = Duration.ofSeconds(4);

    private static final Duration REPLACED_WITHIN = Duration.ofSeconds(10);
    private static final int DELETIONS_MAX = 10;
    private static final String DELETIONS = "[^}]*resource=\"pods\"[^}]*verb=\"DELETE(?:COLLECTION)?\"[^}]*";
    private static final Pattern LOST = Pattern.compile("executor \\d+ is lost \\(HOST_LOST\\)");
    private static final Pattern STARTING = Pattern.compile("executor \\d+ is starting on ");

    @Test
    void replacesAThousandExecutorsThatAreLostAtOnce() throws Exception { // K17
        PodCluster cluster = PodCluster.create(lab, installation, "rack");
        PodStatusWriter kubelet = new PodStatusWriter(lab.api(), cluster.namespace(), PARALLEL);
        Path template =
                Files.writeString(scratch.resolve("hollow.yaml"), "spec: {nodeName: " + PodStatusWriter.NODE + "}\n");
        kubelet.registerNode();
        try (Launched submit = submit(
                cluster, PODS, "spark.kubernetes.executor.podTemplateFile=" + template, "hearth.log.level=info")) {
            Eventually.until("all pods", () -> pods(cluster, submit) >= PODS, BOUND, submit::errors);
            List<String> pods = kubelet.executors();
            assertEquals(PODS, pods.size());
            long begin = System.nanoTime();
            long running = kubelet.run(pods);
            Eventually.until("all run", () -> count(STARTING, submit) == PODS, BOUND, () -> lines(submit));
            figure(
                    "K17 1,000 statuses Running by " + PARALLEL + " requests at once",
                    "written in %d ms; the last start is reported %d ms later",
                    (running - begin) / 1_000_000,
                    millisSince(running));
            replace(cluster, kubelet, submit, pods);
            submit.end();
            submit.status();
        } finally {
            kubelet.removeNode();
        }
        cluster.awaitNoExecutors(BOUND);
    }

    private static void replace(PodCluster cluster, PodStatusWriter kubelet, Launched submit, List<String> pods)
            throws Exception {
        long deletions = lab.api().count(REQUESTS, DELETIONS);
        long created = created();
        long begin = System.nanoTime();
        long last = kubelet.shutDown(pods);
        Eventually.until("all are lost", () -> count(LOST, submit) == PODS, BOUND, () -> lines(submit));
        long told = millisSince(last);
        Eventually.until("all are replaced", () -> created() - created >= PODS, BOUND, () -> lines(submit));
        long replaced = millisSince(last);
        long writes = (last - begin) / 1_000_000;
        figure(
                "K17 1,000 executors lost at once",
                "statuses written in %d ms; after the last one all losses are told in %d ms, and replaced in %d ms",
                writes,
                told,
                replaced);
        Eventually.until(
                "the replacements alone are left",
                () -> kubelet.executors().size() == PODS
                        && kubelet.executors().stream().noneMatch(pods::contains),
                BOUND,
                () -> lines(submit));
        long deleted = lab.api().count(REQUESTS, DELETIONS) - deletions;
        figure("K17 requests that deleted 1,000 lost pods", "%d", deleted);
        assertEquals(PODS, created() - created, "each is replaced once");
        long slow = writes - WRITTEN_WITHIN.toMillis(); // on a machine that is busy, everything takes longer
        long toldMost = Math.max(TOLD_WITHIN.toMillis(), slow / 2);
        long replacedMost = Math.max(REPLACED_WITHIN.toMillis(), slow);
        long deletionsMost = DELETIONS_MAX + Math.max(0, slow / 1_000);
        assertTrue(told <= toldMost, () -> told + " ms (expected: at most " + toldMost + ")");
        assertTrue(replaced <= replacedMost, () -> replaced + " ms (expected: at most " + replacedMost + ")");
        assertTrue(deleted <= deletionsMost, () -> deleted + " deletions (expected: at most " + deletionsMost + ")");
        assertTrue(submit.isAlive(), submit::errors);
        assertEquals(PODS, pods(cluster, submit));
    }

    private static int count(Pattern line, Launched submit) {
        if (!submit.isAlive()) {
            throw new AssertionError("bin/submit ended: " + lines(submit));
        }
        Matcher found = line.matcher(submit.errors());
        int count = 0;
        while (found.find()) {
            count++;
        }
        return count;
    }

    /** The end of what the driver has printed. */
    private static String lines(Launched submit) {
        String all = submit.errors();
        return all.substring(Math.max(0, all.length() - 4_000));
    }
}
