package dev.hearth.itests.endtoend;

import static dev.hearth.itests.endtoend.KubernetesLab.figure;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.testkit.machine.Eventually;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Submitters that are killed, on the servers of a cluster without nodes. Names in comments are those of the specification. */
class SubmitterFaultsKubernetesIT extends ControlPlaneFixture {
    private static final Duration BOUND = Duration.ofSeconds(60);
    private static final int KILLED = 137;
    private static final int REQUESTS_MAX = 12;

    @Test
    void leavesNothingThatTheNextSubmissionDoesNotSweep() throws Exception { // K12
        PodCluster cluster = PodCluster.create(
                lab, installation, "cut-" + ProcessHandle.current().pid());
        PodDrivers drivers = PodDrivers.create(lab, installation, cluster);
        int requests = 0;
        for (boolean more = true; more; requests++) {
            boolean before = cut(drivers, requests + 1, false);
            more = cut(drivers, requests + 1, true) || before;
            assertTrue(requests < REQUESTS_MAX, "a submission sends few requests");
        }
        figure("K12 requests of a submission at which it was killed, before and after each", "%d", requests - 1);
        List<String> left = drivers.objects();
        try (CuttingProxy proxy = CuttingProxy.ageing(lab.api());
                Launched last = submit(drivers, proxy, List.of())) {
            Eventually.until(
                    "the sweep", () -> last.errors().contains("left by earlier applications: "), BOUND, last::errors);
            figure("K12 the sweep of the next submission", "%s", line(last, "left by earlier applications: "));
            last.end();
            last.status();
        }
        List<String> pods = new ArrayList<>();
        drivers.pods().forEach(pod -> pods.add(pod.name()));
        for (String pod : pods) {
            drivers.remove(pod);
        }
        Eventually.until(
                "nothing but what pods owned is left of " + left,
                () -> drivers.objects().isEmpty(),
                BOUND,
                () -> left.toString());
    }

    /** Whether a submission was killed at its request number {@code number}, because it sends as many. */
    private static boolean cut(PodDrivers drivers, int number, boolean afterAnswer) throws Exception {
        try (CuttingProxy proxy = CuttingProxy.cutting(lab.api(), number, afterAnswer);
                Launched submit = submit(drivers, proxy, List.of("--no-wait"))) {
            int status = submit.status();
            assertTrue(
                    status == (proxy.requests() >= number ? KILLED : 0),
                    () -> "request " + number + " of " + proxy.requests() + ", status " + status + ": "
                            + submit.errors());
            return status == KILLED;
        }
    }

    private static Launched submit(PodDrivers drivers, CuttingProxy proxy, List<String> more) throws Exception {
        List<String> flags = new ArrayList<>(List.of("--master", "k8s://" + proxy.url()));
        flags.addAll(more);
        Launched submit = drivers.submitJar(flags, PodDrivers.EXAMPLES, PI, "2");
        proxy.client(submit);
        return submit;
    }

    private static String line(Launched submit, String begin) {
        return submit.errors()
                .lines()
                .filter(line -> line.startsWith(begin))
                .findFirst()
                .orElse("");
    }
}
