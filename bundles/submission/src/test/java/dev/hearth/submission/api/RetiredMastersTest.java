package dev.hearth.submission.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.error.ErrorCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Words about masters that Spark once had. */
class RetiredMastersTest {
    private final HearthException none = ErrorCode.NO_MANAGER.failure("cluster manager: not installed");

    @ParameterizedTest
    @CsvSource({
        "mesos://h:5050, Spark 4 no longer has Mesos",
        "zk://h:2181/mesos, the address of a Mesos master",
        "simr://h, Spark 2 removed",
        "yarn-client, --master yarn --deploy-mode client",
        "yarn-cluster, --master yarn --deploy-mode cluster",
        "yarn-standalone, --master yarn --deploy-mode cluster"
    })
    void areRefusedWithWhatToUseInstead(String url, String words) {
        HearthException explained = RetiredMasters.explain(none, MasterUrl.parse(url));
        assertEquals(ErrorCode.NO_MANAGER.name(), explained.code());
        String message = String.valueOf(explained.getMessage());
        assertTrue(message.startsWith("master " + url + ": ") && message.contains(words), message);
    }

    @Test
    void leavesOtherFailuresAsTheyAre() {
        assertSame(none, RetiredMasters.explain(none, MasterUrl.parse("nomad://h")));
        HearthException other = ErrorCode.INTERNAL.failure("broken");
        assertSame(other, RetiredMasters.explain(other, MasterUrl.parse("mesos://h")));
    }
}
