package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Checks dynamic allocation on a standalone cluster of processes: executors start for waiting tasks and end when idle.
 */
@Timeout(120)
class DynamicAllocationIT extends GatedFixture {
    private static final int PARTITIONS = 6;
    private static final int GONE_WITHIN_SECONDS = 60;

    private Cluster cluster;

    @BeforeEach
    void start() throws IOException {
        cluster = startCluster();
    }

    @Test
    void growsWithTheBacklogAndShrinksWhenIdle() throws Exception {
        try (Launched submit = installation.submit(
                "--master",
                cluster.url(),
                "--driver-memory",
                "256m",
                "--executor-memory",
                "256m",
                "--executor-cores",
                "1",
                "--conf",
                "hearth.dynamicAllocation.enabled=true",
                "--conf",
                "hearth.dynamicAllocation.executorIdleTimeout=1s",
                "--class",
                "dev.hearth.itests.endtoend.app.GatedRounds",
                installation.applications().toString(),
                String.valueOf(gate.port()),
                String.valueOf(PARTITIONS))) {
            Gate.Visitor driver = expect(submit, "driver");
            driver.pass();
            Gate.Visitor first = expect(submit, "task");
            Gate.Visitor second = expect(submit, "task"); // while the first task occupies its executor's only core
            assertNotEquals(first.pid(), second.pid());
            ProcessHandle one = ProcessHandle.of(first.pid()).orElseThrow();
            ProcessHandle other = ProcessHandle.of(second.pid()).orElseThrow();
            first.pass();
            second.pass();
            for (int task = 2; task < PARTITIONS; task++) {
                expect(submit, "task").pass();
            }
            Gate.Visitor pause = expect(submit, "pause");
            one.onExit().get(GONE_WITHIN_SECONDS, TimeUnit.SECONDS);
            other.onExit().get(GONE_WITHIN_SECONDS, TimeUnit.SECONDS);
            pause.pass();
            expect(submit, "task").pass();
            assertEquals(0, submit.status(), submit::errors);
            assertEquals("sums are 21 and 1\n", submit.output());
        }
    }

    /**
     * Each stage runs on executors of its resource profile. The third has room only once idle executors of the other two
     * profiles have ended.
     */
    @Test
    void startsExecutorsOfTheSizeThatEachStageNeeds() throws Exception {
        try (Launched submit = installation.submit(
                "--master",
                cluster.url(),
                "--driver-memory",
                "256m",
                "--executor-memory",
                "230m",
                "--executor-cores",
                "1",
                "--conf",
                "spark.dynamicAllocation.enabled=true",
                "--conf",
                "spark.dynamicAllocation.maxExecutors=1",
                "--conf",
                "spark.dynamicAllocation.schedulerBacklogTimeout=100ms",
                "--conf",
                "spark.dynamicAllocation.executorIdleTimeout=1s",
                "--conf",
                "spark.dynamicAllocation.shuffleTracking.timeout=1s",
                "--class",
                "dev.hearth.itests.endtoend.app.ThreeSizes",
                installation.applications().toString())) {
            assertEquals(0, submit.status(), submit::errors);
            assertEquals("[map -Xmx230m 1, reduce -Xmx430m 1]\n[whole -Xmx630m 2]\n", submit.output());
        }
    }
}
