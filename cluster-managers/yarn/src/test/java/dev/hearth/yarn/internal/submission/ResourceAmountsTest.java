package dev.hearth.yarn.internal.submission;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.hearth.spi.settings.Settings;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The amounts of Spark's ResourceRequestHelperSuite. */
class ResourceAmountsTest {
    @ParameterizedTest
    @CsvSource({
        "123, 123",
        "2G, 2000000000",
        "2 G, 2000000000",
        "123M, 123000000",
        "10k, 10000",
        "10Ki, 10240",
        "1Mi, 1048576",
        "1T, 1000000000000"
    })
    void readsAmountsWithUnitsOfYarn(String text, long expected) {
        assertEquals(
                Map.of("custom-resource-1", expected),
                SubmissionNeeds.amounts(Map.of("custom-resource-1.amount", text)));
    }

    @Test
    void givesEachProcessItsOwnTypes() {
        Settings settings = Settings.empty()
                .with(
                        "test",
                        Map.of(
                                "hearth.yarn.executor.resource.a.amount", "1",
                                "hearth.yarn.driver.resource.b.amount", "2",
                                "hearth.yarn.am.resource.c.amount", "3",
                                "hearth.driver.resource.fpga.amount", "4"));
        assertEquals(
                Map.of("a", 1L),
                SubmissionNeeds.ofCluster(settings).executorContainer().resources());
        assertEquals(
                Map.of("b", 2L, "yarn.io/fpga", 4L),
                SubmissionNeeds.ofCluster(settings).masterContainer().resources());
        assertEquals(
                Map.of("c", 3L),
                SubmissionNeeds.ofClient(settings).masterContainer().resources());
    }

    @Test
    void asksTheMemoryOfARelayInClientMode() {
        assertEquals(
                256,
                SubmissionNeeds.ofClient(Settings.empty()).masterContainer().memoryMebibytes());
        assertEquals(
                1024 + 384,
                SubmissionNeeds.ofCluster(Settings.empty()).masterContainer().memoryMebibytes());
    }
}
