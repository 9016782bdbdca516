package dev.hearth.standalone.internal.master;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.hearth.spi.id.SubmissionId;
import dev.hearth.standalone.internal.protocol.DriverSpec;
import dev.hearth.standalone.internal.protocol.DriverStatus.DriverState;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** Tests the ends of a driver that the master has not placed yet. */
class DriverRecordTest {
    private final DriverRecord driver = new DriverRecord(
            new SubmissionId("driver-1"), 1, new DriverSpec("pi", "x.Pi", "/x.jar", List.of(), Map.of(), 1, 512), 0);

    @ParameterizedTest
    @EnumSource(
            value = DriverState.class,
            names = {"FINISHED", "UNKNOWN"})
    void runsBeforeItFinishes(DriverState state) {
        assertThrows(IllegalStateException.class, () -> end(state));
        assertEquals(DriverState.SUBMITTED, driver.state());
    }

    @ParameterizedTest
    @EnumSource(
            value = DriverState.class,
            mode = Mode.INCLUDE,
            names = {"KILLED", "FAILED", "ERROR"})
    void mayEndBeforeItRuns(DriverState state) {
        end(state);
        assertEquals(state, driver.state());
    }

    private void end(DriverState state) {
        driver.end(state, "", OptionalInt.empty(), "", "", 1);
    }
}
