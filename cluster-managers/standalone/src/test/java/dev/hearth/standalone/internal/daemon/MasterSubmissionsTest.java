package dev.hearth.standalone.internal.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.cluster.ClusterClient;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Tests what the front ends of a master process learn while it does not lead. */
class MasterSubmissionsTest {
    private static final MasterUrl MASTER = MasterUrl.parse("hearth://10.0.0.1:7077");

    private static String why(CompletionStage<?> refused) {
        Throwable failure =
                refused.handle((answer, why) -> why).toCompletableFuture().join();
        assertEquals(ErrorCode.CLUSTER_UNREACHABLE, Failures.code(failure));
        return Failures.describe(failure);
    }

    @Test
    void belongsToAMasterThatStandsByAndSaysSo() {
        MasterSubmissions submissions = new MasterSubmissions();
        assertTrue(why(submissions.clear()).contains("does not run one now"));
        submissions.refuse(MASTER, MasterState.STANDBY);
        assertEquals(Optional.of(MASTER), submissions.own());
        assertEquals(ClusterClient.STANDBY, submissions.state());
        assertTrue(why(submissions.clear()).startsWith("master: it is STANDBY (expected: a master that leads)"));
        submissions.open(MASTER, new MasterSubmissions());
        assertEquals(ClusterClient.ALIVE, submissions.state());
        assertTrue(why(submissions.clear()).contains("does not run one now"), "asks the client of the leader");
        submissions.refuse(MASTER, MasterState.RECOVERING);
        assertEquals("RECOVERING", submissions.state());
        submissions.close();
        assertEquals(Optional.empty(), submissions.own());
    }
}
