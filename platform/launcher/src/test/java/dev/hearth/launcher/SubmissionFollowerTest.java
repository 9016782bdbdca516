package dev.hearth.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Queue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Drivers in cluster mode that are followed by questions. */
class SubmissionFollowerTest {
    private static final Duration SOON = Duration.ofMillis(1);
    private static final Duration LONG = Duration.ofMinutes(1);

    private final Cluster cluster = new Cluster();
    private final List<String> seen = new CopyOnWriteArrayList<>();
    private final LaunchListener listener = new LaunchListener() {
        @Override
        public void stateChanged(LaunchHandle handle) {
            seen.add(handle.state().name());
        }

        @Override
        public void infoChanged(LaunchHandle handle) {
            seen.add(handle.submissionId().orElse("none"));
        }
    };

    @Test
    void followsADriverToItsEnd() throws Exception {
        cluster.says("SUBMITTED", "RUNNING", "RUNNING", "RELAUNCHING", "RUNNING", "FINISHED");

        assertEquals(new LaunchEnd(LaunchState.FINISHED, OptionalInt.of(0), "", ""), end(follow(LONG)));
        assertEquals(
                List.of("CONNECTED", "driver-1", "SUBMITTED", "RUNNING", "SUBMITTED", "RUNNING", "FINISHED"), seen);
    }

    @Test
    void attachesToADriverThatHasEnded() throws Exception {
        cluster.says("FAILED");
        LaunchHandle handle = follow(LONG);

        assertEquals(new LaunchEnd(LaunchState.FAILED, OptionalInt.of(0), "", "it says so"), end(handle));
        assertEquals(Optional.of("driver-1"), handle.submissionId());
        assertEquals(Map.of("log", "http://worker/log"), handle.links());
    }

    @Test
    void survivesAMasterThatDoesNotAnswerForATime() throws Exception {
        cluster.says("RUNNING", Cluster.SILENT, Cluster.SILENT, "UNKNOWN", "RUNNING", "KILLED");

        assertEquals(LaunchState.KILLED, end(follow(LONG)).state());
    }

    @Test
    void losesADriverWhoseMasterIsSilentForLong() throws Exception {
        cluster.says("RUNNING", Cluster.SILENT);

        LaunchEnd end = end(follow(Duration.ZERO));
        assertEquals(new LaunchEnd(LaunchState.LOST, OptionalInt.empty(), "CLUSTER_LOST", "silent"), end);
    }

    @Test
    void losesADriverThatItsMasterDoesNotKnow() throws Exception {
        cluster.says("RUNNING", Cluster.REFUSED);

        LaunchEnd end = end(follow(LONG));
        assertEquals(new LaunchEnd(LaunchState.LOST, OptionalInt.empty(), "SUBMISSION_UNKNOWN", "refused"), end);
    }

    @Test
    void failsIfNothingWasCreated() throws Exception {
        LaunchEnd end = end(SubmissionFollower.start(
                () -> {
                    throw new IOException("no master");
                },
                cluster,
                SOON,
                List.of(listener)));

        assertEquals(new LaunchEnd(LaunchState.FAILED, OptionalInt.empty(), "CLUSTER_UNREACHABLE", "no master"), end);
        assertEquals(List.of("FAILED"), seen);
    }

    @Test
    void killsTheDriverOnceItCan() throws Exception {
        cluster.runsUntilKilled = true;
        LaunchHandle handle = follow(LONG);
        handle.stop();

        assertEquals(LaunchState.KILLED, end(handle).state());
        assertEquals(List.of("silent", "kill driver-1"), cluster.kills);
    }

    @Test
    void leavesTheDriverAlone() throws Exception {
        cluster.runsUntilKilled = true;
        LaunchHandle handle = follow(LONG);
        handle.disconnect();

        assertEquals(LaunchState.LOST, end(handle).state());
        assertEquals(List.of(), cluster.kills);
    }

    private LaunchHandle follow(Duration silence) {
        return SubmissionFollower.follow("test", () -> "driver-1", cluster, SOON, silence, List.of(listener));
    }

    private static LaunchEnd end(LaunchHandle handle) throws Exception {
        return handle.exit().toCompletableFuture().get(1, TimeUnit.MINUTES);
    }

    /** Cluster with answers in order, the last one again and again. */
    private static final class Cluster implements FollowedCluster {
        static final String SILENT = "silent";
        static final String REFUSED = "refused";

        final List<String> kills = new CopyOnWriteArrayList<>();
        private final Queue<String> answers = new ArrayDeque<>();
        private String last = "";
        private volatile boolean runsUntilKilled;

        void says(String... words) {
            answers.addAll(new ArrayList<>(List.of(words)));
        }

        @Override
        public SubmissionAnswer status(String id) throws IOException {
            if (runsUntilKilled) {
                last = kills.contains("kill " + id) ? "KILLED" : "RUNNING";
            } else {
                last = answers.isEmpty() ? last : answers.remove();
            }
            if (last.equals(SILENT)) {
                throw new IOException(SILENT);
            }
            if (last.equals(REFUSED)) {
                throw new Refused("SUBMISSION_UNKNOWN", REFUSED);
            }
            return new SubmissionAnswer(last, "it says so", OptionalInt.of(0), Map.of("log", "http://worker/log"));
        }

        @Override
        public void kill(String id) throws IOException {
            if (kills.isEmpty()) {
                kills.add(SILENT);
                throw new IOException(SILENT);
            }
            kills.add("kill " + id);
        }
    }
}
